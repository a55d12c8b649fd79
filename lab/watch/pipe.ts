import type { ApiStream } from "../../src/cluster/connection/connection.ts";
import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";

export class Pipe {
  readonly #lines: string[] = [];
  #end: Error | "ended" | null = null;
  #isStalled = false;
  #isCutNext = false;
  #wake: () => void = () => {};
  readonly #onDead: () => void;
  readonly #onClose: () => void;

  /** `onDead`: the server sends nothing more. `onClose`: the stream has ended. */
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

  stall(): void {
    this.#isStalled = true;
    this.#onDead();
  }

  /** Breaks the connection in the middle of the next line, which is lost. */
  cutInLine(): void {
    this.#isCutNext = true;
  }

  end(error: Error | "ended" = "ended"): void {
    this.#end ??= error;
    this.#onDead();
    this.#onClose();
    this.#wake();
  }

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
