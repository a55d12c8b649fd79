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
import { objectPath } from "../objects/workload-kinds.ts";

export interface LogsRequest {
  /** The number of lines to show; {@link ALL_LINES} for all. */
  readonly tail: number;
  readonly isAsked: boolean;
  /** If absent, {@link keepsPodFromReady} selects the containers. */
  readonly container?: string | undefined;
  /** Whether to read only logs of instances that have exited. */
  readonly isPrevious: boolean;
}

/** The value of `kubectl logs --tail` for all lines. */
export const ALL_LINES = -1;

export const MOST_LOG_BYTES = 2 ** 18;

/** The line that says what failed may be above a long stack trace. */
const LEAST_LINES = 50;

/** The number of lines to request next if the whole log does not fit into {@link MOST_LOG_BYTES}. */
const MANY_LINES = 4096;

/** Limits the wait for a kubelet that does not answer the API server. */
const UNASKED_TIMEOUT_MS = 3_000;

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

export interface LogInstance {
  readonly namespace: string;
  readonly pod: string;
  /** Can be null if the pod has one app container, because the API server then needs no name. */
  readonly container: string | null;
  readonly isPrevious: boolean;
}

/**
 * The API server's `limitBytes` cuts off the end of a log, so the program requests fewer and fewer lines, until they
 * fit or only one is left.
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
    // The kubelet answers 400, e.g. if the container has no previous instance.
    const isNotFound = error instanceof RequestFailure && error.status === 400;
    return { why: isNotFound ? "not-found" : whyMissing(error), message: (error as Error).message };
  }
}

function linesToRead(tail: number): number {
  return tail === ALL_LINES ? Number.POSITIVE_INFINITY : Math.max(tail, LEAST_LINES);
}

/** `leftOut` is the number of the log's lines before `lines`. */
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
  return `${objectPath("Pod", namespace, pod)}/log`;
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
 * In place of a log, the kubelet can send an error with the status 200: the error of `GetContainerLogs` (v1.37.1,
 * pkg/kubelet/kuberuntime/kuberuntime_container.go) or of `ReadLogs` (k8s.io/cri-client v0.37.1, pkg/logs/logs.go).
 */
export function isNoLogNotice(text: string): boolean {
  return NO_LOG.test(text);
}

const NO_LOG =
  /^(?:unable to retrieve container logs for \S+|failed to (?:try resolving symlinks in path|open log file) "[^"\n]*": [^\n]*)\s*$/;

/** Cuts the text again, because a server can ignore the limits of the request. */
function lastLines(text: string, count: number): string[] {
  const lines = text.split("\n");
  const whole = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  return whole.slice(-count).map((line) => line.slice(0, MOST_LOG_BYTES));
}
