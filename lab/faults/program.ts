import { AsyncLocalStorage } from "node:async_hooks";
import { main } from "../../src/main.ts";
import { type Run, runFile } from "../../test/support/command.ts";

export interface FaultRun extends Run {
  readonly tookMs: number;
}

export type Runner = (argv: readonly string[]) => Promise<FaultRun>;

interface Printed {
  stdout: string;
  stderr: string;
}

const running = new AsyncLocalStorage<Printed>();

/** Separates the outputs of `runSeparately` calls that overlap. Returns a function that restores stdout and stderr. */
export function separateOutputs(): () => void {
  const undo = (["stdout", "stderr"] as const).map((name) => {
    const stream = process[name];
    const { write } = stream;
    const terminal = Object.getOwnPropertyDescriptor(stream, "isTTY");
    stream.write = ((text: string | Uint8Array, ...rest: never[]): boolean => {
      const printed = running.getStore();
      if (printed === undefined) return write.call(stream, text, ...rest);
      printed[name] += String(text);
      const onWritten: unknown = rest.at(-1);
      if (typeof onWritten === "function") onWritten();
      return true;
    }) as typeof write;
    Object.defineProperty(stream, "isTTY", { value: false, configurable: true, writable: true });
    return () => {
      stream.write = write;
      if (terminal !== undefined) Object.defineProperty(stream, "isTTY", terminal);
      else Reflect.deleteProperty(stream, "isTTY");
    };
  });
  // Runs that overlap add listeners to both, and Node.js would warn of so many.
  process.setMaxListeners(0);
  process.stdout.setMaxListeners(0);
  return () => {
    for (const one of undo) one();
  };
}

export function runSeparately(argv: readonly string[]): Promise<FaultRun> {
  const printed: Printed = { stdout: "", stderr: "" };
  return running.run(printed, () => timed(async () => ({ exitCode: await main(argv), ...printed })));
}

export function asProcess([command, ...args]: readonly [string, ...string[]]): Runner {
  return (argv) => timed(() => runFile(command, [...args, ...argv]));
}

export async function timed(run: () => Promise<Run>): Promise<FaultRun> {
  const beganAtMs = performance.now();
  return { ...(await run()), tookMs: performance.now() - beganAtMs };
}
