import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { type Case, kubeconfigOf } from "./cases.ts";
import type { Lab } from "./lab.ts";
import type { Recorder, Recording } from "./recorder.ts";

export interface Deed extends Recording {
  readonly pluginRuns: number;
  readonly stderr: string;
}

export interface Program {
  readonly name: "the executable" | "the JavaScript file";
  readonly command: readonly [string, ...string[]];
}

export function programOf(path: string): Program {
  const file = resolve(path);
  const isScript = file.endsWith(".js") || readFileSync(file).subarray(0, 2).toString() === "#!";
  if (isScript) return { name: "the JavaScript file", command: [process.execPath, file] };
  return { name: "the executable", command: [file] };
}

export interface Comparison {
  readonly case: Case;
  readonly kubectl: Deed;
  readonly deeds: ReadonlyMap<Program["name"], Deed>;
}

interface Trial {
  readonly lab: Lab;
  readonly recorder: Recorder;
  readonly kubectl: string;
  readonly programs: readonly Program[];
}

/** Assumed: a run that takes longer than this gets no further. */
const LONGEST_MS = 12_000;

export async function runCase({ lab, recorder, kubectl, programs }: Trial, asked: Case): Promise<Comparison> {
  // kubectl writes renewed tokens into the kubeconfig, so each program gets a new kubeconfig.
  const deedOf = (command: readonly [string, ...string[]], argv: readonly string[]): Promise<Deed> =>
    run(lab, recorder, [...command, ...argv, ...(asked.flags ?? [])], environmentOf(lab, asked));
  const wanted = await deedOf([kubectl], ["get", "pod", "web-0", "-o", "json"]);
  const deeds = new Map<Program["name"], Deed>();
  for (const { name, command } of programs) deeds.set(name, await deedOf(command, ["explain", "web-0", "-o", "name"]));
  return { case: asked, kubectl: wanted, deeds };
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
  [program, ...argv]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<Deed> {
  lab.write("runs", "");
  // kubectl caches the discovery of a server there.
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
