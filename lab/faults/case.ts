import type { FaultKind } from "../api-server/faults.ts";
import type { Protocol } from "../network/http-server.ts";
import type { FaultLab } from "./lab.ts";
import type { Asked, Outcome } from "./outcome.ts";
import type { FaultRun } from "./program.ts";

export const MAIN_COMMANDS: readonly Asked[] = ["explain", "list", "wait", "watch"];

export const PROTOCOLS: readonly Protocol[] = ["h2", "http/1.1"];

export interface FaultCase {
  /** Cases with the same fault are one row of the table in docs/reliability.md. */
  readonly fault: string;
  readonly variant: string;
  readonly asked: readonly Asked[];
  readonly protocols?: readonly Protocol[];
  readonly timeoutMs: number;
  /** May return a {@link CheckAfter}, which is called after the run. */
  readonly arrange: Arrange;
  readonly outcome: Outcome;
  /** The run loads the machine, so fewer such runs happen at the same time. */
  readonly isHeavy?: boolean;
  /** Prepares the run without the fault; by default, a server that has the pod. */
  readonly proper?: Arrange;
}

export type Arrange = (lab: FaultLab) => Promise<unknown>;

export type CheckAfter = () => readonly string[] | Promise<readonly string[]>;

/** A run may end this much later than --request-timeout, because the machine may be busy. */
export const SLACK_MS = 3_000;

export const SHORT_MS = 150;
export const MIDDLE_MS = 3_000;
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

export const PAGE: FaultKind = { status: 200, headers: { "Content-Type": "text/html" }, body: "<html>\n" };
export const REDIRECT: FaultKind = { status: 302, headers: { Location: "http://127.0.0.1:1/" }, body: "" };

export function pluginOf(script: string): object {
  const [apiVersion, command] = ["client.authentication.k8s.io/v1", "/bin/sh"];
  return { exec: { apiVersion, interactiveMode: "Never", command, args: ["-c", script] } };
}

const STACK = /\n\s+at |This is a bug/;

export function alwaysWrong(run: FaultRun, { timeoutMs }: FaultCase): readonly string[] {
  const limitMs = timeoutMs + SLACK_MS;
  return [
    ...(STACK.test(run.stderr) ? [`a stack: ${run.stderr.slice(0, 600)}`] : []),
    ...(run.tookMs <= limitMs ? [] : [`took ${Math.round(run.tookMs)} ms of ${limitMs}`]),
  ];
}
