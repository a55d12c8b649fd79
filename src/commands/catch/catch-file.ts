import { accessSync, constants, existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemCause } from "../../cluster/objects/causes.ts";
import { UserError } from "../../errors.ts";

/** Only its owner may read it: logs and pods can hold secrets. */
const MODE = 0o600;

/** A file for what is caught: a new one, which nothing is lost by. */
export class CatchFile {
  /** Null: a name is chosen. */
  readonly #asked: string | null;
  readonly #stem: string;
  readonly #ending: string;

  /** A UserError where it cannot be written, before anybody waits for it. */
  constructor(asked: string | undefined, pod: string, ending: "html" | "json") {
    this.#asked = asked ?? null;
    // The name of a pod is from a server.
    this.#stem = `catch-${pod.replaceAll(/[^\w.-]/g, "_")}`;
    this.#ending = ending;
    if (asked === "") throw new UserError("badFlag", "output-file", asked, "the name of a new file, or - for stdout");
    if (asked !== undefined && existsSync(asked)) throw new UserError("catchExists", asked);
    const folder = dirname(this.name);
    try {
      accessSync(folder, constants.W_OK);
    } catch (error) {
      throw new UserError("badCatchFile", this.name, systemCause(error));
    }
  }

  /** What is asked for; else the first of catch-POD.html, catch-POD.2.html … that is not there yet. */
  get name(): string {
    if (this.#asked !== null) return this.#asked;
    for (let number = 1; ; number++) {
      const name = `${this.#stem}${number === 1 ? "" : `.${number}`}.${this.#ending}`;
      if (!existsSync(name)) return name;
    }
  }

  /** Gives the name of the file; another one where somebody else has taken the name that was asked for meanwhile. */
  write(text: string): string {
    const names = [this.name, ...(this.#asked === null ? [] : [`${this.#asked}.new`])];
    for (const name of names) {
      try {
        writeFileSync(name, text, { flag: "wx", mode: MODE });
        return name;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST")
          throw new UserError("badCatchFile", name, systemCause(error));
      }
    }
    throw new UserError("catchExists", this.name);
  }
}
