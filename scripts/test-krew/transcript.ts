import { spawn } from "node:child_process";
import { basename } from "node:path";

/** A command of the transcript ended otherwise than expected. */
export class StepError extends Error {
  override readonly name = "StepError";
}

/** Runs commands in one environment, and prints each with its output. */
export class Transcript {
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  say(sentence: string): void {
    console.log(`\n# ${sentence}`);
  }

  /** Throws a StepError unless the command succeeds and prints `expected`, on stdout or stderr. */
  async run(file: string, args: readonly string[], expected: RegExp): Promise<void> {
    const command = [basename(file), ...args].join(" ");
    console.log(`$ ${command}`);
    const { exitCode, printed } = await this.#spawn(file, args);
    for (const line of printed.trimEnd().split("\n")) console.log(`  ${line}`.trimEnd());
    if (exitCode !== 0) throw new StepError(`${command} ended with ${exitCode}.`);
    if (!expected.test(printed)) throw new StepError(`${command} did not print ${expected}.`);
  }

  #spawn(file: string, args: readonly string[]): Promise<{ exitCode: number | null; printed: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ exitCode: number | null; printed: string }>();
    const child = spawn(file, args, { env: this.#env, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
    child.on("error", reject);
    child.on("close", (exitCode) => resolve({ exitCode, printed }));
    return promise;
  }
}
