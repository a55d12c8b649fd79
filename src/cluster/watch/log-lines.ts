import type { CaughtLog, LogLine } from "../../explain/observed/catch.ts";
import { isNoLogNotice } from "../pods/observe-logs.ts";

const MOST_CHARACTERS_OF_LINE = 2 ** 18;

const TIMED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) /;

/**
 * Assumed: a read from `sinceTime` on begins with lines that are known from the read before, in the same order. Then
 * the new lines follow. The timestamp of the last known line and the number of lines with this timestamp show where the
 * new lines begin.
 */
export class CollectedLines {
  readonly #mostBytes: number;
  #lines: { readonly line: LogLine; readonly bytes: number }[] = [];
  #firstKept = 0;
  #bytes = 0;
  readonly #leftOut = { lines: 0, bytes: 0 };
  #begun = "";
  #cut = 0;
  /** The timestamp of the last line. It can be earlier than `#latest`, because stdout and stderr mix. */
  #last = "";
  #latest = "";
  #sameAsLast = 0;
  /**
   * The number of known lines with the timestamp `#last` that the read must still skip. Null if all further lines count
   * as new.
   */
  #linesToSkip: number | null = null;
  #lastSkipped = "";
  /** Whether the kubelet sent an error in place of the log. */
  hasNotice = false;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The `sinceTime` of the next request, in RFC 3339. Null to read the log from the beginning. */
  get sinceTime(): string | null {
    const [seconds = ""] = this.#last.split(".");
    return seconds === "" ? null : new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");
  }

  result(): Pick<CaughtLog, "lines" | "leftOut"> {
    return { lines: this.#lines.slice(this.#firstKept).map(({ line }) => line), leftOut: { ...this.#leftOut } };
  }

  begin(): void {
    this.#begun = "";
    this.#cut = 0;
    const kept = this.#lines.slice(this.#firstKept);
    // Lines with the timestamp `#last` may not be adjacent (stdout and stderr mix), and some may have been dropped.
    const same = kept.filter(({ line: { time } }) => time !== null && instantKey(time) === this.#last);
    this.#linesToSkip = Math.max(this.#sameAsLast, same.length) || null;
    this.#lastSkipped = "";
  }

  add(piece: string, atMs: number): void {
    let from = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
      this.#extend(piece.slice(from, end));
      this.#endLine(atMs);
      from = end + 1;
    }
    this.#extend(piece.slice(from));
  }

  /** The last line of a log may lack a newline. */
  end(atMs: number): void {
    if (this.#begun !== "") this.#endLine(atMs);
  }

  cutFrom(ms: number): void {
    const kept = this.#lines
      .slice(this.#firstKept)
      .filter(({ line: { time } }) => time === null || Date.parse(time) < ms);
    if (kept.length === this.#lines.length - this.#firstKept) return;
    this.#lines = [];
    this.#firstKept = 0;
    [this.#bytes, this.#last, this.#latest, this.#sameAsLast] = [0, "", "", 0];
    for (const { line } of kept) this.#keep(line, instantKey(line.time));
  }

  #extend(text: string): void {
    const room = MOST_CHARACTERS_OF_LINE - this.#begun.length;
    this.#begun += text.length > room ? text.slice(0, room) : text;
    this.#cut += Math.max(0, text.length - room);
  }

  #endLine(atMs: number): void {
    const [raw, cut] = [this.#begun, this.#cut];
    [this.#begun, this.#cut] = ["", 0];
    const time = TIMED.exec(raw)?.[0].trimEnd() ?? null;
    if (time === null && isNoLogNotice(raw)) {
      this.hasNotice = true;
      return;
    }
    const key = instantKey(time);
    if (this.#isSkipped(key)) return;
    const text = time === null ? raw : raw.slice(time.length + 1);
    this.#keep({ atMs, time, text: text.endsWith("\r") ? text.slice(0, -1) : text, cut }, key);
  }

  #isSkipped(key: string): boolean {
    if (this.#linesToSkip === null) return false;
    // A line without a timestamp is treated like the line before it.
    const sortKey = key === "" ? this.#lastSkipped : key;
    this.#lastSkipped = sortKey;
    // If the kubelet has rotated the log file, known lines may be missing. A later timestamp then shows the first new
    // line.
    if (sortKey > this.#latest) {
      this.#linesToSkip = null;
      return false;
    }
    if (sortKey === this.#last && --this.#linesToSkip === 0) this.#linesToSkip = null;
    return true;
  }

  #keep(line: LogLine, key: string): void {
    const sortKey = key === "" ? this.#last : key;
    this.#sameAsLast = sortKey === this.#last ? this.#sameAsLast + 1 : 1;
    this.#last = sortKey;
    if (sortKey > this.#latest) this.#latest = sortKey;
    const bytes = Buffer.byteLength(line.text) + 1;
    this.#lines.push({ line, bytes });
    this.#bytes += bytes;
    for (; this.#bytes > this.#mostBytes; this.#firstKept++) {
      const dropped = this.#lines[this.#firstKept]?.bytes ?? 0;
      this.#bytes -= dropped;
      this.#leftOut.lines++;
      this.#leftOut.bytes += dropped;
    }
    if (this.#firstKept < this.#lines.length / 2) return;
    this.#lines = this.#lines.slice(this.#firstKept);
    this.#firstKept = 0;
  }
}

/** Returns a text that sorts by time: the seconds since 1970 and the nanoseconds. Empty without a valid timestamp. */
function instantKey(time: string | null): string {
  const [, seconds = "", fraction = "", zone = ""] = TIMED.exec(`${time} `) ?? [];
  const atMs = Date.parse(seconds + zone);
  return Number.isNaN(atMs) ? "" : `${`${atMs / 1000}`.padStart(12, "0")}.${fraction.padEnd(9, "0")}`;
}
