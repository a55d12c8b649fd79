import type { LogLine } from "../../explain/observed/catch.ts";
import { isNoLogNotice } from "../pods/observe-logs.ts";

/** Of a longer line only the beginning is kept. */
const MOST_CHARACTERS = 2 ** 18;

const TIMED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) /;

/**
 * Gathers the lines of one log, of which the last `mostBytes` stay. The log is read with timestamps; when it is read again
 * from the last timestamp on, the lines that came before are passed over.
 *
 * A log that is read again has the same lines in the same order. So the last line that came is where it goes on, and that
 * one is known by its timestamp and by how many lines came with the same one. The kubelet may have begun a new file in the
 * meantime: then the last line is not in it, and a later timestamp than any before says so.
 */
export class LogLines {
  readonly #mostBytes: number;
  #lines: { readonly line: LogLine; readonly bytes: number }[] = [];
  /** Those before it are dropped: they go many at a time. */
  #first = 0;
  #droppedBytes = 0;
  #bytes = 0;
  readonly #leftOut = { lines: 0, bytes: 0 };
  /** The beginning of a line whose end has not come yet. */
  #begun = "";
  #cut = 0;
  /** Of the last line, and of the latest one: texts that can be compared. */
  #last = "";
  #latest = "";
  /** How many lines in a row have the timestamp of the last one. */
  #sameAsLast = 0;
  /** How many of those are still to be passed over; null: new lines come. */
  #toPass: number | null = null;
  /** The timestamp of the line before, while lines are passed over. */
  #passed = "";
  #second = { text: "", key: "" };
  /** The kubelet has no log of this instance any more. */
  isGone = false;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** From when on the log is to be read again, in RFC 3339; null: from its beginning. */
  get sinceTime(): string | null {
    const [seconds = ""] = this.#last.split(".");
    return seconds === "" ? null : new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");
  }

  result(): {
    readonly lines: readonly LogLine[];
    readonly leftOut: { readonly lines: number; readonly bytes: number };
  } {
    return { lines: this.#lines.slice(this.#first).map(({ line }) => line), leftOut: { ...this.#leftOut } };
  }

  /** The log is read again, from `sinceTime` on. */
  begin(): void {
    this.#begun = "";
    this.#cut = 0;
    const kept = this.#lines.slice(this.#first);
    // Those of two streams may be out of order, and those in a row may be dropped already.
    const same = kept.filter(
      ({ line: { time } }) => time !== null && this.#keyOf(TIMED.exec(`${time} `)) === this.#last,
    ).length;
    this.#toPass = Math.max(this.#sameAsLast, same) || null;
    this.#passed = "";
  }

  /** The next piece of the log, which ends anywhere. */
  take(piece: string, atMs: number): void {
    let from = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
      this.#extend(piece.slice(from, end));
      this.#endLine(atMs);
      from = end + 1;
    }
    this.#extend(piece.slice(from));
  }

  /** The log has ended in good order: its last line need not have an end. */
  end(atMs: number): void {
    if (this.#begun !== "") this.#endLine(atMs);
  }

  /** Drops the lines of this moment and later ones, which are another run's. */
  cutFrom(ms: number): void {
    const kept = this.#lines.slice(this.#first).filter(({ line: { time } }) => time === null || Date.parse(time) < ms);
    if (kept.length === this.#lines.length - this.#first) return;
    this.#lines = [];
    this.#first = 0;
    [this.#bytes, this.#last, this.#latest, this.#sameAsLast] = [0, "", "", 0];
    for (const { line } of kept) this.#keep(line, this.#keyOf(TIMED.exec(`${line.time} `)));
  }

  #extend(text: string): void {
    const room = MOST_CHARACTERS - this.#begun.length;
    this.#begun += text.length > room ? text.slice(0, room) : text;
    this.#cut += Math.max(0, text.length - room);
  }

  #endLine(atMs: number): void {
    const [raw, cut] = [this.#begun, this.#cut];
    [this.#begun, this.#cut] = ["", 0];
    const match = TIMED.exec(raw);
    if (match === null && isNoLogNotice(raw)) {
      this.isGone = true;
      return;
    }
    const key = this.#keyOf(match);
    if (this.#isPassed(key)) return;
    const time = match === null ? null : match[0].slice(0, -1);
    const text = match === null ? raw : raw.slice(match[0].length);
    this.#keep({ atMs, time, text: text.endsWith("\r") ? text.slice(0, -1) : text, cut }, key);
  }

  /** Whether the line came before. */
  #isPassed(key: string): boolean {
    if (this.#toPass === null) return false;
    // A line without a timestamp goes with the one before it.
    const own = key === "" ? this.#passed : key;
    this.#passed = own;
    if (own > this.#latest) {
      this.#toPass = null;
      return false;
    }
    if (own === this.#last && --this.#toPass === 0) this.#toPass = null;
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
    while (this.#bytes > this.#mostBytes) this.#drop();
    if (this.#droppedBytes < this.#mostBytes) return;
    this.#lines = this.#lines.slice(this.#first);
    [this.#first, this.#droppedBytes] = [0, 0];
  }

  #drop(): void {
    const bytes = this.#lines[this.#first++]?.bytes ?? 0;
    this.#bytes -= bytes;
    this.#droppedBytes += bytes;
    this.#leftOut.lines++;
    this.#leftOut.bytes += bytes;
  }

  /** The timestamp that a line begins with, as seconds since 1970 and nanoseconds; empty without one. */
  #keyOf(match: RegExpExecArray | null): string {
    if (match === null) return "";
    const [, seconds = "", fraction = "", zone = ""] = match;
    // Lines of one second come together, and to read a date takes time.
    if (this.#second.text !== seconds + zone) {
      const atMs = Date.parse(seconds + zone);
      this.#second = { text: seconds + zone, key: Number.isNaN(atMs) ? "" : `${atMs / 1000}`.padStart(12, "0") };
    }
    return this.#second.key === "" ? "" : `${this.#second.key}.${fraction.padEnd(9, "0")}`;
  }
}
