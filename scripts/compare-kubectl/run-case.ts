import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { type Case, kubeconfigOf } from "./cases.ts";
import type { Lab } from "./lab.ts";
import type { Recorder, Recording } from "./recorder.ts";

/** What a program did with a case: what it sent, and how often it ran the credential plugin. */
export interface Deed extends Recording {
  readonly pluginRuns: number;
  /** What it said to stderr, for whoever looks into a difference. */
  readonly stderr: string;
}

/** What both did. */
export interface Comparison {
  readonly case: Case;
  readonly kubectl: Deed;
  readonly backoff: Deed;
}

const OWN_PROGRAM = fileURLToPath(new URL("../../bin/run.js", import.meta.url));
/** kubectl tries discovery several times; past this it has not got there. */
const LONGEST_MS = 12_000;

/** Runs both programs with the case, one after the other. */
export async function runCase(lab: Lab, recorder: Recorder, kubectl: string, asked: Case): Promise<Comparison> {
  // Each of them a kubeconfig of its own: kubectl writes tokens that are renewed into it.
  const env = () => environmentOf(lab, asked);
  const own = [OWN_PROGRAM, "explain", "web-0", "-o", "name", ...asked.flags];
  return {
    case: asked,
    kubectl: await run(lab, recorder, kubectl, ["get", "pod", "web-0", "-o", "json", ...asked.flags], env()),
    backoff: await run(lab, recorder, process.execPath, own, env()),
  };
}

function environmentOf(lab: Lab, asked: Case): NodeJS.ProcessEnv {
  const documents = asked.kubeconfigs ?? [kubeconfigOf(lab, asked)];
  const files = documents.map((document, index) =>
    typeof document === "string" && document !== "" ? document : lab.write(`config-${index}`, document),
  );
  const { PATH } = process.env;
  const config = files.length === 0 ? {} : { KUBECONFIG: files.join(delimiter) };
  return { PATH, HOME: lab.file("home"), RUNS: lab.file("runs"), ...config, ...asked.env };
}

async function run(
  lab: Lab,
  recorder: Recorder,
  program: string,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Deed> {
  lab.write("runs", "");
  // What kubectl has found out of a server, it does not ask again.
  rmSync(lab.file("home/.kube"), { recursive: true, force: true });
  recorder.take();
  const child = spawn(program, argv, { env, cwd: lab.file("home"), stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const limit = setTimeout(() => child.kill(), LONGEST_MS);
  await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(limit);
  const pluginRuns = readFileSync(lab.file("runs"), "utf8").length;
  return { ...recorder.take(), pluginRuns, stderr };
}
