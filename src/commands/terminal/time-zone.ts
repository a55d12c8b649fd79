import { realpathSync } from "node:fs";

const LOCAL_ZONE = "/etc/localtime";
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
  if (path === LOCAL_ZONE) return undefined;
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

/** Whether the process's clocks are surely those of UTC: the link or TZ says so in a moment, a first local time takes 5 ms. */
export function isUtc(zone: string | undefined, resolve = realpathSync): boolean {
  try {
    const name = zone ?? ZONE_FILE.exec(resolve(LOCAL_ZONE))?.groups?.["zone"];
    return name === "" || /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/.test(name ?? "");
  } catch {
    return false;
  }
}
