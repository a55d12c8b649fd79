import { momentAt } from "../../scripts/recorded-moment.ts";
import type { RecordedLine, Recording } from "../../scripts/recordings.ts";
import { recordingOf } from "../../test/support/recording.ts";
import { ownersOf } from "./world-owners.ts";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The raw API objects of one moment of a recording. */
export interface World {
  /** "node-a/oom at 2026-11-21T14:04:38.000Z" */
  readonly name: string;
  readonly atMs: number;
  readonly objects: WorldObjects;
}

/** `owners`: the workloads above the pod, and their revisions. */
export type WorldObjects = {
  readonly pod: Json;
  /** Older versions of the pod. */
  readonly earlier: readonly Json[];
  readonly events: readonly Json[];
  readonly node: Json;
  readonly nodeEvents: readonly Json[];
  readonly configz: Json;
  readonly owners: readonly Json[];
  /** The pod in a server-side table. */
  readonly table: Json;
};

/** One recording of each kind of trouble, and one of each kind of owner. */
const RECORDINGS = [
  ...["oom", "liveness-ignores-term", "poststart-fails", "startup-probe-fails", "init-crashes", "sidecar-crashes"].map(
    onA,
  ),
  ...["two-crashers", "rules-restart-all", "image-unreachable", "config-missing", "grow-then-dropped"].map(onA),
  ...["image-changed", "termination-message", "held-while-deleted"].map(onA),
  ...["api-6f5fd85495-5g9w8", "db-0", "import-thwlb", "nightly-29921140-zt66s"].map(onA),
  ...["node-b/exit1-after-42s", "node-c/agent-vnrrn", "node-d/command-not-found", "node-d/varied-lengths"],
];

function onA(name: string): string {
  return `node-a/${name}`;
}

/** More of them would only make every mutant slower. */
const MOST_EARLIER = 1;
const MOST_EVENTS = 6;

/** Shares of a recording's length. */
const MOMENTS = [0.3, 0.7, 0.95];

export function worlds(): readonly World[] {
  return RECORDINGS.flatMap((path) => {
    const recording = recordingOf(path);
    const [first, last] = [recording.lines[0]?.atMs ?? 0, recording.lines.at(-1)?.atMs ?? 0];
    return MOMENTS.flatMap((share) => worldAt(path, recording, Math.round(first + (last - first) * share)));
  });
}

function worldAt(path: string, recording: Recording, atMs: number): World[] {
  const moment = momentAt(recording, atMs);
  if (moment === null) return [];
  const raw = ({ object }: RecordedLine): Json => object as Json;
  const earlier = recording.lines
    .filter((line) => line.kind === "Pod" && line.atMs < moment.pod.atMs)
    .slice(-MOST_EARLIER)
    .map(raw);
  const pod = raw(moment.pod);
  const objects = {
    pod,
    earlier,
    events: moment.events.slice(-MOST_EVENTS).map(raw),
    node: recording.nodeRaw as Json,
    nodeEvents: moment.nodeEvents.slice(-MOST_EARLIER).map(raw),
    configz: recording.configzRaw as Json,
    owners: ownersOf(pod),
    table: tableOf(recording.pod),
  };
  return [{ name: `${path} at ${new Date(atMs).toISOString()}`, atMs, objects }];
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
