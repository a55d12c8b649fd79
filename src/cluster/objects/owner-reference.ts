import type { OwnerReference } from "../../explain/observed/observation.ts";
import { OWNER_REFERENCES } from "./metadata.ts";
import { at, textOf } from "./untrusted.ts";
import { isInGroup, OBJECT_KINDS, type ObjectKind } from "./workload-kinds.ts";

/** `ownerReferences[]` with `controller: true`. */
export interface Controller extends OwnerReference {
  readonly uid: string | null;
  /** The kind, if it is one that is read here: other API groups have kinds of the same name. */
  readonly known: ObjectKind | null;
}

/** The object that controls this one; null without any. */
export function controllerOf(raw: unknown): Controller | null {
  return controllerAmong(OWNER_REFERENCES.read(at(raw, "metadata", "ownerReferences"), []));
}

/** The first of an object's owners that controls it; null without any. */
export function controllerAmong(owners: ReturnType<typeof OWNER_REFERENCES.read>): Controller | null {
  const { kind = null, name = null, apiVersion = null, uid = null } = owners.find(({ controller }) => controller) ?? {};
  if (kind === null || name === null) return null;
  const known = OBJECT_KINDS.find((candidate) => candidate === kind);
  const isKnown = known !== undefined && (apiVersion === null || isInGroup(known, apiVersion));
  return { kind, name, uid, known: isKnown ? known : null };
}

/** Whether an object of that kind controls the other one: by UID, and where input has left that out, by name. */
export function controls(kind: ObjectKind, owner: unknown, child: unknown): boolean {
  const reference = controllerOf(child);
  if (reference?.known !== kind) return false;
  const uid = uidOf(owner);
  if (uid !== null && reference.uid !== null) return uid === reference.uid;
  return reference.name === nameOf(owner) && namespaceOf(owner) === namespaceOf(child);
}

export function uidOf(raw: unknown): string | null {
  return textOf(at(raw, "metadata", "uid"));
}

export function nameOf(raw: unknown): string {
  return textOf(at(raw, "metadata", "name")) ?? "";
}

export function namespaceOf(raw: unknown): string {
  return textOf(at(raw, "metadata", "namespace")) ?? "default";
}

/** What Kubernetes makes random suffixes and hashes of (`SafeEncodeString`, k8s.io/apimachinery v0.37.1, pkg/util/rand/rand.go). */
const HASH = /^(?<name>.+)-(?<hash>[bcdfghjklmnpqrstvwxz2456789]{1,10})$/;

/** The Deployment that a ReplicaSet's name tells of, `NAME-HASH`; `hash` is the pod's label, if it is known. */
export function deploymentNameIn(replicaSet: string, hash: string | null): string | null {
  const { name, hash: found } = HASH.exec(replicaSet)?.groups ?? {};
  return name === undefined || (hash !== null && hash !== found) ? null : name;
}

/** The CronJob that a Job's name tells of, `NAME-MINUTES`: the scheduled time in minutes since 1970. */
export function cronJobNameIn(job: string): string | null {
  return /^(?<name>.+)-\d{8}$/.exec(job)?.groups?.["name"] ?? null;
}

/** The owner above a pod's controller, as far as names tell: an inference. */
export function inferredParent(pod: unknown, { known, name }: Controller): OwnerReference | null {
  const hash = textOf(at(pod, "metadata", "labels", "pod-template-hash"));
  const deployment = known === "ReplicaSet" && hash !== null ? deploymentNameIn(name, hash) : null;
  if (deployment !== null) return { kind: "Deployment", name: deployment };
  const cronJob = known === "Job" ? cronJobNameIn(name) : null;
  return cronJob === null ? null : { kind: "CronJob", name: cronJob };
}
