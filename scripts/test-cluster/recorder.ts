import { at, textOf } from "../../src/cluster/objects/untrusted.ts";
import type { RecordedLine, Recording } from "../recordings.ts";
import type { ReadyNode } from "./find-cluster.ts";
import type { WatchEvent } from "./kubectl.ts";
import type { PlannedPod } from "./manifest.ts";

const TYPES: readonly string[] = ["ADDED", "MODIFIED", "DELETED"];

/** Keeps what the API server says of the planned pods and their nodes, in order of arrival. */
export class Recorder {
  readonly #nodes: readonly ReadyNode[];
  readonly #pods: readonly PlannedPod[];
  readonly #lines = new Map<string, RecordedLine[]>();
  readonly #known = new Set<string>();

  constructor(nodes: readonly ReadyNode[], pods: readonly PlannedPod[]) {
    this.#nodes = nodes;
    this.#pods = pods;
    for (const { name } of nodes) this.#lines.set(keyOf("Node", name), []);
    for (const { name } of pods) this.#lines.set(keyOf("Pod", name), []);
  }

  /** Notes a Pod, or an Event of a pod or node; false if it is about something else or was noted before. */
  note(kind: "Pod" | "Event", { type, object }: WatchEvent, atMs: number): boolean {
    const lines = this.#lines.get(subjectOf(kind, object));
    const version = [type, ...["uid", "resourceVersion"].map((field) => at(object, "metadata", field))].join(" ");
    if (lines === undefined || !TYPES.includes(type) || this.#known.has(version)) return false;
    this.#known.add(version);
    lines.push({ atMs, kind, type: type as RecordedLine["type"], object });
    return true;
  }

  /** Everything so far, pod by pod. */
  recordings(): Recording[] {
    return this.#pods.flatMap(({ name, node }) => {
      const { nodeRaw = null, configzRaw = null } = this.#nodes.find((candidate) => candidate.name === node) ?? {};
      const nodeEventLines = this.#lines.get(keyOf("Node", node)) ?? [];
      const lines = this.#lines.get(keyOf("Pod", name)) ?? [];
      return lines.length === 0 ? [] : [{ node, pod: name, lines, nodeRaw, configzRaw, nodeEventLines }];
    });
  }
}

function subjectOf(kind: "Pod" | "Event", object: object): string {
  if (kind === "Pod") return keyOf("Pod", textOf(at(object, "metadata", "name")) ?? "");
  const { kind: ofKind, name } = {
    kind: at(object, "involvedObject", "kind"),
    name: at(object, "involvedObject", "name"),
  };
  return keyOf(textOf(ofKind) ?? "", textOf(name) ?? "");
}

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}
