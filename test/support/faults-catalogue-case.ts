import type { FaultLab } from "./faults-catalogue-lab.ts";
import type { FaultRun } from "./faults-catalogue-program.ts";

/** What is asked of the program. explain, list: as JSON. wait: for a restart, looking once; wait-on: longer. watch: explain -w as JSON. */
export type Asked = "explain" | "list" | "wait" | "wait-on" | "watch";

/** Those of the questions that begin with the same request, or one like it. */
export const ALL: readonly Asked[] = ["explain", "list", "wait", "watch"];

/** What comes of it, in the words of the table. */
export interface Outcome {
  readonly words: string;
  /** What is wrong with the run; empty if nothing is. `proper` is the run without the fault. */
  check(run: FaultRun, proper: FaultRun, asked: Asked): readonly string[];
}

/** One way to break things. */
export interface FaultCase {
  /** Those with the same are a row of the table. */
  readonly fault: string;
  /** Names the way, if there are several. */
  readonly variant: string;
  readonly asked: readonly Asked[];
  /** The --request-timeout; null: none is passed. */
  readonly timeoutMs: number | null;
  /** Prepares servers, kubeconfig and arguments. What it gives is checked after the run, like the outcome. */
  readonly arrange: (
    lab: FaultLab,
    asked: Asked,
  ) => Promise<undefined | (() => readonly string[] | Promise<readonly string[]>)>;
  readonly outcome: Outcome;
  /** Whether it takes much of the machine, so that it would make others late. */
  readonly isHeavy?: boolean;
  /** The same without the fault; by default a server that has the pod. */
  readonly proper?: (lab: FaultLab) => Promise<unknown>;
}

/** How much longer than --request-timeout a run may take, on a busy machine that runs many at a time. */
export const SLACK_MS = 3_000;

/** For what is never answered. */
export const SHORT_MS = 150;
/** For what fails again and again until time is up, but must have failed once by then. */
export const MIDDLE_MS = 1_500;
/** Long enough for whatever is answered in the end. */
export const LONG_MS = 8_000;

/** The arguments for a question. */
export function argvOf(asked: Asked): string[] {
  switch (asked) {
    case "explain":
      return ["explain", "web-0", "-o", "json"];
    case "list":
      return ["list", "-o", "json"];
    case "wait":
      return ["wait", "web-0", "--for=restart", "--timeout=0"];
    case "wait-on":
      return ["wait", "web-0", "--for=restart"];
    case "watch":
      return ["explain", "web-0", "-w", "-o", "json"];
  }
}

const ERROR = /^Error: [^\n]+\n([^\n]+\n)?$/;
const STACK = /\n\s+at |This is a bug/;

function isCleanError({ stdout, stderr, exitCode }: FaultRun, says: RegExp): string[] {
  return [
    ...(exitCode === 1 ? [] : [`exit code ${exitCode}`]),
    ...(stdout === "" ? [] : [`stdout: ${stdout.slice(0, 200)}`]),
    ...(ERROR.test(stderr) && stderr.length < 1_000 ? [] : [`stderr: ${stderr.slice(0, 500)}`]),
    ...(says.test(stderr) ? [] : [`does not say ${says}: ${stderr.slice(0, 300)}`]),
  ];
}

/** One sentence and what to do, exit code 1. */
export function fails(says: RegExp, words: string): Outcome {
  return { words: `error: ${words}`, check: (run) => isCleanError(run, says) };
}

/** The same answer as without the fault. A watch has others after the first, each by a clock of its own. */
export const ANSWERS: Outcome = {
  words: "the right answer",
  check: (run, proper, asked) => {
    const [text, wanted] =
      asked === "watch" ? [essence(run.stdout), essence(proper.stdout)] : [run.stdout, proper.stdout];
    return [
      ...(run.exitCode === proper.exitCode ? [] : [`exit code ${run.exitCode}`]),
      ...(run.stderr === proper.stderr ? [] : [`stderr: ${run.stderr.slice(0, 300)}`]),
      ...(text === wanted && text.length + proper.stderr.length > 0 ? [] : [`stdout: ${text.slice(0, 500)}`]),
    ];
  },
};

/** What does not depend on the moment. */
function essence(lines: string): string {
  const [pod] = jsonOf(lines.split("\n", 1)[0] ?? "")?.pods ?? [];
  return JSON.stringify([pod?.verdict, pod?.gaps, pod?.containers.map(({ restartCount }) => restartCount)]);
}

/** The answer with these gaps instead of what they are about. */
export function answersWithGaps(codes: readonly string[], words: string): Outcome {
  return {
    words: `the answer, with a gap: ${words}`,
    check: (run) => {
      const [pod] = jsonOf(run.stdout)?.pods ?? [];
      const found = pod?.gaps.map(({ code }) => code) ?? [];
      const isRight = pod?.verdict === "crash-looping" && codes.every((code) => found.includes(code));
      return run.exitCode === 0 && run.stderr === "" && isRight
        ? []
        : [`${run.exitCode} ${found} ${run.stderr} ${run.stdout.slice(0, 200)}`];
    },
  };
}

/** A list as far as it could be read, marked as incomplete. */
export function incomplete(says: RegExp, words: string): Outcome {
  return {
    words: `what was read, marked incomplete; error: ${words}`,
    check: (run, proper) => {
      const [found, all] = [jsonOf(run.stdout), jsonOf(proper.stdout)];
      const known = new Set(all?.items?.map((item) => JSON.stringify(item)));
      const isPart = found?.items?.every((item) => known.has(JSON.stringify(item))) ?? false;
      const isShorter = (found?.items?.length ?? 0) < known.size;
      return [
        ...(run.exitCode === 1 ? [] : [`exit code ${run.exitCode}`]),
        ...(found?.incomplete === true && isPart && isShorter ? [] : [`stdout: ${run.stdout.slice(0, 300)}`]),
        ...(/^Error: The list is incomplete\. [^\n]+\n$/.test(run.stderr) && says.test(run.stderr)
          ? []
          : [`stderr: ${run.stderr}`]),
      ];
    },
  };
}

/** Anything else. */
export function comesTo(words: string, check: Outcome["check"]): Outcome {
  return { words, check };
}

/** What no run may do, whatever comes of it. */
export function alwaysWrong(run: FaultRun, { timeoutMs }: FaultCase): readonly string[] {
  const limitMs = (timeoutMs ?? LONG_MS) + SLACK_MS;
  return [
    ...(STACK.test(run.stderr) ? [`a stack: ${run.stderr.slice(0, 600)}`] : []),
    ...(run.tookMs <= limitMs ? [] : [`took ${Math.round(run.tookMs)} ms of ${limitMs}`]),
  ];
}

interface Json {
  readonly at?: string;
  readonly pods?: readonly {
    readonly verdict: string;
    readonly gaps: readonly { readonly code: string }[];
    readonly containers: readonly {
      readonly restartCount: number;
      readonly nextRestart: { readonly notBefore: string } | null;
    }[];
  }[];
  readonly items?: readonly unknown[];
  readonly incomplete?: boolean;
}

/** The JSON that was printed; null if it is none. */
export function jsonOf(text: string): Json | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
