import { readFileSync } from "node:fs";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { currentCluster } from "./listing.ts";

const FOLDER = new URL("../fixtures/incident/", import.meta.url);

interface Cluster {
  readonly at: string;
  readonly kubelets: Readonly<Record<string, object>>;
  /** By containerID. */
  readonly logs: Readonly<Record<string, string>>;
}

function textOf(name: string): string {
  return readFileSync(new URL(name, FOLDER), "utf8");
}

/** The simulated API server is 40 minutes into an incident in namespace shop. Its clock stands still. */
export async function incident(forbidden: readonly string[] = []): Promise<Simulator> {
  const { at, kubelets, logs } = clusterOfIncident();
  const atMs = Date.parse(at);
  const simulator = await currentCluster({ objects: allObjects(), forbidden, clock: () => atMs });
  for (const [node, config] of Object.entries(kubelets))
    simulator.on(`/api/v1/nodes/${node}/proxy/configz`, JSON.stringify(config));
  for (const [containerID, log] of Object.entries(logs)) simulator.logs.write(containerID, log, atMs);
  return simulator;
}

interface RawObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly status?: { readonly containerStatuses?: readonly RawStatus[] };
}

type RawStatus = { readonly name: string } & Readonly<
  Record<"state" | "lastState", { readonly terminated?: { readonly containerID: string } }>
>;

function clusterOfIncident(): Cluster {
  return JSON.parse(textOf("cluster.json")) as Cluster;
}

function allObjects(): RawObject[] {
  const lines = textOf("objects.ndjson").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as RawObject);
}

function objectsOf(kinds: readonly string[]): RawObject[] {
  return allObjects().filter(({ kind }) => kinds.includes(kind));
}

/**
 * The log of each container is also its termination message, as with `terminationMessagePolicy: FallbackToLogsOnError`.
 */
export function incidentList(kinds: readonly string[]): string {
  const { logs } = clusterOfIncident();
  const messageOf = ({ terminated }: RawStatus["state"] = {}) =>
    terminated && { terminated: { ...terminated, message: logs[terminated.containerID] } };
  const withMessage = (status: RawStatus) => ({
    ...status,
    state: { ...status.state, ...messageOf(status.state) },
    lastState: { ...status.lastState, ...messageOf(status.lastState) },
  });
  const items = objectsOf(kinds).map(({ status, ...object }) => {
    const { containerStatuses = [] } = status ?? {};
    return { ...object, status: { ...status, containerStatuses: containerStatuses.map(withMessage) } };
  });
  return JSON.stringify({ apiVersion: "v1", kind: "List", items });
}

export function incidentDump(kinds: readonly string[]): string {
  const { logs } = clusterOfIncident();
  const items = objectsOf(kinds);
  const dumped = items.flatMap(({ metadata: { name, namespace }, status }) =>
    (status?.containerStatuses ?? []).map(({ name: container, state, lastState }) => {
      const ended = state.terminated ?? lastState?.terminated;
      const which = `logs for container ${container} of pod ${namespace}/${name} ====`;
      return `==== START ${which}\n${logs[ended?.containerID ?? ""] ?? ""}==== END ${which}\n`;
    }),
  );
  return [JSON.stringify({ apiVersion: "v1", kind: "List", items }), ...dumped].join("\n");
}
