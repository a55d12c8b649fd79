import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import { type LiveFrame, rowsOn } from "../../render/watch/live.ts";
import { forTerminal, standardOutput } from "../terminal/standard-output.ts";

/** Shows a frame of a watch, the last one once more at its end. Resolves when there is room for more. */
export type Show<Frame> = (frame: Frame, isLast: boolean) => Promise<void>;

interface FrameForms<Frame> {
  /** Redrawn in place on a terminal. */
  readonly screen: (frame: Frame, size: ScreenSize, isLast: boolean) => string;
  /** For pipes and files: what is new since the frame before; empty if nothing is. */
  readonly lines: (frame: Frame) => string;
  /** For programs: the frame on a line; empty if it has only grown older. */
  readonly json: (frame: Frame) => string;
  /** Why nothing is heard, for the forms that cannot show it. */
  readonly troubleOf: (frame: Frame) => LiveFrame["trouble"];
  readonly notes: TroubleNotes;
}

/** Shows frames in the form that is asked for: as JSON, or in place on a terminal, else in lines. */
export async function showIn<Frame>(output: string, forms: FrameForms<Frame>): Promise<Show<Frame>> {
  const { stdout, env } = process;
  const isJson = output === "json";
  if (!isJson && stdout.isTTY && env["TERM"] !== "dumb") return onScreen(stdout, forms.screen);
  return async (frame, isLast) => {
    if (isLast) return;
    forms.notes.take(forms.troubleOf(frame));
    const text = isJson ? forms.json(frame) : forTerminal(forms.lines(frame));
    if (text !== "") await printWhenRead(text);
  };
}

/**
 * Shows the frames of a session until it is over, ^C ends it, or nobody reads on; then closes the connection. The exit code:
 * 130 after ^C, else 0.
 */
export async function showFrames<Frame>(
  connection: Connection,
  session: { frames(): AsyncIterable<Frame>; end(): void },
  show: Show<Frame>,
): Promise<number> {
  const ending = new Ending();
  void ending.whenEnded.then(() => session.end());
  let last: Frame | null = null;
  try {
    for await (const frame of session.frames()) {
      last = frame;
      await Promise.race([show(frame, false), ending.whenEnded]);
    }
    return ending.reason() === "interrupted" ? INTERRUPTED : 0;
  } catch (error) {
    throw toUserError(error, connection);
  } finally {
    if (last !== null) await Promise.race([show(last, true), ending.whenEnded]);
    ending.close();
    connection.close();
  }
}

/** Says on stderr when the connection is lost, and when it is there again: where the output itself cannot. */
export class TroubleNotes {
  readonly #subject: string;
  readonly #note: (sentence: string) => void;
  #isTold = false;

  /** `subject`: what is watched, in words. */
  constructor(subject: string, note: (sentence: string) => void) {
    this.#subject = subject;
    this.#note = note;
  }

  /** Takes what a frame says of the connection; each change of it is told once. */
  take(trouble: LiveFrame["trouble"]): void {
    if (trouble !== null && !this.#isTold)
      this.#note(`Nothing is heard of ${this.#subject} (${trouble.because}): trying again.`);
    if (trouble === null && this.#isTold) this.#note("The connection is there again.");
    this.#isTold = trouble !== null;
  }
}

/** Redraws each frame in the place of the one before; the last one stays when the watch is over. */
export async function onScreen<Frame>(
  stdout: NodeJS.WriteStream,
  render: FrameForms<Frame>["screen"],
): Promise<Show<Frame>> {
  const screen = await LiveScreen.on(stdout);
  return async (frame, isLast) => {
    const rendering = (size: ScreenSize): string => render(frame, size, isLast);
    if (isLast) screen.close(rendering);
    else screen.draw(rendering);
  };
}

type Redraw = ReturnType<typeof import("log-update").createLogUpdate>;

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** A terminal that does not say how large it is. */
const ASSUMED: ScreenSize = { columns: 80, rows: 24 };

/** A text on a terminal that is redrawn in place, and anew when the terminal changes its size. */
class LiveScreen {
  readonly #stdout: NodeJS.WriteStream;
  readonly #redraw: Redraw;
  #render: ((size: ScreenSize) => string) | null = null;
  #drawn = "";

  private constructor(stdout: NodeJS.WriteStream, redraw: Redraw) {
    this.#stdout = stdout;
    this.#redraw = redraw;
    stdout.on("resize", this.#resized);
  }

  /** The library is loaded here, for nobody else needs it. */
  static async on(stdout: NodeJS.WriteStream): Promise<LiveScreen> {
    const { createLogUpdate } = await import("log-update");
    return new LiveScreen(stdout, createLogUpdate(stdout));
  }

  /** Draws this in the place of what was there; its lines have to fit. */
  draw(render: (size: ScreenSize) => string): void {
    this.#render = render;
    this.#drawn = forTerminal(render(this.#size()));
    this.#redraw(this.#drawn);
  }

  /** Leaves this on the terminal, and the cursor below it. */
  close(render: (size: ScreenSize) => string): void {
    this.#stdout.off("resize", this.#resized);
    // The terminal itself has printed "^C" where the cursor was.
    this.#stdout.write("\r\u001b[K");
    this.draw(render);
    this.#redraw.done();
  }

  /** The lines that are there have been broken anew by the terminal: as many rows are erased as they take now. */
  readonly #resized = (): void => {
    if (this.#render === null) return;
    this.#stdout.write(`\u001b[${rowsOn(this.#drawn, this.#size().columns)}A\r\u001b[J`);
    this.#redraw.done();
    this.draw(this.#render);
  };

  #size(): ScreenSize {
    return { columns: this.#stdout.columns || ASSUMED.columns, rows: this.#stdout.rows || ASSUMED.rows };
  }
}

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
