import { Socket } from "node:net";
import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";
import { complete } from "../../src/commands/completion/print-completion.ts";
import { main } from "../../src/main.ts";
import type { Lab } from "./lab.ts";
import type { PlannedRun, RunOutcome } from "./planned-run.ts";
import { allSecrets } from "./thrown.ts";

/** Runs the program within this process, with another environment; nothing is printed. */
export async function runWithin(lab: Lab, run: PlannedRun): Promise<RunOutcome> {
  const [before, now] = [process.env, Date.now];
  const printed = { stdout: "", stderr: "" };
  const hosts: string[] = [];
  const restore = [catchOutput("stdout", printed), catchOutput("stderr", printed), watchConnections(hosts)];
  try {
    process.env = { ...lab.env, ...run.env };
    if (run.breaks !== undefined) Date.now = () => allSecrets();
    return { exitCode: await ranWith(run, printed), ...printed, hosts };
  } finally {
    Date.now = now;
    process.env = before;
    for (const undo of restore) undo();
  }
}

async function ranWith(run: PlannedRun, printed: { stdout: string }): Promise<number> {
  if (run.isCompletion !== true) return main(run.argv);
  printed.stdout = await complete(run.argv, COMMAND_TABLE, { env: process.env, limitMs: 5_000 });
  return 0;
}

function catchOutput(stream: "stdout" | "stderr", printed: { stdout: string; stderr: string }): () => void {
  const { write } = process[stream];
  process[stream].write = (text: string | Uint8Array) => {
    printed[stream] += String(text);
    return true;
  };
  return () => {
    process[stream].write = write;
  };
}

function watchConnections(hosts: string[]): () => void {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const [options] = args.flat() as [{ host?: string; port?: number }];
    hosts.push(`${options.host}:${options.port}`);
    return Reflect.apply(connect, this, args);
  } as typeof connect;
  return () => {
    Socket.prototype.connect = connect;
  };
}
