import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../test/support/command.ts";
import { commandFor } from "../../test/support/command-for.ts";
import type { Lab } from "./lab.ts";
import type { PlannedRun, RunOutcome } from "./planned-run.ts";

/** `completion` is the same program under the name that kubectl runs to complete command lines. */
export interface Programs {
  readonly main: string;
  readonly completion: string;
}

const BREAKER = new URL("./thrown.ts", import.meta.url).href;
const WATCHER = new URL("./watch-connections.ts", import.meta.url).href;
/** `in the command`: the command throws when it reads the clock. `on the side`: a timer throws. */
const BREAKS = {
  "in the command": "Date.now = () => allSecrets();",
  "on the side": "setTimeout(allSecrets, 1); process.nextTick(() => setTimeout(() => {}, 5_000));",
} as const;

/** An executable takes no flags of Node.js, so `hosts` stays empty and `breaks` has no effect. */
export async function runAsProcess(
  lab: Lab,
  programs: Programs,
  run: PlannedRun,
  cwd = lab.folder,
): Promise<RunOutcome> {
  const log = join(lab.folder, "connections");
  const imports = [watcher(log), ...(run.breaks === undefined ? [] : [breaker(run.breaks)])];
  const flags = imports.flatMap((code) => ["--import", `data:text/javascript,${encodeURIComponent(code)}`]);
  const command = commandFor(run.isCompletion === true ? programs.completion : programs.main, flags);
  return { ...(await ended([...command, ...run.argv], cwd, { ...lab.env, ...run.env })), hosts: linesOf(log) };
}

/** `env` is the whole environment of the command. If a signal ends the command, the exit code is -1. */
export async function ended(command: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Run> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const printed = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      printed[stream] += text;
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { exitCode: code ?? -1, ...printed };
}

function breaker(how: keyof typeof BREAKS): string {
  return `import { allSecrets } from ${JSON.stringify(BREAKER)}; ${BREAKS[how]}`;
}

function watcher(log: string): string {
  return `
    import { appendFileSync } from "node:fs";
    import { watchConnections } from ${JSON.stringify(WATCHER)};
    const hosts = [];
    watchConnections(hosts);
    process.on("exit", () => appendFileSync(${JSON.stringify(log)}, hosts.map((host) => host + "\\n").join("")));`;
}

function linesOf(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  rmSync(file);
  return lines;
}
