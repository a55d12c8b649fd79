import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import { UserError } from "../../errors.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import { Ending, INTERRUPTED, printWhenRead } from "./watch-ending.ts";
import { JsonOutput, LineOutput, type WatchOutput, withTroubleNotes } from "./watch-output.ts";
import { type SessionRequest, WatchSession } from "./watch-session.ts";
import { TerminalOutput } from "./watch-terminal.ts";

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
  if (first === undefined || others.length > 0) throw new UserError("watchesOnePod", request.observation.pods.length);
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

/** What --watch is given together with. */
export interface WatchFlags {
  readonly output: string;
  readonly filename?: readonly string[] | undefined;
  readonly at?: number | undefined;
  readonly "exit-code"?: boolean | undefined;
  readonly logs?: boolean | undefined;
  readonly "what-if"?: unknown;
  readonly report?: string | undefined;
}

/** The form in which a watch is printed; a UserError for what makes no sense together with --watch. */
export function watchableOutput(flags: WatchFlags): "table" | "json" {
  const { output } = flags;
  const others = [
    { flag: "-f", isGiven: flags.filename !== undefined },
    { flag: "--at", isGiven: flags.at !== undefined },
    { flag: "--exit-code", isGiven: flags["exit-code"] === true },
    { flag: "--logs", isGiven: flags.logs === true },
    { flag: "--what-if", isGiven: flags["what-if"] !== undefined },
    { flag: "--report", isGiven: flags.report !== undefined },
  ];
  const other = others.find(({ isGiven }) => isGiven);
  if (other !== undefined) throw new UserError("notWithWatch", other.flag);
  if (output !== "table" && output !== "json") throw new UserError("notWithWatch", `-o ${output}`);
  return output;
}
