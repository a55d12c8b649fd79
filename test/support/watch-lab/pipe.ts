import type { ApiStream } from "../../../src/cluster/connect.ts";
import { RequestFailure } from "../../../src/cluster/request-failure.ts";

/** An open watch, from the server's side. */
export class Pipe {
  readonly #lines: string[] = [];
  #end: Error | "ended" | null = null;
  #isStalled = false;
  #wake: () => void = () => {};
  readonly #onClose: () => void;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  send(line: string): void {
    if (this.#isStalled) return;
    this.#lines.push(line);
    this.#wake();
  }

  /** From now on nothing gets through, and nobody is told. */
  stall(): void {
    this.#isStalled = true;
  }

  /** Without an error the server has ended it in good order. */
  end(error: Error | "ended" = "ended"): void {
    this.#end ??= error;
    this.#onClose();
    this.#wake();
  }

  /** The client's side. */
  stream(serverClockMs: number): ApiStream {
    const close = (): void => this.end(new RequestFailure("unreachable", { message: "closed" }));
    return { serverClockMs, lines: this.#read(), close };
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
