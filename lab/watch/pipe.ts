import type { ApiStream } from "../../src/cluster/connection/connection.ts";
import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";

/** An open watch, from the server's side. */
export class Pipe {
  readonly #lines: string[] = [];
  #end: Error | "ended" | null = null;
  #isStalled = false;
  #isCutNext = false;
  #wake: () => void = () => {};
  readonly #onDead: () => void;
  readonly #onClose: () => void;

  /** `onDead` is told when nothing gets through any more, `onClose` when that has an end. */
  constructor(onDead: () => void, onClose: () => void) {
    this.#onDead = onDead;
    this.#onClose = onClose;
  }

  send(line: string): void {
    if (this.#isStalled) return;
    if (this.#isCutNext) {
      this.end(new RequestFailure("unreachable", { message: "read ECONNRESET" }));
      return;
    }
    this.#lines.push(line);
    this.#wake();
  }

  /** From now on nothing gets through, and nobody is told. */
  stall(): void {
    this.#isStalled = true;
    this.#onDead();
  }

  /** The connection breaks in the middle of the next line, of which nothing is left. */
  cutInLine(): void {
    this.#isCutNext = true;
  }

  /** Without an error the server has ended it in good order. */
  end(error: Error | "ended" = "ended"): void {
    this.#end ??= error;
    this.#onDead();
    this.#onClose();
    this.#wake();
  }

  /** The client's side. */
  stream(serverClockMs: number): ApiStream {
    const close = (): void => this.end(new RequestFailure("unreachable", { message: "closed" }));
    return { serverClockMs, lines: this.#read(), pieces: this.#pieces(), close };
  }

  async *#pieces(): AsyncGenerator<string> {
    for await (const line of this.#read()) yield `${line}\n`;
  }

  async *#read(): AsyncGenerator<string> {
    while (true) {
      const line = this.#lines.shift();
      if (line !== undefined) yield line;
      else if (this.#end === "ended") return;
      else if (this.#end !== null) throw this.#end;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
