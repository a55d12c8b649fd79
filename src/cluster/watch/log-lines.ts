import type { CaughtLog, LogLine } from "../../explain/observed/catch.ts";
import { isNoLogNotice } from "../pods/observe-logs.ts";

/** The program keeps only the beginning of a longer line. */
const MOST_CHARACTERS = 2 ** 18;

const TIMED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) /;

/**
 * Gathers the lines of one log, with timestamps, and keeps the last `mostBytes`. If the program reads the log again from the
 * last timestamp on, it skips the lines that it has.
 *
 * A log that is read again has the same lines in the same order, so new lines follow the last known line. That line is found by
 * its timestamp and the number of lines that have the same timestamp. The kubelet may have rotated the file: then the last line
 * is not in it, and the first later timestamp begins the new lines.
 */
export class LogLines {
  readonly #mostBytes: number;
  #lines: { readonly line: LogLine; readonly bytes: number }[] = [];
  /** The index of the first line that is kept. The program removes the lines before it many at a time. */
  #first = 0;
  #bytes = 0;
  readonly #leftOut = { lines: 0, bytes: 0 };
  /** The beginning of a line whose end has not come yet, and the number of characters cut off from it. */
  #begun = "";
  #cut = 0;
  /** The timestamp of the last line, and the latest timestamp, as `keyOf` writes them. */
  #last = "";
  #latest = "";
  /** The number of consecutive lines with the last timestamp. */
  #sameAsLast = 0;
  /** While the log is read again: how many lines with the last timestamp the program still skips. Null: all further lines are new. */
  #linesToSkip: number | null = null;
  /** The timestamp of the last skipped line. */
  #lastSkipped = "";
  /** True if the kubelet no longer has the log of this instance. */
  isGone = false;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** The `sinceTime` to read the log again from, in RFC 3339; null: from its beginning. */
  get sinceTime(): string | null {
    const [seconds = ""] = this.#last.split(".");
    return seconds === "" ? null : new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");
  }

  result(): Pick<CaughtLog, "lines" | "leftOut"> {
    return { lines: this.#lines.slice(this.#first).map(({ line }) => line), leftOut: { ...this.#leftOut } };
  }

  /** Begins to read the log, from `sinceTime` on. */
  begin(): void {
    this.#begun = "";
    this.#cut = 0;
    const kept = this.#lines.slice(this.#first);
    // The lines of stdout and stderr may be out of order, and consecutive lines may be dropped already.
    const same = kept.filter(({ line: { time } }) => time !== null && keyOf(time) === this.#last);
    this.#linesToSkip = Math.max(this.#sameAsLast, same.length) || null;
    this.#lastSkipped = "";
  }

  /** Takes the next piece of the log, which may end in the middle of a line. */
  take(piece: string, atMs: number): void {
    let from = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
      this.#extend(piece.slice(from, end));
      this.#endLine(atMs);
      from = end + 1;
    }
    this.#extend(piece.slice(from));
  }

  /** Ends to read the log: its last line need not end in a newline. */
  end(atMs: number): void {
    if (this.#begun !== "") this.#endLine(atMs);
  }

  /** Drops the lines of this moment and later ones, because they belong to the next run. */
  cutFrom(ms: number): void {
    const kept = this.#lines.slice(this.#first).filter(({ line: { time } }) => time === null || Date.parse(time) < ms);
    if (kept.length === this.#lines.length - this.#first) return;
    this.#lines = [];
    this.#first = 0;
    [this.#bytes, this.#last, this.#latest, this.#sameAsLast] = [0, "", "", 0];
    for (const { line } of kept) this.#keep(line, keyOf(line.time));
  }

  #extend(text: string): void {
    const room = MOST_CHARACTERS - this.#begun.length;
    this.#begun += text.length > room ? text.slice(0, room) : text;
    this.#cut += Math.max(0, text.length - room);
  }

  #endLine(atMs: number): void {
    const [raw, cut] = [this.#begun, this.#cut];
    [this.#begun, this.#cut] = ["", 0];
    const time = TIMED.exec(raw)?.[0].trimEnd() ?? null;
    if (time === null && isNoLogNotice(raw)) {
      this.isGone = true;
      return;
    }
    const key = keyOf(time);
    if (this.#isSkipped(key)) return;
    const text = time === null ? raw : raw.slice(time.length + 1);
    this.#keep({ atMs, time, text: text.endsWith("\r") ? text.slice(0, -1) : text, cut }, key);
  }

  /** Whether the program has this line from an earlier read. */
  #isSkipped(key: string): boolean {
    if (this.#linesToSkip === null) return false;
    // A line without a timestamp goes with the one before it.
    const own = key === "" ? this.#lastSkipped : key;
    this.#lastSkipped = own;
    if (own > this.#latest) {
      this.#linesToSkip = null;
      return false;
    }
    if (own === this.#last && --this.#linesToSkip === 0) this.#linesToSkip = null;
    return true;
  }

  #keep(line: LogLine, key: string): void {
    const own = key === "" ? this.#last : key;
    this.#sameAsLast = own === this.#last ? this.#sameAsLast + 1 : 1;
    this.#last = own;
    if (own > this.#latest) this.#latest = own;
    const bytes = Buffer.byteLength(line.text) + 1;
    this.#lines.push({ line, bytes });
    this.#bytes += bytes;
    for (; this.#bytes > this.#mostBytes; this.#first++) {
      const dropped = this.#lines[this.#first]?.bytes ?? 0;
      this.#bytes -= dropped;
      this.#leftOut.lines++;
      this.#leftOut.bytes += dropped;
    }
    if (this.#first < this.#lines.length / 2) return;
    this.#lines = this.#lines.slice(this.#first);
    this.#first = 0;
  }
}

/** A timestamp as a text that sorts by time: seconds since 1970 and nanoseconds. Empty if there is none. */
function keyOf(time: string | null): string {
  const [, seconds = "", fraction = "", zone = ""] = TIMED.exec(`${time} `) ?? [];
  const atMs = Date.parse(seconds + zone);
  return Number.isNaN(atMs) ? "" : `${`${atMs / 1000}`.padStart(12, "0")}.${fraction.padEnd(9, "0")}`;
}
