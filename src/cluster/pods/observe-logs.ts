import { lastExitLog } from "../../explain/observed/lookups.ts";
import type {
  ContainerLog,
  ContainerStatus,
  LogLines,
  LogMissing,
  PodSnapshot,
} from "../../explain/observed/observation.ts";
import { isFailingInStatus, keepsPodFromReady } from "../../explain/triage.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure, whyMissing } from "../connection/request-failure.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";

export interface LogsRequest {
  /** The number of lines to show, from the end; {@link ALL_LINES} for all. */
  readonly tail: number;
  /** Whether the user has asked for logs. If not, the request has a short time limit. */
  readonly isAsked: boolean;
  /**
   * The only container whose log to read. If not `isAsked`, the program reads it only if the container keeps the pod
   * from Ready. If absent, the program reads the logs of all containers that keep the pod from Ready.
   */
  readonly container?: string | undefined;
  /** Whether to read only logs of last exits, also of a container that is running again. */
  readonly isPrevious: boolean;
}

/** The value of `kubectl logs --tail` for all lines. */
export const ALL_LINES = -1;

export const MOST_LOG_BYTES = 2 ** 18;

/** The minimum number of lines to read, because the line about the failure may be above a stack trace. */
const LEAST_LINES = 50;

/** The number of lines that the program requests if the whole log exceeds {@link MOST_LOG_BYTES}. */
const MANY_LINES = 4096;

/** The time limit for logs that the user has not asked for. The API server waits longer for an unresponsive kubelet. */
const UNASKED_TIMEOUT_MS = 3_000;

/**
 * Reads one log of each container that `request` selects: of its last exit, or of its running instance. If a request
 * fails, does not throw; `text` then has the cause.
 */
export async function observeLogs(
  connection: Connection,
  pod: PodSnapshot,
  request: LogsRequest,
  atMs: number,
): Promise<ContainerLog[]> {
  const logs = pod.statuses.map(async (status): Promise<ContainerLog[]> => {
    const wanted = wantedInstance(status, pod, request, atMs);
    if (wanted === null) return [];
    const { namespace, name } = pod;
    const instance = { namespace, pod: name, container: status.name, isPrevious: wanted.isPrevious };
    const text = await readLog(connection, instance, request);
    return [{ container: status.name, instance: wanted.instance, text, ...shownLines(request.tail) }];
  });
  return (await Promise.all(logs)).flat();
}

interface LogInstance {
  readonly namespace: string;
  readonly pod: string;
  /** The container's name; null for a pod with one container, for which the API server needs no name. */
  readonly container: string | null;
  readonly isPrevious: boolean;
}

/**
 * Reads the last lines of a log: `tail`, but at least `LEAST_LINES`. If they exceed `MOST_LOG_BYTES`, requests fewer
 * lines. If a request fails, does not throw; `why` and `message` then have the cause.
 */
export async function readLog(
  connection: Connection,
  { namespace, pod, container, isPrevious }: LogInstance,
  { tail, isAsked }: Pick<LogsRequest, "tail" | "isAsked">,
): Promise<LogLines | LogMissing> {
  const options = { ...(!isAsked && { timeoutMs: UNASKED_TIMEOUT_MS }), parse: (log: string) => log };
  const instance = { ...(container !== null && { container }), ...(isPrevious && { previous: "true" }) };
  try {
    for (let count = linesToRead(tail); ; count = Number.isFinite(count) ? Math.ceil(count / 4) : MANY_LINES) {
      const lines = Number.isFinite(count) && { tailLines: `${count}` };
      const query = { ...instance, limitBytes: `${MOST_LOG_BYTES}`, ...lines };
      const text = String((await connection.get(logPath(namespace, pod), { ...options, query })).body);
      if (isNoLogNotice(text)) return { why: "not-found", message: text.trim() };
      const isFull = Buffer.byteLength(text) >= MOST_LOG_BYTES;
      if (!isFull || count === 1)
        return {
          lines: lastLines(text, count),
          isTruncated: isFull || count < tail || (tail === ALL_LINES && Number.isFinite(count)),
        };
    }
  } catch (error) {
    // A kubelet without such an instance answers 400.
    const isNotFound = error instanceof RequestFailure && error.status === 400;
    return { why: isNotFound ? "not-found" : whyMissing(error), message: (error as Error).message };
  }
}

function linesToRead(tail: number): number {
  return tail === ALL_LINES ? Number.POSITIVE_INFINITY : Math.max(tail, LEAST_LINES);
}

/** Returns the last lines of a log. `lines` are its known lines; the `leftOut` lines before them are unknown. */
export function endOfLog(
  lines: readonly string[],
  leftOut: number,
  tail: number,
): Omit<ContainerLog, "container" | "instance"> {
  const most = linesToRead(tail);
  return { text: { lines: lines.slice(-most), isTruncated: lines.length <= most && leftOut > 0 }, ...shownLines(tail) };
}

function shownLines(tail: number): Pick<ContainerLog, "shownLines"> {
  return tail === ALL_LINES ? {} : { shownLines: tail };
}

export function logPath(namespace: string, pod: string): string {
  return `${collectionPath("Pod", namespace)}/${inPath(pod)}/log`;
}

function wantedInstance(
  status: ContainerStatus,
  pod: PodSnapshot,
  { isAsked, container, isPrevious }: LogsRequest,
  atMs: number,
): { instance: ContainerLog["instance"]; isPrevious: boolean } | null {
  const failing = isFailingInStatus(status, pod, atMs);
  const isTelling = keepsPodFromReady(status, pod, atMs);
  const isNamed = status.name === container;
  if (container === undefined ? !isTelling : !(isNamed && (isTelling || isAsked))) return null;
  const lastExit = lastExitLog(status);
  if (lastExit === "current") return { instance: "last-exit", isPrevious: false };
  if (lastExit === "previous" && (failing || isPrevious)) return { instance: "last-exit", isPrevious: true };
  return status.state?.kind === "running" && !isPrevious ? { instance: "running", isPrevious: false } : null;
}

/**
 * Whether the text is not a log, but the kubelet's notice (status 200) that it has no log (`GetContainerLogs`,
 * kubernetes v1.37.1, pkg/kubelet/kuberuntime/kuberuntime_container.go).
 */
export function isNoLogNotice(text: string): boolean {
  return /^unable to retrieve container logs for \S+\s*$/.test(text);
}

/** Applies the limits of the request again, because an API server may ignore them. */
function lastLines(text: string, count: number): string[] {
  const lines = text.split("\n");
  const whole = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  return whole.slice(-count).map((line) => line.slice(0, MOST_LOG_BYTES));
}
