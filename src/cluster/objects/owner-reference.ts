import type { OwnerReference } from "../../explain/observed/observation.ts";
import { at, textOf } from "./json-access.ts";
import { OWNER_REFERENCES } from "./metadata.ts";
import { isInGroup, OBJECT_KINDS, type ObjectKind } from "./workload-kinds.ts";

export interface Controller extends OwnerReference {
  readonly uid: string | null;
  /** The kind if the program reads it; null for a kind of the same name in another API group. */
  readonly known: ObjectKind | null;
}

export function controllerOf(raw: unknown): Controller | null {
  return controllerAmong(OWNER_REFERENCES.read(at(raw, "metadata", "ownerReferences"), []));
}

export function controllerAmong(owners: ReturnType<typeof OWNER_REFERENCES.read>): Controller | null {
  const { kind = null, name = null, apiVersion = null, uid = null } = owners.find(({ controller }) => controller) ?? {};
  if (kind === null || name === null) return null;
  const known = OBJECT_KINDS.find((candidate) => candidate === kind);
  const isKnown = known !== undefined && (apiVersion === null || isInGroup(known, apiVersion));
  return { kind, name, uid, known: isKnown ? known : null };
}

/** Compares UIDs, or name and namespace if one of the UIDs is missing. */
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

/**
 * A ReplicaSet's name, `NAME-HASH`. The hash consists of the characters of `SafeEncodeString` (k8s.io/apimachinery
 * v0.37.1, pkg/util/rand/rand.go).
 */
const HASH = /^(?<name>.+)-(?<hash>[bcdfghjklmnpqrstvwxz2456789]{1,10})$/;

/** `hash` is the label `pod-template-hash` of a pod of the ReplicaSet, if known. */
function deploymentNameIn(replicaSet: string, hash: string | null): string | null {
  const { name, hash: found } = HASH.exec(replicaSet)?.groups ?? {};
  return name === undefined || (hash !== null && hash !== found) ? null : name;
}

/** The end of a generated name: "-5d8c9f6b7-x2x4q" for a Deployment's pod, "-x2x4q" or "-0" for other pods. */
const CONTROLLER_SUFFIX = /(-[bcdf-hj-np-tv-xz0-9]{6,10})?-([bcdf-hj-np-tv-xz2-9]{5}|\d{1,4})$/;

/** Guesses the name of a pod's workload. */
export function withoutControllerSuffix(podName: string): string {
  return podName.replace(CONTROLLER_SUFFIX, "");
}

/** A CronJob names its Jobs `NAME-MINUTES` (minutes since 1970). */
function cronJobNameIn(job: string): string | null {
  return /^(?<name>.+)-\d{8}$/.exec(job)?.groups?.["name"] ?? null;
}

/** Infers the Deployment or CronJob from the name of a pod's controller. Wrong if a user chose a name of that form. */
export function inferredParent(pod: unknown, { known, name }: Controller): OwnerReference | null {
  const hash = textOf(at(pod, "metadata", "labels", "pod-template-hash"));
  const deployment = known === "ReplicaSet" && hash !== null ? deploymentNameIn(name, hash) : null;
  if (deployment !== null) return { kind: "Deployment", name: deployment };
  const cronJob = known === "Job" ? cronJobNameIn(name) : null;
  return cronJob === null ? null : { kind: "CronJob", name: cronJob };
}
