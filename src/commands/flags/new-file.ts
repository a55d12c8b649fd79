import { closeSync, existsSync, openSync, rmSync, writeFileSync } from "node:fs";
import { systemCause } from "../../cluster/objects/causes.ts";
import { UserError } from "../../errors.ts";

/** Only the owner may read the file: logs can contain secrets, and the user has not checked a new report yet. */
const MODE = 0o600;

/** Throws a UserError if the file exists or its name is empty. */
export function requireNewFile(flag: string, file: string): void {
  if (file === "") throw new UserError("badFlag", flag, file, "the name of a new file, or - for stdout");
  if (existsSync(file)) throw new UserError("fileExists", flag, file);
}

/** Writes a new file. Throws a UserError that names the flag if the file exists or cannot be written. */
export function writeNewFile(flag: string, file: string, text: string): void {
  let written: number | null = null;
  try {
    written = openSync(file, "wx", MODE);
    writeFileSync(written, text);
  } catch (error) {
    if (written !== null) rmSync(file, { force: true });
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new UserError("fileExists", flag, file);
    throw new UserError("badFile", flag, file, systemCause(error));
  } finally {
    if (written !== null) closeSync(written);
  }
}
