import { realpathSync } from "node:fs";

const LOCAL_ZONE = "/etc/localtime";
const ZONE_FILE = /\/zoneinfo(?:\.default)?\/(?:posix\/|right\/)?(?<zone>.+)$/;

/**
 * Returns the TZ that makes Node use the time zone that the C library uses with `written`; undefined if Node does that
 * without TZ. The C library accepts a path, e.g. ":/etc/localtime", which Node would read as UTC. `resolve` follows
 * links.
 */
export function timeZoneFor(written: string | undefined, resolve = realpathSync): string | undefined {
  const path = written?.replace(/^:/, "");
  if (path === undefined || !path.startsWith("/")) return written;
  // Without TZ, Node reads this file.
  if (path === LOCAL_ZONE) return undefined;
  try {
    return ZONE_FILE.exec(resolve(path))?.groups?.["zone"] ?? written;
  } catch {
    return written;
  }
}

export function useTimeZone(env: NodeJS.ProcessEnv): void {
  const zone = timeZoneFor(env["TZ"]);
  if (zone === undefined) delete env["TZ"];
  else if (zone !== env["TZ"]) env["TZ"] = zone;
}

/** Whether the time zone is certainly UTC. Reading TZ or the link is fast; Node's first local time takes 5 ms. */
export function isUtc(zone: string | undefined, resolve = realpathSync): boolean {
  try {
    const name = zone ?? ZONE_FILE.exec(resolve(LOCAL_ZONE))?.groups?.["zone"];
    return name === "" || /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/.test(name ?? "");
  } catch {
    return false;
  }
}
