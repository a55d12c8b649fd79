import type {
  ContainerLog,
  ContainerStatus,
  LogLines,
  LogMissing,
  PodSnapshot,
} from "../../explain/observed/observation.ts";
import { politely } from "../api/request-places.ts";
import type { Connection, GetOptions } from "../connection/connection.ts";
import { RequestFailure, whyMissing } from "../connection/request-failure.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";
import { isFailing } from "./target-choice.ts";

export interface LogsRequest {
  /** The number of lines; {@link ALL_LINES} for all. */
  readonly tail: number;
  /** The user has asked for logs; otherwise an explanation of a single pod reads them, and does not wait long for them. */
  readonly isAsked: boolean;
  /** Reads the log of this container only, failing or not. */
  readonly container?: string | undefined;
  /** Reads the log of the last exit also where the container runs again. */
  readonly isPrevious: boolean;
}

/** All lines, as `kubectl logs --tail` has it. */
export const ALL_LINES = -1;

export const MOST_LOG_BYTES = 2 ** 18;

/** The number of lines to ask for instead of all, where all are too many bytes. */
const MANY_LINES = 4096;

/** The API server waits longer than this for a kubelet that does not answer. */
const UNASKED_TIMEOUT_MS = 3_000;

/** Reads the log of each failing container of a pod, of the instance that crashed last. Never fails: `why` says what is missing. */
export async function observeLogs(
  connection: Connection,
  pod: PodSnapshot,
  request: LogsRequest,
  atMs: number,
): Promise<ContainerLog[]> {
  const path = `${collectionPath("Pod", pod.namespace)}/${inPath(pod.name)}/log`;
  const polite = politely(connection);
  const limits = { isOptional: true, ...(!request.isAsked && { timeoutMs: UNASKED_TIMEOUT_MS }) };
  const logs = pod.statuses.map(async (status): Promise<ContainerLog[]> => {
    const wanted = wantedInstance(status, pod, request, atMs);
    if (wanted === null) return [];
    const query = { container: status.name, ...(wanted.isPrevious && { previous: "true" }) };
    const text = await readTail(
      (more) => polite.get(path, { ...limits, ...more, query: { ...query, ...more.query } }),
      request.tail,
    );
    return [{ container: status.name, instance: wanted.instance, text }];
  });
  return (await Promise.all(logs)).flat();
}

/** The reason of an instance that the kubelet has removed, with its log, to restart all containers of the pod. */
const REMOVED = "RestartingAllContainers";

/** The instance whose log is wanted, and whether the API knows it as the previous one; null for none. */
function wantedInstance(
  status: ContainerStatus,
  pod: PodSnapshot,
  { isAsked, container, isPrevious }: LogsRequest,
  atMs: number,
): { instance: ContainerLog["instance"]; isPrevious: boolean } | null {
  const failing = isFailing(status, pod, atMs);
  const isNamed = status.name === container;
  if (container === undefined ? !failing : !(isNamed && (failing || isAsked))) return null;
  const { state, lastState } = status;
  // An instance that has ended stays the present one until the status says "waiting", since v1.35 for a minute and more;
  // "previous" is the one before it (`validateContainerLogStatus`, kubernetes v1.37.1, pkg/kubelet/kubelet_pods.go).
  if (state?.kind === "terminated") return { instance: "last-exit", isPrevious: false };
  const isKept = lastState !== null && lastState.reason !== REMOVED;
  if (isKept && (failing || isPrevious)) return { instance: "last-exit", isPrevious: true };
  return state?.kind === "running" && !isPrevious ? { instance: "running", isPrevious: false } : null;
}

type Get = (options: GetOptions) => ReturnType<Connection["get"]>;

/** A limit of bytes cuts off the end, which tells most: where an answer reaches it, fewer lines are asked for. */
async function readTail(get: Get, tail: number): Promise<LogLines | LogMissing> {
  try {
    for (let count = tail; ; count = fewer(count)) {
      const query = { limitBytes: `${MOST_LOG_BYTES}`, ...(count !== ALL_LINES && { tailLines: `${count}` }) };
      const { body } = await get({ query, parse: (text) => text });
      const text = String(body);
      if (isNoLogNotice(text)) return { why: "not-found", message: text.trim() };
      const isFull = Buffer.byteLength(text) >= MOST_LOG_BYTES;
      if (!isFull || count === 1) return { lines: lastLines(text, count), isTruncated: isFull || count !== tail };
    }
  } catch (error) {
    return { why: whyNoLog(error), message: (error as Error).message };
  }
}

function fewer(count: number): number {
  return count === ALL_LINES ? MANY_LINES : Math.ceil(count / 4);
}

/** Whether a log of status 200 is what the kubelet says where it has none (`GetContainerLogs`, kubernetes v1.37.1, pkg/kubelet/kuberuntime/kuberuntime_container.go). */
export function isNoLogNotice(text: string): boolean {
  return /^unable to retrieve container logs for \S+\s*$/.test(text);
}

/** A kubelet without such an instance makes it a bad request (400). */
function whyNoLog(error: unknown): LogMissing["why"] {
  return error instanceof RequestFailure && error.status === 400 ? "not-found" : whyMissing(error);
}

/** A server may ignore the limits: then the program keeps to them. */
function lastLines(text: string, count: number): string[] {
  const lines = text.split("\n");
  const whole = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  return (count === ALL_LINES ? whole : whole.slice(-count)).map((line) => line.slice(0, MOST_LOG_BYTES));
}
