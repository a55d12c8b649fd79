import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import { renderJsonLine } from "../../render/json/json.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import { changeKey, lastingTrouble, renderLive } from "../../render/watch/live.ts";
import { newsLines } from "../../render/watch/live-lines.ts";
import { areLogsAsked, type ExplainFlags } from "../flags/explain-flags.ts";
import { forTerminal } from "../terminal/standard-output.ts";
import { Ending, INTERRUPTED, printWhenRead } from "./watch-ending.ts";
import { LiveScreen, type ScreenSize } from "./watch-screen.ts";
import { type Frame, type SessionRequest, WatchSession } from "./watch-session.ts";
import { TroubleNotes } from "./watch-trouble.ts";

/** What to watch, and how to show it. */
export interface WatchRequest extends Omit<SessionRequest, "first"> {
  readonly output: "table" | "json";
  readonly look: RenderOptions;
  readonly note: (sentence: string) => void;
}

/**
 * Explains a pod again and again as it changes: in place on a terminal, else in lines. The exit code: 0 when the pod is gone
 * (it was explained until then) or when nobody reads on, 130 after ^C.
 */
export async function watchExplanation(connection: Connection, request: WatchRequest, timers: Timers): Promise<number> {
  const [first, ...others] = request.observation.pods;
  const count = request.observation.pods.length;
  if (first === undefined || others.length > 0)
    throw new UserError("needsOnePod", "--watch", count, "explain POD --watch");
  const output = await outputFor(request);
  const ending = new Ending();
  const session = new WatchSession(connection, { ...request, first }, timers);
  void ending.whenEnded.then(() => session.end());
  try {
    for await (const frame of session.frames()) await Promise.race([output.show(frame), ending.whenEnded]);
    return ending.reason() === "interrupted" ? INTERRUPTED : 0;
  } catch (error) {
    throw toUserError(error, connection);
  } finally {
    output.close();
    ending.close();
    connection.close();
  }
}

async function outputFor({ output, look, note }: WatchRequest): Promise<WatchOutput> {
  if (output === "json") return withTroubleNotes(new JsonOutput(printWhenRead), note);
  const { stdout, env } = process;
  if (stdout.isTTY && env["TERM"] !== "dumb") return TerminalOutput.on(stdout, look);
  return withTroubleNotes(new LineOutput(printWhenRead, look), note);
}

/** The form in which a watch is printed; a UserError for what makes no sense together with --watch. */
export function watchableOutput(flags: ExplainFlags): "table" | "json" {
  const { output } = flags;
  const others = [
    { flag: "-f", isGiven: flags.filename !== undefined },
    { flag: "--at", isGiven: flags.at !== undefined },
    { flag: "--exit-code", isGiven: flags["exit-code"] },
    { flag: "--logs", isGiven: areLogsAsked(flags) },
    { flag: "--what-if", isGiven: flags["what-if"] !== undefined },
    { flag: "--report", isGiven: flags.report !== undefined },
  ];
  const other = others.find(({ isGiven }) => isGiven);
  if (other !== undefined) throw new UserError("notWithWatch", other.flag);
  if (output !== "table" && output !== "json") throw new UserError("notWithWatch", `-o ${output}`);
  return output;
}

type Look = Omit<RenderOptions, "columns">;

/** A terminal: the explanation is redrawn in place, and what was last shown stays when the watch is over. */
export class TerminalOutput implements WatchOutput {
  readonly #screen: LiveScreen;
  readonly #look: Look;
  #frame: Frame | null = null;

  private constructor(screen: LiveScreen, look: Look) {
    this.#screen = screen;
    this.#look = look;
  }

  static async on(stdout: NodeJS.WriteStream, look: Look): Promise<TerminalOutput> {
    return new TerminalOutput(await LiveScreen.on(stdout), look);
  }

  async show(frame: Frame): Promise<void> {
    this.#frame = frame;
    this.#screen.draw(this.#rendering(frame));
  }

  close(): void {
    const frame = this.#frame;
    if (frame === null) this.#screen.close();
    else this.#screen.close(this.#rendering(frame.end === null ? { ...frame, end: "stopped" } : frame));
  }

  #rendering(frame: Frame): (size: ScreenSize) => string {
    return (size) => renderLive(frame, { ...this.#look, ...size });
  }
}

/** Where the frames of a watch go. */
interface WatchOutput {
  /** Resolves when there is room for more. */
  show(frame: Frame): Promise<void>;
  /** Leaves everything as one would want to find it. */
  close(): void;
}

/** Prints a result; resolves when there is room for more. */
export type Print = (text: string) => Promise<void>;

/** For pipes and files: one line for each change. */
export class LineOutput implements WatchOutput {
  readonly #print: Print;
  readonly #look: RenderOptions;
  #shown: Frame | null = null;

  constructor(print: Print, look: RenderOptions) {
    this.#print = print;
    this.#look = look;
  }

  async show(frame: Frame): Promise<void> {
    const lines = newsLines(this.#shown, frame, this.#look);
    this.#shown = frame;
    if (lines.length > 0) await this.#print(forTerminal(lines.map((line) => `${line}\n`).join("")));
  }

  close(): void {}
}

/** For programs: one Explanation on a line, whenever something in it has changed that is not the mere passing of time. */
class JsonOutput implements WatchOutput {
  readonly #print: Print;
  #shown: string | null = null;

  constructor(print: Print) {
    this.#print = print;
  }

  async show({ explanation, end }: Frame): Promise<void> {
    const key = `${explanation.pods.map(changeKey)} ${end}`;
    if (key === this.#shown) return;
    this.#shown = key;
    await this.#print(renderJsonLine(explanation));
  }

  close(): void {}
}

/** The same output, with notes on the connection besides. */
export function withTroubleNotes(output: WatchOutput, note: (sentence: string) => void): WatchOutput {
  const notes = new TroubleNotes("the pod", note);
  return {
    show: (frame) => {
      notes.take(lastingTrouble(frame.trouble, frame.explanation.atMs));
      return output.show(frame);
    },
    close: () => output.close(),
  };
}
