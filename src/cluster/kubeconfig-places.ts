import { existsSync } from "node:fs";
import path, { type PlatformPath } from "node:path";
import { textOf } from "./untrusted.ts";

/** What a system has of its own: given, where another than this one is meant. */
export interface System {
  readonly isWindows: boolean;
  readonly path: PlatformPath;
  readonly exists: (file: string) => boolean;
}

/** The system that the program runs on. */
const THIS_SYSTEM: System = { isWindows: path.sep === "\\", path, exists: existsSync };

/**
 * Where kubeconfigs are, the first before the others: `--kubeconfig` alone, else the list of KUBECONFIG (with ; between on
 * Windows), else .kube/config of the home.
 */
export function kubeconfigPlaces(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  system = THIS_SYSTEM,
): readonly string[] {
  if (flag !== undefined) return [flag];
  const listed = textOf(env["KUBECONFIG"]);
  if (listed !== null) return listed.split(system.path.delimiter).filter((file) => file !== "");
  const places = homesIn(env, system).map((home) => system.path.join(home, ".kube", "config"));
  return [...places.filter(system.exists), ...places].slice(0, 1);
}

/** Mirrors `HomeDir` (client-go v0.37.1, util/homedir/homedir.go): on Windows whichever of three has the file. */
function homesIn(env: Readonly<Record<string, string | undefined>>, { isWindows }: System): readonly string[] {
  const own = textOf(env["HOME"]);
  if (!isWindows) return own === null ? [] : [own];
  const [drive, folder] = [textOf(env["HOMEDRIVE"]), textOf(env["HOMEPATH"])];
  const homes = [own, drive !== null && folder !== null ? drive + folder : null, textOf(env["USERPROFILE"])];
  return homes.filter((home) => home !== null);
}
