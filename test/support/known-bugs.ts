import type { ContainerExplanation } from "../../src/explain/answer/explanation.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aNode, T0_MS } from "./builders.ts";
import { explainPod } from "./explain-pod.ts";

/**
 * `named` is the rule under which the evidence names a known bug of the kubelet. Null if the evidence must name none.
 */
export interface BugRow {
  readonly version?: string | null;
  readonly pod?: Partial<PodSnapshot>;
  readonly seen?: Partial<PodObservation> & { readonly atMs?: number };
  readonly named: string | null;
  readonly why: string;
}

const OWNER = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web-7d9", uid: null } as const;

export function explainedOn(row: Pick<BugRow, "version" | "pod" | "seen">, name = "app"): ContainerExplanation {
  const { version = "v1.35.2", pod = {}, seen = {} } = row;
  const node = version === null ? null : aNode({ kubeletVersion: version });
  const explained = explainPod({ owner: OWNER, ...pod }, { atMs: T0_MS + 130 * 60_000, node, ...seen });
  const container = explained.containers.find((candidate) => candidate.name === name);
  if (container === undefined) throw new Error("no such container");
  return container;
}

export function bugsOf({ evidence }: ContainerExplanation): string[] {
  return evidence.map(({ rule }) => rule).filter((rule) => rule.startsWith("kubelet-bug-"));
}
