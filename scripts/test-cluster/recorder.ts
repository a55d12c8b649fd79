import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { RecordedLine, Recording } from "../../lab/recordings/recordings.ts";
import { eventSubjectOf } from "../../src/cluster/objects/event.ts";
import { at, textOf } from "../../src/cluster/objects/json-access.ts";
import type { ReadyNode } from "./find-cluster.ts";
import type { WatchEvent } from "./kubectl.ts";
import type { PlannedPod } from "./namespace.ts";

const TYPES: readonly string[] = ["ADDED", "MODIFIED", "DELETED"];

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

  /** Returns whether something new was recorded. */
  note(kind: "Pod" | "Event", { type, object }: WatchEvent, atMs: number): boolean {
    const lines = this.#lines.get(subjectOf(kind, object));
    const version = [type, ...["uid", "resourceVersion"].map((field) => at(object, "metadata", field))].join(" ");
    if (lines === undefined || !TYPES.includes(type) || this.#known.has(version)) return false;
    this.#known.add(version);
    lines.push({ atMs, kind, type: type as RecordedLine["type"], object });
    return true;
  }

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
  const { kind: ofKind, name } = eventSubjectOf(object);
  return keyOf(ofKind ?? "", name ?? "");
}

function keyOf(kind: string, name: string): string {
  return `${kind}/${name}`;
}

export function saveRecordings(folder: string, recordings: readonly Recording[]): void {
  for (const { node, pod, lines, nodeRaw, configzRaw, nodeEventLines } of recordings) {
    const ofNode = join(folder, node);
    mkdirSync(ofNode, { recursive: true });
    writeLines(join(ofNode, `${pod}.ndjson.gz`), lines);
    writeLines(join(ofNode, "node-events.ndjson.gz"), nodeEventLines);
    writeFileSync(join(ofNode, "node.json"), JSON.stringify(nodeRaw));
    if (configzRaw !== null) writeFileSync(join(ofNode, "configz.json"), JSON.stringify(configzRaw));
  }
}

function writeLines(file: string, lines: readonly RecordedLine[]): void {
  const texts = lines.map(({ atMs, ...line }) => `${JSON.stringify({ at: new Date(atMs), ...line })}\n`);
  writeFileSync(file, gzipSync(texts.join("")));
}
