import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { systemCause } from "../../cluster/objects/causes.ts";
import { UserError } from "../../errors.ts";
import { requireNewFile, writeNewFile } from "../flags/new-file.ts";

const FLAG = "output-file";

/** Throws where the recording could not be written, before the command waits for it. */
export function requireCatchFile(asked: string | undefined): void {
  if (asked !== undefined) requireNewFile(FLAG, asked);
  const folder = dirname(asked ?? ".");
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new UserError("badFile", FLAG, asked ?? folder, systemCause(error));
  }
}

/** Writes to a file that is not there yet, and gives its name: catch-web-0.html, catch-web-0.2.html …, or the one that is asked for. */
export function writeCatch(asked: string | undefined, pod: string, form: "html" | "json", text: string): string {
  // The name of a pod is from a server; and if somebody has taken the name meanwhile, what was caught is not to be lost.
  const stem = asked ?? `catch-${pod.replaceAll(/[^\w.-]/g, "_")}`;
  for (let number = 1; ; number++) {
    const name = asked !== undefined && number === 1 ? asked : `${stem}${number === 1 ? "" : `.${number}`}.${form}`;
    try {
      writeNewFile(FLAG, name, text);
      return name;
    } catch (error) {
      if (!(error instanceof UserError) || error.code !== "fileExists") throw error;
    }
  }
}
