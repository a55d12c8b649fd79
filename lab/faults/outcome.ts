import type { FaultRun } from "./program.ts";

export type Asked = "explain" | "list" | "eta" | "wait" | "wait-on" | "watch" | "catch";

export interface Outcome {
  readonly words: string;
  check(run: FaultRun, proper: FaultRun, asked: Asked): readonly string[];
}

const ERROR = /^Error: [^\n]+\n([^\n]+\n)?$/;

function isCleanError({ stdout, stderr, exitCode }: FaultRun, says: RegExp): string[] {
  return [
    ...(exitCode === 1 ? [] : [`exit code ${exitCode}`]),
    ...(stdout === "" ? [] : [`stdout: ${stdout.slice(0, 200)}`]),
    ...(ERROR.test(stderr) && stderr.length < 1_000 ? [] : [`stderr: ${stderr.slice(0, 500)}`]),
    ...(says.test(stderr) ? [] : [`does not say ${says}: ${stderr.slice(0, 300)}`]),
  ];
}

export function fails(says: RegExp, words: string): Outcome {
  return { words: `error: ${words}`, check: (run) => isCleanError(run, says) };
}

/** Of a watch, compares only parts of the first answer. */
export const ANSWERS: Outcome = {
  words: "the right answer",
  check: (run, proper, asked) => {
    const [text, wanted] =
      asked === "watch"
        ? [essence(run.stdout), essence(proper.stdout)]
        : [withoutKubeconfig(run.stdout), withoutKubeconfig(proper.stdout)];
    return [
      ...(run.exitCode === proper.exitCode ? [] : [`exit code ${run.exitCode}`]),
      ...(run.stderr === proper.stderr ? [] : [`stderr: ${run.stderr.slice(0, 300)}`]),
      ...(text === wanted && text.length + proper.stderr.length > 0 ? [] : [`stdout: ${text.slice(0, 500)}`]),
    ];
  },
};

/** Each run has a kubeconfig of its own, which the suggested commands in the output can name. */
function withoutKubeconfig(text: string): string {
  return text.replaceAll(/--kubeconfig=[^\s"]+/g, "--kubeconfig=FILE");
}

function essence(lines: string): string {
  const [pod] = jsonOf(lines.split("\n", 1)[0] ?? "")?.pods ?? [];
  return JSON.stringify([pod?.verdict, pod?.gaps, pod?.containers.map(({ restartCount }) => restartCount)]);
}

export function answersWithGaps(codes: readonly string[]): Outcome {
  return {
    words: "the answer, with a gap: what was not seen, and why",
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

export function incomplete(says: RegExp): Outcome {
  return {
    words: "what was read, marked incomplete; error: what broke it off",
    check: (run, proper) => {
      const [found, all] = [jsonOf(run.stdout), jsonOf(proper.stdout)];
      const known = new Set(rowsOf(all)?.map((item) => JSON.stringify(item)));
      const isPart = rowsOf(found)?.every((item) => known.has(JSON.stringify(item))) ?? false;
      const isShorter = (rowsOf(found)?.length ?? 0) < known.size;
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
  readonly containers?: readonly unknown[];
  readonly incomplete?: boolean;
}

function rowsOf(json: Json | null): readonly unknown[] | undefined {
  return json?.items ?? json?.containers;
}

export function jsonOf(text: string): Json | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
