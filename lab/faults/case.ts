import type { FaultKind } from "../api-server/faults.ts";
import type { Protocol } from "../network/http-server.ts";
import type { FaultLab } from "./lab.ts";
import type { Asked, Outcome } from "./outcome.ts";
import type { FaultRun } from "./program.ts";

/** The questions whose first request is for the pod, or for the list of pods. */
export const ALL: readonly Asked[] = ["explain", "list", "wait", "watch"];

/** The protocols of the simulated servers. */
export const PROTOCOLS: readonly Protocol[] = ["h2", "http/1.1"];

export interface FaultCase {
  /** Cases with the same fault are one row of the table. */
  readonly fault: string;
  readonly variant: string;
  readonly asked: readonly Asked[];
  /** By default all of {@link PROTOCOLS}. */
  readonly protocols?: readonly Protocol[];
  /** The --request-timeout. */
  readonly timeoutMs: number;
  /**
   * Prepares servers, kubeconfig and arguments. May return a function ({@link CheckAfter}) that is called after the run.
   */
  readonly arrange: (lab: FaultLab, asked: Asked) => Promise<unknown>;
  readonly outcome: Outcome;
  /** Needs so much of the machine that other runs would be late. */
  readonly isHeavy?: boolean;
  /** Prepares the run without the fault; by default a server that has the pod. */
  readonly proper?: (lab: FaultLab) => Promise<unknown>;
}

export type CheckAfter = () => readonly string[] | Promise<readonly string[]>;

/** How much longer than --request-timeout a run may take on a busy machine. */
export const SLACK_MS = 3_000;

/** For requests that are never answered. */
export const SHORT_MS = 150;
/** For requests that fail again and again until the time limit. */
export const MIDDLE_MS = 3_000;
/** For requests that the server answers in the end. */
export const LONG_MS = 20_000;

export const ARGV_OF: Readonly<Record<Asked, readonly string[]>> = {
  explain: ["explain", "web-0", "-o", "json"],
  list: ["list", "-o", "json"],
  eta: ["eta", "-o", "json"],
  wait: ["wait", "web-0", "--for=restart", "--timeout=0"],
  "wait-on": ["wait", "web-0", "--for=restart"],
  catch: ["catch", "web-0", "-o", "json", "--output-file=-"],
  watch: ["explain", "web-0", "-w", "-o", "json"],
};

/** Answers that no API server gives. */
export const PAGE: FaultKind = { status: 200, headers: { "Content-Type": "text/html" }, body: "<html>\n" };
export const REDIRECT: FaultKind = { status: 302, headers: { Location: "http://127.0.0.1:1/" }, body: "" };

/** A user with a credential plugin that runs this shell script. */
export function pluginOf(script: string): object {
  const [apiVersion, command] = ["client.authentication.k8s.io/v1", "/bin/sh"];
  return { exec: { apiVersion, interactiveMode: "Never", command, args: ["-c", script] } };
}

const STACK = /\n\s+at |This is a bug/;

/** Problems that no run may have. */
export function alwaysWrong(run: FaultRun, { timeoutMs }: FaultCase): readonly string[] {
  const limitMs = timeoutMs + SLACK_MS;
  return [
    ...(STACK.test(run.stderr) ? [`a stack: ${run.stderr.slice(0, 600)}`] : []),
    ...(run.tookMs <= limitMs ? [] : [`took ${Math.round(run.tookMs)} ms of ${limitMs}`]),
  ];
}
