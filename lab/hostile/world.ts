import { nameOf, uidOf } from "../../src/cluster/objects/owner-reference.ts";
import { aRawEvent } from "../../test/support/raw-objects.ts";
import { OWNED_CASES } from "../../test/support/report-owners.ts";
import { momentAt } from "../recordings/recorded-moment.ts";
import { type RecordedLine, type Recording, recordingOf } from "../recordings/recordings.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface World {
  readonly name: string;
  readonly atMs: number;
  readonly objects: WorldObjects;
}

export type WorldObjects = {
  readonly pod: Json;
  readonly earlier: readonly Json[];
  readonly events: readonly Json[];
  readonly node: Json;
  readonly nodeEvents: readonly Json[];
  readonly configz: Json;
  /** Workloads above the pod, and their revisions and other pods. */
  readonly owners: readonly Json[];
  readonly table: Json;
};

const ON_NODE_A = [
  ...["oom", "liveness-ignores-term", "poststart-fails", "startup-probe-fails", "init-crashes", "sidecar-crashes"],
  ...["two-crashers", "rules-restart-all", "image-unreachable", "config-missing", "grow-then-dropped"],
  ...["image-changed", "termination-message", "held-while-deleted"],
];

const RECORDINGS = [
  ...ON_NODE_A.map((name) => `node-a/${name}`),
  ...["node-b/exit1-after-42s", "node-d/command-not-found", "node-d/varied-lengths"],
];

/** Hand-set: more objects would make mutants slower. */
const MOST_EARLIER = 1;
const MOST_EVENTS = 6;

/** Shares of the duration of a recording. */
const MOMENTS = [0.3, 0.7, 0.95];

export function worlds(): readonly World[] {
  const recorded = RECORDINGS.flatMap((path) => {
    const recording = recordingOf(path);
    const [first, last] = [recording.lines[0]?.atMs ?? 0, recording.lines.at(-1)?.atMs ?? 0];
    return MOMENTS.flatMap((share) => worldAt(path, recording, Math.round(first + (last - first) * share)));
  });
  return [...recorded, ...ownedWorlds()];
}

function worldAt(path: string, recording: Recording, atMs: number): World[] {
  const moment = momentAt(recording, atMs);
  if (moment === null) return [];
  const raw = ({ object }: RecordedLine): Json => object as Json;
  const earlier = recording.lines.filter(
    ({ kind, atMs: arrivedAtMs }) => kind === "Pod" && arrivedAtMs < moment.pod.atMs,
  );
  const objects = {
    pod: raw(moment.pod),
    earlier: earlier.slice(-MOST_EARLIER).map(raw),
    events: moment.events.slice(-MOST_EVENTS).map(raw),
    node: recording.nodeRaw as Json,
    nodeEvents: moment.nodeEvents.slice(-MOST_EARLIER).map(raw),
    configz: recording.configzRaw as Json,
    owners: [],
    table: tableOf(recording.pod),
  };
  return [{ name: `${path} at ${new Date(atMs).toISOString()}`, atMs, objects }];
}

function ownedWorlds(): World[] {
  const { configzRaw } = recordingOf("node-a/oom");
  return Object.entries(OWNED_CASES).map(([name, { objects }]) => {
    const [pod = null, ...others] = objects as readonly Json[];
    const [owners, node = null] = [others.slice(0, -1), others.at(-1)];
    const events = [aRawEvent("web-0.1", { name: nameOf(pod), uid: uidOf(pod) }) as Json];
    const around = { node, configz: configzRaw as Json, earlier: [], nodeEvents: [], table: tableOf(nameOf(pod)) };
    return { name, atMs: Date.UTC(2026, 10, 21, 12, 15), objects: { pod, events, owners, ...around } };
  });
}

function tableOf(name: string): Json {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata: { resourceVersion: "1" },
    columnDefinitions: ["Name", "Ready", "Status", "Restarts", "Age"].map((column) => ({ name: column })),
    rows: [{ cells: [name, "0/1", "CrashLoopBackOff", "7 (2m ago)", "9m"] }],
  };
}
