import type { ContainerLog, PodSnapshot } from "../../explain/observed/observation.ts";
import { isFailingInStatus } from "../../explain/triage.ts";
import { endOfLog, isNoLogNotice } from "../pods/observe-logs.ts";

/** A log as `kubectl cluster-info dump` prints it: of the instance that runs, or of the last one if none runs. */
export interface DumpedLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly text: string;
}

/** A log between the objects that `kubectl cluster-info dump` prints (kubectl v0.37.1, pkg/cmd/clusterinfo). */
const DUMPED =
  /^==== START (logs for container (?<container>\S+) of pod (?<namespace>[^\s/]+)\/(?<pod>\S+)) ====\r?\n(?<text>[\s\S]*?)(?:(?<end>==== END \1 ====\r?$)|$(?![\s\S]))/gm;

/** Matches the text that kubectl prints instead of a log that it cannot read. */
const NO_LOG = /^(?:Create log request error|Request log error): /;

/**
 * Takes the logs out of a dump. `rest` keeps their line breaks, so that the lines after them keep their numbers. `logs`
 * lacks a log that is cut off, because the end of a log is what matters.
 */
export function withoutLogs(dump: string): { readonly rest: string; readonly logs: readonly DumpedLog[] } {
  const logs: DumpedLog[] = [];
  if (!dump.includes("==== START logs")) return { rest: dump, logs };
  const rest = dump.replaceAll(DUMPED, (whole, ...groups) => {
    const { container, namespace, pod, text, end } = groups.at(-1) as Readonly<Record<string, string | undefined>>;
    const isLog = end !== undefined && text !== undefined && !NO_LOG.test(text) && !isNoLogNotice(text);
    if (isLog && container !== undefined && namespace !== undefined && pod !== undefined)
      logs.push({ container, namespace, pod, text });
    return whole.replaceAll(/[^\n]+/g, "");
  });
  return { rest, logs };
}

/** Returns the last `tail` lines of the logs of the pod's failing containers. */
export function logsOfPod(
  pod: PodSnapshot,
  logs: readonly DumpedLog[],
  tail: number,
  atMs: number,
): readonly ContainerLog[] {
  const own = tail === 0 ? [] : logs.filter((log) => log.pod === pod.name && log.namespace === pod.namespace);
  if (own.length === 0) return [];
  return pod.statuses.flatMap((status): ContainerLog[] => {
    const log = own.find(({ container }) => container === status.name);
    if (log === undefined || log.text === "" || !isFailingInStatus(status, pod, atMs)) return [];
    const lines = log.text.replace(/\r?\n$/, "").split(/\r?\n/);
    const instance = status.state?.kind === "running" ? "running" : "last-exit";
    return [{ container: status.name, instance, ...endOfLog(lines, 0, tail) }];
  });
}
