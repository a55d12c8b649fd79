import { realpathSync } from "node:fs";

const LOCAL_ZONE = "/etc/localtime";
const ZONE_FILE = /\/zoneinfo(?:\.default)?\/(?:posix\/|right\/)?(?<zone>.+)$/;

/**
 * The C library accepts a path in TZ, such as ":/etc/localtime", but Node can misread a path. Returns undefined if Node
 * needs no TZ.
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

/** Whether the time zone is certainly UTC. Computes no local time, because Node's first local time can be slow. */
export function isUtc(zone: string | undefined, resolve = realpathSync): boolean {
  try {
    const name = zone ?? ZONE_FILE.exec(resolve(LOCAL_ZONE))?.groups?.["zone"];
    return name === "" || /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/.test(name ?? "");
  } catch {
    return false;
  }
}
