import { realpathSync } from "node:fs";

/** Where the C library keeps its zones, on every system that has one. */
const ZONE_FILE = /\/zoneinfo(?:\.default)?\/(?:posix\/|right\/)?(?<zone>.+)$/;

/**
 * What TZ has to be for Node to have the clocks that the C library has for this TZ, which may be a path (":/etc/localtime"):
 * Node would take it for UTC. Undefined: without TZ. `resolve` follows symbolic links.
 */
export function timeZoneFor(written: string | undefined, resolve = realpathSync): string | undefined {
  const path = written?.replace(/^:/, "");
  if (path === undefined || !path.startsWith("/")) return written;
  // Without TZ, Node itself looks there.
  if (path === "/etc/localtime") return undefined;
  try {
    return ZONE_FILE.exec(resolve(path))?.groups?.["zone"] ?? written;
  } catch {
    return written;
  }
}

/** Has Node take TZ as the C library does; before the first look at a clock. */
export function useTimeZone(env: NodeJS.ProcessEnv): void {
  const zone = timeZoneFor(env["TZ"]);
  if (zone === undefined) delete env["TZ"];
  else if (zone !== env["TZ"]) env["TZ"] = zone;
}
