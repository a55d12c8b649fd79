import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import { UserError } from "../../errors.ts";
import { timesAround } from "../../render/page/times.ts";
import { type ConnectionLoss, lostSentence, rowsOn } from "../../render/watch/live.ts";
import { AFTER_SIGNAL } from "../terminal/exit-codes.ts";
import { forTerminal, print, standardOutput } from "../terminal/standard-output.ts";

/** Resolves when the next frame may follow. At the end, the last frame is passed a second time, with `isLast` set. */
export type Show<Frame> = (frame: Frame, isLast: boolean) => Promise<void>;

export const WATCHED_FORMS = ["table", "json"] as const;

export function watchedForm<Form extends string>(
  output: string,
  forms: readonly Form[],
  refused: Readonly<Record<string, boolean>> = {},
): Form {
  for (const [flag, isGiven] of Object.entries(refused)) if (isGiven) throw new UserError("notWithWatch", flag);
  const form = forms.find((one) => one === output);
  if (form === undefined) throw new UserError("notWithWatch", `-o ${output}`);
  return form;
}

interface FrameForms<Frame> {
  readonly screen: (frame: Frame, size: ScreenSize, isLast: boolean) => string;
  readonly lines: (frame: Frame) => string;
  /** Returns "" if nothing has changed. */
  readonly json: (frame: Frame) => string;
  readonly lossOf: (frame: Frame) => ConnectionLoss | null;
  readonly note: (sentence: string) => void;
}

export async function showIn<Frame>(output: string, forms: FrameForms<Frame>): Promise<Show<Frame>> {
  const { stdout, env } = process;
  const isJson = output === "json";
  if (!isJson && stdout.isTTY && env["TERM"] !== "dumb") return onScreen(stdout, forms.screen);
  const noteLoss = connectionNotes(forms.note);
  return async (frame, isLast) => {
    if (isLast) return;
    noteLoss(forms.lossOf(frame));
    const text = isJson ? forms.json(frame) : forTerminal(forms.lines(frame));
    if (text !== "") await print(text);
  };
}

export function ifChanged<Frame>(
  keyOf: (frame: Frame) => string,
  render: (frame: Frame) => string,
): (frame: Frame) => string {
  let shown: string | null = null;
  return (frame) => {
    const key = keyOf(frame);
    if (key === shown) return "";
    shown = key;
    return render(frame);
  };
}

/** Returns the exit code: 130 after Ctrl-C, else 0. */
export async function showFrames<Frame>(
  connection: Connection,
  session: { frames(): AsyncIterable<Frame>; end(): void },
  show: Show<Frame>,
): Promise<number> {
  const interruption = new Interruption();
  void interruption.whenEnded.then(() => session.end());
  let last: Frame | null = null;
  try {
    for await (const frame of session.frames()) {
      last = frame;
      await Promise.race([show(frame, false), interruption.whenEnded]);
    }
    return interruption.exitCode ?? 0;
  } catch (error) {
    throw toUserError(error, connection);
  } finally {
    if (last !== null) await Promise.race([show(last, true), interruption.whenEnded]);
    interruption.close();
    connection.close();
  }
}

export function connectionNotes(note: (sentence: string) => void): (connectionLoss: ConnectionLoss | null) => void {
  let isLost = false;
  return (connectionLoss) => {
    if (connectionLoss !== null && !isLost) note(lostSentence(connectionLoss, timesAround(connectionLoss.sinceMs)));
    if (connectionLoss === null && isLost) note("Connected again.");
    isLost = connectionLoss !== null;
  };
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

function sizeOf({ columns, rows }: NodeJS.WriteStream): ScreenSize {
  return { columns: columns || 80, rows: rows || 24 };
}

export async function onScreen<Frame>(
  stdout: NodeJS.WriteStream,
  render: FrameForms<Frame>["screen"],
): Promise<Show<Frame>> {
  const { createLogUpdate } = await import("log-update");
  const redraw = createLogUpdate(stdout);
  let draw = (): void => {};
  let drawn = "";
  const onResize = (): void => {
    if (drawn === "") return;
    // Assumed: the terminal has wrapped the lines to its new width.
    stdout.write(`\u001b[${rowsOn(drawn, sizeOf(stdout).columns)}A\r\u001b[J`);
    redraw.done();
    draw();
  };
  stdout.on("resize", onResize);
  return async (frame, isLast) => {
    draw = () => {
      drawn = forTerminal(render(frame, sizeOf(stdout), isLast));
      redraw(drawn);
    };
    if (!isLast) return draw();
    stdout.off("resize", onResize);
    // Erases the "^C" that the terminal may have printed at the cursor.
    stdout.write("\r\u001b[K");
    draw();
    redraw.done();
  };
}

/**
 * Assumed: a second SIGINT within this time comes from the same Ctrl-C, e.g. from a parent process that forwards it.
 */
const ONE_PRESS_MS = 100;

/** The first signal resolves `whenEnded`, so that the command can clean up. A later Ctrl-C can end the program. */
export class Interruption {
  readonly #ended = Promise.withResolvers<void>();
  readonly whenEnded = this.#ended.promise;
  #exitCode: number | null = null;
  #secondMayCome: NodeJS.Timeout | undefined;

  constructor({ savesOnSignals = false } = {}) {
    process.on("SIGINT", this.#interrupted);
    if (savesOnSignals) process.on("SIGTERM", this.#stopped).on("SIGHUP", this.#stopped);
    standardOutput().on("error", this.#ended.resolve);
  }

  get exitCode(): number | null {
    return this.#exitCode;
  }

  close(): void {
    clearTimeout(this.#secondMayCome);
    process.off("SIGINT", this.#interruptedAgain);
    process.off("SIGINT", this.#interrupted);
    process.off("SIGTERM", this.#stopped).off("SIGHUP", this.#stopped);
    process.stdout.off("error", this.#ended.resolve);
  }

  readonly #interrupted = (): void => {
    this.#end("SIGINT");
  };

  readonly #stopped = (signal: NodeJS.Signals): void => {
    if (signal === "SIGTERM" || signal === "SIGHUP") this.#end(signal);
    // Removes `#stopped` later, because another listener of the signal may check whether `#stopped` still listens.
    setImmediate(() => process.off("SIGTERM", this.#stopped).off("SIGHUP", this.#stopped));
  };

  readonly #interruptedAgain = (): void => {
    process.off("SIGINT", this.#interruptedAgain);
    // log-update can have a listener, too. It shows the cursor again. As the last listener, it also ends the program.
    process.off("SIGINT", this.#interrupted);
    process.kill(process.pid, "SIGINT");
  };

  #end(signal: keyof typeof AFTER_SIGNAL): void {
    this.#exitCode ??= AFTER_SIGNAL[signal];
    this.#secondMayCome ??= setTimeout(() => process.on("SIGINT", this.#interruptedAgain), ONE_PRESS_MS).unref();
    this.#ended.resolve();
  }
}
