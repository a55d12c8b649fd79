import type { FaultLab } from "./lab.ts";
import type { Outcome } from "./outcome.ts";
import type { FaultRun } from "./program.ts";

/** What is asked of the program. explain, list, eta: as JSON. wait: for a restart, looking once; wait-on: longer. watch: explain -w as JSON. catch: as JSON to stdout. */
export type Asked = "explain" | "list" | "eta" | "wait" | "wait-on" | "watch" | "catch";

/** Those of the questions that begin with the same request, or one like it. */
export const ALL: readonly Asked[] = ["explain", "list", "wait", "watch"];

/** One way to break things. */
export interface FaultCase {
  /** Those with the same are a row of the table. */
  readonly fault: string;
  /** Names the way, if there are several. */
  readonly variant: string;
  readonly asked: readonly Asked[];
  /** The --request-timeout; null: none is passed. */
  readonly timeoutMs: number | null;
  /** Prepares servers, kubeconfig and arguments. A function that it gives ({@link CheckAfter}) is called after the run. */
  readonly arrange: (lab: FaultLab, asked: Asked) => Promise<unknown>;
  readonly outcome: Outcome;
  /** Whether it takes much of the machine, so that it would make others late. */
  readonly isHeavy?: boolean;
  /** The same without the fault; by default a server that has the pod. */
  readonly proper?: (lab: FaultLab) => Promise<unknown>;
}

/** What is wrong besides the outcome; empty if nothing is. */
export type CheckAfter = () => readonly string[] | Promise<readonly string[]>;

/** How much longer than --request-timeout a run may take, on a busy machine that runs many at a time. */
export const SLACK_MS = 3_000;

/** For what is never answered. */
export const SHORT_MS = 150;
/** For what fails again and again until time is up, but must have failed once by then. */
export const MIDDLE_MS = 3_000;
/** Long enough for whatever is answered in the end. */
export const LONG_MS = 8_000;

/** The arguments for a question. */
export const ARGV_OF: Readonly<Record<Asked, readonly string[]>> = {
  explain: ["explain", "web-0", "-o", "json"],
  list: ["list", "-o", "json"],
  eta: ["eta", "-o", "json"],
  wait: ["wait", "web-0", "--for=restart", "--timeout=0"],
  "wait-on": ["wait", "web-0", "--for=restart"],
  catch: ["catch", "web-0", "-o", "json", "--output-file=-"],
  watch: ["explain", "web-0", "-w", "-o", "json"],
};

const STACK = /\n\s+at |This is a bug/;

/** What no run may do, whatever comes of it. */
export function alwaysWrong(run: FaultRun, { timeoutMs }: FaultCase): readonly string[] {
  const limitMs = (timeoutMs ?? LONG_MS) + SLACK_MS;
  return [
    ...(STACK.test(run.stderr) ? [`a stack: ${run.stderr.slice(0, 600)}`] : []),
    ...(run.tookMs <= limitMs ? [] : [`took ${Math.round(run.tookMs)} ms of ${limitMs}`]),
  ];
}
