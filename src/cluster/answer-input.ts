/** It is given each piece of what comes, once it has begun; what is read of them is what it returns. */
export type Reading<Result> = Generator<undefined, Result, Buffer>;

/** What has come may well be an answer, but not one of those that are read by hand. */
export class UnclearAnswer extends Error {}

/** Of HTTP. */
export const LINE_END = "\r\n";
const CR = 0x0d;

/** What has come and is not read yet. */
export class AnswerInput {
  #unread: Buffer = Buffer.alloc(0);

  get isEmpty(): boolean {
    return this.#unread.length === 0;
  }

  /** The text before the end of the line, which is read too: of at most so many bytes, and such as it may begin with. */
  *line(most: number, isBegun: (text: string, isWhole: boolean) => boolean): Reading<string> {
    for (;;) {
      const end = this.#unread.indexOf(LINE_END, 0, "latin1");
      const isWhole = end >= 0 || this.#unread.at(-1) === CR;
      const length = end >= 0 ? end : this.#unread.length - (isWhole ? 1 : 0);
      if (length > most) throw new UnclearAnswer("a long line");
      const text = this.#unread.toString("latin1", 0, length);
      if (!isBegun(text, isWhole) && !this.isEmpty) throw new UnclearAnswer("another line");
      if (end >= 0) {
        this.#unread = this.#unread.subarray(end + LINE_END.length);
        return text;
      }
      this.#unread = this.isEmpty ? yield : Buffer.concat([this.#unread, yield]);
    }
  }

  /** So many bytes, in pieces. */
  *bytes(count: number): Reading<Buffer[]> {
    const pieces: Buffer[] = [];
    for (let left = count; left > 0; ) {
      if (this.isEmpty) this.#unread = yield;
      const piece = this.#unread.subarray(0, left);
      pieces.push(piece);
      left -= piece.length;
      this.#unread = this.#unread.subarray(piece.length);
    }
    return pieces;
  }
}
