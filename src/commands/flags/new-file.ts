import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { systemCause } from "../../cluster/objects/error-text.ts";
import { UserError } from "../../errors.ts";

/** Logs can contain secrets, and the user has not yet checked a new report for secrets. */
const MODE_FOR_OWNER_ONLY = 0o600;

/** The file must not exist yet, unless it is a pipe or a character device, such as /dev/null. */
export function requireNewFile(flag: string, file: string): void {
  if (file === "") throw new UserError("badFlag", flag, file, "the name of a new file, or - for stdout");
  if (existsSync(file) && !isStream(file)) throw new UserError("fileExists", flag, file);
}

function isStream(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && (stat.isCharacterDevice() || stat.isFIFO());
}

export function writeNewFile(flag: string, file: string, text: string): void {
  let written: number | null = null;
  const isExisting = isStream(file);
  try {
    written = openSync(file, isExisting ? "w" : "wx", MODE_FOR_OWNER_ONLY);
    writeFileSync(written, text);
  } catch (error) {
    if (written !== null && !isExisting) rmSync(file, { force: true });
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new UserError("fileExists", flag, file);
    throw new UserError("badFile", flag, file, systemCause(error));
  } finally {
    if (written !== null) closeSync(written);
  }
}
