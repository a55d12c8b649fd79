import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";

export class StepError extends Error {
  override readonly name = "StepError";
}

export class Transcript {
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  say(sentence: string): void {
    console.log(`\n# ${sentence}`);
  }

  async run(file: string, args: readonly string[], expected: RegExp): Promise<void> {
    const command = [basename(file), ...args].join(" ");
    console.log(`$ ${command}`);
    const running = promisify(execFile)(file, args, { env: this.#env });
    running.child.stdin?.end();
    const ended = await running.catch((error) => error);
    // A text such as "ENOENT": the command did not start.
    if (typeof ended.code === "string") throw ended;
    const printed = ended.stdout + ended.stderr;
    for (const line of printed.trimEnd().split("\n")) console.log(`  ${line}`.trimEnd());
    if ("code" in ended) throw new StepError(`${command} ended with ${ended.code}.`);
    if (!expected.test(printed)) throw new StepError(`${command} did not print ${expected}.`);
  }
}
