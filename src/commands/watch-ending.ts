/** interrupted: ^C. unread: nobody reads the output any more. */
export type EndReason = "interrupted" | "unread";

/** Tells a command that goes on by itself when to stop before its time. */
export class Ending {
  /** Resolves when it is to stop; never, if it is not. */
  readonly whenEnded: Promise<void>;
  #reason: EndReason | null = null;
  #failure: Error | null = null;
  #resolve: () => void = () => {};

  constructor() {
    this.whenEnded = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    process.on("SIGINT", this.#interrupted);
    process.stdout.on("error", this.#failed);
  }

  /** Null if it was not told to stop. What is wrong with the output, if it is not only that nobody reads it, is thrown. */
  reason(): EndReason | null {
    if (this.#failure !== null) throw this.#failure;
    return this.#reason;
  }

  /** No longer listens; after ^C it does, for a second one is not to end the program in the middle of its last words. */
  close(): void {
    if (this.#reason !== "interrupted") process.off("SIGINT", this.#interrupted);
    if (this.#reason !== "unread") process.stdout.off("error", this.#failed);
  }

  readonly #interrupted = (): void => this.#end("interrupted");

  readonly #failed = (error: NodeJS.ErrnoException): void => {
    if (error.code !== "EPIPE") this.#failure = error;
    this.#end("unread");
  };

  #end(reason: EndReason): void {
    this.#reason ??= reason;
    this.#resolve();
  }
}

/** Writes to stdout; resolves when there is room for more, or never will be. */
export async function printWhenRead(text: string): Promise<void> {
  const { stdout } = process;
  if (stdout.write(text)) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      stdout.off("drain", go).off("close", go);
      resolve();
    };
    stdout.on("drain", go).on("close", go);
  });
}
