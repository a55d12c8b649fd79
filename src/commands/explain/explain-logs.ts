import { type InstanceLog, MOST_LOG_BYTES, readLogs } from "../../cluster/api/read-logs.ts";
import { politely } from "../../cluster/api/request-places.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import type { Explanation, Gap, PodExplanation } from "../../explain/answer/explanation.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { notRead } from "../../explain/words/gaps.ts";
import type { Form } from "../../render/forms.ts";
import { isInTrouble } from "../../render/page/trouble.ts";
import { DEFAULT_LINES } from "../flags/flags.ts";

/** What bears on the reading of logs. */
export interface LogsRequest {
  readonly observation: Observation;
  /** null: there is no cluster to ask. */
  readonly connection: Connection | null;
  readonly tail?: number | undefined;
  readonly output: Form;
  /** -c: its logs are read, in trouble or not. */
  readonly container?: string | undefined;
  readonly note: (sentence: string) => void;
}

/** The explanation with what containers printed, and with gaps where that could not be had. */
export async function withLogs(explanation: Explanation, request: LogsRequest): Promise<Explanation> {
  const { connection, output, note } = request;
  if (connection === null) note("--logs needs a cluster: the input of -f holds no logs.");
  const polite = connection && politely(connection);
  const pods = explanation.pods.map(async (pod, index) => {
    const read = polite === null || !isShown(explanation, index, output) ? [] : await logsOf(pod, polite, request);
    return withPodLogs(pod, read);
  });
  return { ...explanation, pods: await Promise.all(pods) };
}

/** Of pods that are alike, people are shown the first. */
function isShown({ groups }: Explanation, index: number, output: Form): boolean {
  if (groups === undefined || output === "json" || output === "yaml") return true;
  return groups.some(({ kind, members }) => kind === "alike" && members[0] === index);
}

async function logsOf(pod: PodExplanation, connection: Connection, request: LogsRequest): Promise<InstanceLog[]> {
  const { observation, container: chosen, tail = DEFAULT_LINES } = request;
  const seen = observation.pods.find(({ pod: { namespace, name } }) => {
    return namespace === pod.namespace && name === pod.name;
  });
  const asked = pod.containers.filter((container) => chosen !== undefined || isInTrouble(container));
  const names = asked.map(({ name }) => name);
  return seen === undefined ? [] : readLogs(connection, seen.pod, names, tail);
}

function withPodLogs(pod: PodExplanation, read: readonly InstanceLog[]): PodExplanation {
  const linesOf = (container: string, instance: InstanceLog["instance"]): readonly string[] | null => {
    const log = read.find((candidate) => candidate.container === container && candidate.instance === instance);
    return log !== undefined && "lines" in log.text ? log.text.lines : null;
  };
  const containers = pod.containers.map((container) => {
    const { name } = container;
    return { ...container, logs: { previous: linesOf(name, "previous"), current: linesOf(name, "current") } };
  });
  return { ...pod, containers, gaps: [...pod.gaps, ...missingLogs(read), ...cutLogs(read)] };
}

/** One gap for each reason, for without a right no log of the pod can be read. */
function missingLogs(read: readonly InstanceLog[]): Gap[] {
  const missing = read.flatMap(({ container, text }) => ("why" in text ? [{ container, ...text }] : []));
  return [...Map.groupBy(missing, ({ why }) => why)].map(([why, logs]) => {
    const said = why === "not-found" ? `: ${logs.map(({ message }) => message).join("; ")}` : "";
    const message = `${notRead(why, `the log of ${namesOf(logs)}`, "get pods/log")}${said}; nothing else depends on it.`;
    return { code: `logs-${why}`, message };
  });
}

function cutLogs(read: readonly InstanceLog[]): Gap[] {
  const cut = read.filter(({ text }) => "isCut" in text && text.isCut);
  if (cut.length === 0) return [];
  const most = `${MOST_LOG_BYTES / 1024} KiB`;
  const message = `Log of ${namesOf(cut)} cut: more than ${most} requested.`;
  return [{ code: "logs-cut", message }];
}

function namesOf(logs: readonly { readonly container: string }[]): string {
  return [...new Set(logs.map(({ container }) => container))].join(", ");
}
