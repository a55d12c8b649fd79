import type { ContainerLog, PodSnapshot } from "../../explain/observed/observation.ts";
import { isFailingInStatus } from "../../explain/triage.ts";
import { endOfLog, isNoLogNotice } from "../pods/observe-logs.ts";

/** The log of the running instance, or of the last instance if no instance runs. */
export interface DumpedLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly text: string;
}

/** As `kubectl cluster-info dump` writes a log (kubectl v0.37.1, pkg/cmd/clusterinfo/clusterinfo_dump.go). */
const DUMPED =
  /^==== START (logs for container (?<container>\S+) of pod (?<namespace>[^\s/]+)\/(?<pod>\S+)) ====\r?\n(?<text>[\s\S]*?)(?:(?<end>==== END \1 ====\r?$)|$(?![\s\S]))/gm;

const KUBECTL_LOG_ERROR = /^(?:Create log request error|Request log error): /;

/**
 * `rest` keeps the line breaks of the logs, so that line numbers in error messages fit `dump`. `logs` has no log whose
 * end is missing, because the last lines of a log matter most.
 */
export function withoutLogs(dump: string): { readonly rest: string; readonly logs: readonly DumpedLog[] } {
  const logs: DumpedLog[] = [];
  if (!dump.includes("==== START logs")) return { rest: dump, logs };
  const rest = dump.replaceAll(DUMPED, (whole, ...groups) => {
    const { end, ...log } = groups.at(-1) as DumpedLog & { readonly end: string | undefined };
    if (end !== undefined && !KUBECTL_LOG_ERROR.test(log.text) && !isNoLogNotice(log.text)) logs.push(log);
    return whole.replaceAll(/[^\n]+/g, "");
  });
  return { rest, logs };
}

export function logsOfPod(
  pod: PodSnapshot,
  logs: readonly DumpedLog[],
  tail: number,
  atMs: number,
): readonly ContainerLog[] {
  if (tail === 0) return [];
  const failing = pod.statuses.filter((status) => isFailingInStatus(status, pod, atMs));
  return failing.flatMap((status): ContainerLog[] => {
    const log = logs.find(
      (one) => one.container === status.name && one.pod === pod.name && one.namespace === pod.namespace,
    );
    if (log === undefined || log.text === "") return [];
    const lines = log.text.replace(/\r?\n$/, "").split(/\r?\n/);
    const instance = status.state?.kind === "running" ? "running" : "last-exit";
    return [{ container: status.name, instance, ...endOfLog(lines, 0, tail) }];
  });
}
