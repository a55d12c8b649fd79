import type { ContainerStatus, Missing, PodSnapshot } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure, whyMissing } from "../connection/request-failure.ts";
import { collectionPath, inPath } from "../objects/workload-kinds.ts";

/** What one instance of a container has printed, or why that could not be had. */
export interface InstanceLog {
  readonly container: string;
  /** previous: the instance that ended last; current: the one that runs. */
  readonly instance: "previous" | "current";
  readonly text: LogText | LogMissing;
}

/** The last lines of a log, oldest first. */
export interface LogText {
  readonly lines: readonly string[];
  /** They are fewer than were asked for, because those would be more than {@link MOST_LOG_BYTES}. */
  readonly isCut: boolean;
}

/** Why there is no log, and what the server says of it. */
export interface LogMissing {
  readonly why: Missing["why"];
  readonly message: string;
}

/** All lines, as `kubectl logs --tail` has it. */
export const ALL_LINES = -1;

/** No log is read beyond this, however long its lines are. */
export const MOST_LOG_BYTES = 2 ** 18;

/** Where all lines are too much. */
const MANY_LINES = 4096;

/** The last `tail` lines of each instance that the containers' statuses tell of; none for a container that never ran. */
export async function readLogs(
  connection: Connection,
  pod: PodSnapshot,
  containers: readonly string[],
  tail: number,
): Promise<InstanceLog[]> {
  const path = `${collectionPath("Pod", pod.namespace)}/${inPath(pod.name)}/log`;
  const asked = pod.statuses
    .filter(({ name }) => containers.includes(name))
    .flatMap((status) => instancesOf(status).map((instance) => ({ container: status.name, ...instance })));
  return Promise.all(
    asked.map(async ({ container, instance, isPrevious }) => {
      const query = { container, ...(isPrevious && { previous: "true" }) };
      return { container, instance, text: await readTail(connection, path, query, tail) };
    }),
  );
}

/**
 * What has to be asked for to get the log of an instance. An instance that has ended stays the present one until the status
 * says "waiting", since v1.35 for a minute and more, and "previous" is the one before it (`validateContainerLogStatus`,
 * kubernetes v1.37.1, pkg/kubelet/kubelet_pods.go).
 */
function instancesOf({ state, lastState }: ContainerStatus): Pick<AskedInstance, "instance" | "isPrevious">[] {
  if (state?.kind === "terminated") return [{ instance: "previous", isPrevious: false }];
  return [
    ...(lastState === null ? [] : [{ instance: "previous" as const, isPrevious: true }]),
    ...(state?.kind === "running" ? [{ instance: "current" as const, isPrevious: false }] : []),
  ];
}

interface AskedInstance extends Pick<InstanceLog, "instance"> {
  readonly isPrevious: boolean;
}

/** A limit of bytes cuts off the end, which tells most: where it is reached, fewer lines are asked for. */
async function readTail(
  connection: Connection,
  path: string,
  query: Readonly<Record<string, string>>,
  tail: number,
): Promise<LogText | LogMissing> {
  try {
    for (let lines = tail; ; lines = fewer(lines)) {
      const limits = { limitBytes: `${MOST_LOG_BYTES}`, ...(lines !== ALL_LINES && { tailLines: `${lines}` }) };
      const { body } = await connection.get(path, { query: { ...query, ...limits }, parse: (text) => text });
      const text = String(body);
      if (isNotice(text)) return { why: "not-found", message: text.trim() };
      const isFull = Buffer.byteLength(text) >= MOST_LOG_BYTES;
      if (!isFull || lines === 1) return { lines: linesOf(text), isCut: isFull || lines !== tail };
    }
  } catch (error) {
    return { why: whyNoLog(error), message: (error as Error).message };
  }
}

function fewer(lines: number): number {
  return lines === ALL_LINES ? MANY_LINES : Math.ceil(lines / 4);
}

/** With status 200: the instance is gone (`GetContainerLogs`, kubernetes v1.37.1, pkg/kubelet/kuberuntime/kuberuntime_container.go). */
function isNotice(text: string): boolean {
  return /^unable to retrieve container logs for \S+\s*$/.test(text);
}

/** A kubelet without such an instance makes it a bad request (400). */
function whyNoLog(error: unknown): Missing["why"] {
  return error instanceof RequestFailure && error.status === 400 ? "not-found" : whyMissing(error);
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
