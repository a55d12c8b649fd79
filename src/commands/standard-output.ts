import { printable, UserError } from "../errors.ts";

const listening = { toOutput: false, toErrors: false };

/**
 * Where results go. Whoever stops reading it has seen enough, which is no error; if it cannot be written (a full disk), that
 * is said, and the exit code is 1 whatever the command says.
 */
export function standardOutput(): NodeJS.WriteStream {
  if (!listening.toOutput) process.stdout.on("error", failed);
  listening.toOutput = true;
  return process.stdout;
}

/** Says something that is not the result. If it cannot be said, that cannot be said either. */
export function say(text: string): void {
  if (!listening.toErrors) process.stderr.on("error", () => {});
  listening.toErrors = true;
  // Names and messages of a cluster are in it.
  process.stderr.write(`${text.split("\n").map(printable).join("\n")}\n`);
}

let isToldOf = false;

async function failed(error: NodeJS.ErrnoException): Promise<void> {
  if (error.code === "EPIPE" || isToldOf) return;
  isToldOf = true;
  process.once("exit", () => {
    process.exitCode = 1;
  });
  const { systemCause } = await import("../cluster/input-bytes.ts");
  say(`Error: ${new UserError("cannotPrint", systemCause(error)).text}`);
}
