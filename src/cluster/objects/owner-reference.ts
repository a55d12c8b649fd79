import type { OwnerReference } from "../../explain/observed/observation.ts";
import { at, textOf } from "./json-access.ts";
import { OWNER_REFERENCES } from "./metadata.ts";
import { isInGroup, OBJECT_KINDS, type ObjectKind } from "./workload-kinds.ts";

export interface Controller extends OwnerReference {
  readonly uid: string | null;
  /** Null for a kind that the program does not read, e.g. the Job of another API group. */
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
 * Assumed: if a pod's name ends like this, a controller has added this end, e.g. "-5d8c9f6b7-x2x4q" (Deployment) or
 * "-0" (StatefulSet).
 */
const CONTROLLER_SUFFIX = /(-[bcdf-hj-np-tv-xz0-9]{6,10})?-([bcdf-hj-np-tv-xz2-9]{5}|\d{1,4})$/;

export function withoutControllerSuffix(podName: string): string {
  return podName.replace(CONTROLLER_SUFFIX, "");
}

/**
 * Infers the parent from the controller's name: a Deployment names ReplicaSets NAME-HASH, and a CronJob names Jobs
 * NAME-MINUTES (minutes since 1970). The result can be wrong if a user has chosen a name of either form.
 */
export function inferredParent(pod: unknown, { known, name }: Controller): OwnerReference | null {
  const hash = textOf(at(pod, "metadata", "labels", "pod-template-hash"));
  const deployment = name.slice(0, -1 - (hash?.length ?? 0));
  if (known === "ReplicaSet" && deployment !== "" && name === `${deployment}-${hash}`)
    return { kind: "Deployment", name: deployment };
  const cronJob = known === "Job" ? textOf(/^(.+)-\d{8}$/.exec(name)?.[1]) : null;
  return cronJob === null ? null : { kind: "CronJob", name: cronJob };
}
