import { accessSync, constants, existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemCause } from "../../cluster/objects/causes.ts";
import { UserError } from "../../errors.ts";

/** Only its owner may read it: a log can hold secrets. */
const MODE = 0o600;

/** A UserError where that file cannot be written, before anybody waits for it. */
export function requireCatchFile(asked: string | undefined): void {
  if (asked === "") throw new UserError("badFlag", "output-file", asked, "the name of a new file, or - for stdout");
  if (asked !== undefined && existsSync(asked)) throw new UserError("fileExists", "output-file", asked);
  const folder = dirname(asked ?? ".");
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UserError("badFile", "output-file", asked ?? folder, systemCause(error));
  }
}

/** Writes to a file that is not there yet, and gives its name: catch-web-0.html, catch-web-0.2.html …, or the one that is asked for. */
export function writeCatch(asked: string | undefined, pod: string, form: "html" | "json", text: string): string {
  // The name of a pod is from a server; and if somebody has taken the name meanwhile, what was caught is not to be lost.
  const stem = asked ?? `catch-${pod.replaceAll(/[^\w.-]/g, "_")}`;
  for (let number = 1; ; number++) {
    const name = asked !== undefined && number === 1 ? asked : `${stem}${number === 1 ? "" : `.${number}`}.${form}`;
    try {
      writeFileSync(name, text, { flag: "wx", mode: MODE });
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        throw new UserError("badFile", "output-file", name, systemCause(error));
    }
  }
}
