import { standardOutput } from "../terminal/standard-output.ts";

/** The exit code after ^C, as shells have it: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

/** interrupted: ^C. unread: nobody reads the output any more, or it cannot be written, which is said elsewhere. */
type EndReason = "interrupted" | "unread";

/** One ^C may come twice: from the terminal, and passed on by whatever has started the program. */
const ONE_PRESS_MS = 100;

/**
 * Tells a command that goes on by itself when to stop before its time: at the first ^C, so that it leaves things as one would
 * want to find them. At a second one the program ends at once, as without this; and so it does at SIGTERM and SIGHUP.
 */
export class Ending {
  /** Resolves when it is to stop; never, if it is not. */
  readonly whenEnded: Promise<void>;
  #reason: EndReason | null = null;
  #resolve: () => void = () => {};
  #secondMayCome: NodeJS.Timeout | null = null;

  constructor() {
    this.whenEnded = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    process.on("SIGINT", this.#interrupted);
    standardOutput().on("error", this.#failed);
  }

  /** Null if it was not told to stop. */
  reason(): EndReason | null {
    return this.#reason;
  }

  /** No longer listens. */
  close(): void {
    if (this.#secondMayCome !== null) clearTimeout(this.#secondMayCome);
    process.off("SIGINT", this.#interruptedAgain);
    process.off("SIGINT", this.#interrupted);
    if (this.#reason !== "unread") process.stdout.off("error", this.#failed);
  }

  readonly #interrupted = (): void => {
    this.#end("interrupted");
    this.#secondMayCome ??= setTimeout(() => process.on("SIGINT", this.#interruptedAgain), ONE_PRESS_MS).unref();
  };

  readonly #interruptedAgain = (): void => {
    process.off("SIGINT", this.#interruptedAgain);
    // Whoever else listens, to show the cursor again, passes it on when nobody else does.
    process.off("SIGINT", this.#interrupted);
    process.kill(process.pid, "SIGINT");
  };

  readonly #failed = (): void => this.#end("unread");

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
