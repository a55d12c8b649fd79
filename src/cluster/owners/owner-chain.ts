import type {
  Missing,
  OwnerLink,
  OwnerMissing,
  OwnersObservation,
  SourceObject,
} from "../../explain/observed/observation.ts";
import { likelySelectorOf, selectorOfWorkload } from "../api/target-selector.ts";
import { reading } from "../objects/declaration.ts";
import { at, type JsonObject, textOf } from "../objects/json-access.ts";
import { REVISION_LABELS } from "../objects/metadata.ts";
import {
  type Controller,
  controllerOf,
  controls,
  inferredParent,
  nameOf,
  namespaceOf,
  uidOf,
} from "../objects/owner-reference.ts";
import { toOwnedPod } from "../objects/pod.ts";
import { CRON_JOB, revisionsIn, toCronJobSnapshot, toWorkloadSnapshot, WORKLOAD } from "../objects/workload.ts";
import type { ObjectKind } from "../objects/workload-kinds.ts";
import type { ObjectSource } from "./workload-source.ts";

interface Owner extends SourceObject {
  readonly kind: ObjectKind;
  readonly raw: JsonObject;
}

export function ownersByReference(pod: JsonObject): OwnersObservation | undefined {
  const reference = controllerOf(pod);
  if (reference === null) return undefined;
  const parent = inferredParent(pod, reference);
  const chain: OwnerLink[] = [
    linkOf(reference),
    ...(parent === null ? [] : [{ ...parent, basis: "inferred" as const }]),
  ];
  return { chain, workload: null, revisions: [], pods: [], missing: [] };
}

export async function observeOwners(source: ObjectSource, pod: JsonObject): Promise<OwnersObservation | undefined> {
  const byReference = ownersByReference(pod);
  if (byReference === undefined) return undefined;
  const missing: OwnerMissing[] = [];
  // Requests inferred owners early. A live source keeps the answers for `climb`, which can save a round trip.
  for (const { kind, name, basis } of byReference.chain)
    if (basis === "inferred") source.get(kind as ObjectKind, namespaceOf(pod), name).catch(() => {});
  const { links, owners, isCut } = await climb(source, pod, missing);
  const chain = isCut ? [...links, ...byReference.chain.slice(links.length)] : links;
  const workload = owners.findLast(({ kind }) => kind !== "CronJob");
  if (workload === undefined) return { ...byReference, chain, missing, ...(await siblingsOf(source, pod)) };
  const { objects: around, ...crowd } = await crowdOf(source, workload, namespaceOf(pod), missing);
  const isOwner = (object: SourceObject): boolean =>
    owners.some(({ kind, raw }) => kind === object.kind && nameOf(raw) === nameOf(object.raw));
  const objects = [...owners, ...around.filter((object) => !isOwner(object))];
  const unusable = new Set(objects.flatMap(invalidWorkloadFields));
  const cronJob = owners.find(({ kind }) => kind === "CronJob");
  const job = crowd.workload?.kind === "Job" &&
    cronJob && { workload: { ...crowd.workload, cronJob: toCronJobSnapshot(cronJob.raw) } };
  return { chain, ...crowd, ...job, ...(unusable.size > 0 && { unusable: [...unusable] }), missing, objects };
}

/** Can save a round trip: lists the workload's revisions and pods early, with a guessed selector. */
export function requestCrowd(source: ObjectSource, pod: JsonObject): void {
  const kind = controllerOf(pod)?.known;
  const history = kind === "ReplicaSet" ? kind : "ControllerRevision";
  const selector = likelySelectorOf(pod);
  if (selector === null || !(kind === "ReplicaSet" || kind === "StatefulSet" || kind === "DaemonSet")) return;
  for (const listed of [history, "Pod"] as const) source.list(listed, namespaceOf(pod), selector).catch(() => {});
}

function invalidWorkloadFields({ kind, raw }: SourceObject): string[] {
  if (kind === "Pod") return [];
  const { unusable } = kind === "CronJob" ? reading(CRON_JOB, raw) : reading(WORKLOAD, raw);
  return unusable.map((path) => `${kind} ${nameOf(raw)} ${path}`);
}

/**
 * Reads up to two owners, e.g. a ReplicaSet and its Deployment. If `isCut`, `owners` lacks the owner of the last link.
 */
async function climb(source: ObjectSource, pod: JsonObject, missing: OwnerMissing[]) {
  const links: OwnerLink[] = [];
  const owners: Owner[] = [];
  let child: JsonObject | null = pod;
  while (child !== null && links.length < 2) {
    const reference = controllerOf(child);
    if (reference === null) break;
    links.push(linkOf(reference));
    child = await read(source, reference, namespaceOf(pod), missing);
    if (child !== null && reference.known !== null) owners.push({ kind: reference.known, raw: child });
  }
  return { links, owners, isCut: child === null };
}

/** Returns null also if another object (with another UID) now has the owner's name. */
async function read(source: ObjectSource, reference: Controller, namespace: string, missing: OwnerMissing[]) {
  if (reference.known === null || reference.known === "Pod") return null;
  const { value, why } = await source.get(reference.known, namespace, reference.name);
  const isOther = value !== null && reference.uid !== null && (uidOf(value) ?? reference.uid) !== reference.uid;
  const reason = isOther ? "not-found" : why;
  if (reason !== null && reason !== "not-in-input")
    missing.push({ what: "owner", owner: linkOf(reference), why: reason });
  return isOther ? null : value;
}

async function crowdOf(source: ObjectSource, { kind, raw }: Owner, namespace: string, missing: OwnerMissing[]) {
  const name = nameOf(raw);
  const selector = selectorOfWorkload(raw);
  if (selector === null) return { workload: null, revisions: [], pods: [], objects: [] };
  const history = kind === "Deployment" ? "ReplicaSet" : "ControllerRevision";
  const hasHistory = kind === "Deployment" || kind === "StatefulSet" || kind === "DaemonSet";
  const [revisions, pods] = await Promise.all([
    hasHistory ? source.list(history, namespace, selector) : { value: [], why: null },
    source.list("Pod", namespace, selector),
  ]);
  const add = (what: OwnerMissing["what"], why: Missing["why"] | null): void => {
    if (why !== null && why !== "not-in-input") missing.push({ what, owner: { kind, name }, why });
  };
  add("revisions", revisions.why);
  add("owned-pods", pods.why);
  const ownHistory = (revisions.value ?? []).filter((revision) => controls(kind, raw, revision));
  const isOwn = (pod: JsonObject): boolean =>
    kind === "Deployment"
      ? ownHistory.some((replicaSet) => controls("ReplicaSet", replicaSet, pod))
      : controls(kind, raw, pod);
  const ownPods = (pods.value ?? []).filter(isOwn);
  return {
    workload: toWorkloadSnapshot(kind, raw),
    revisions: revisionsIn(history, ownHistory),
    pods: ownPods.map((pod) => toOwnedPod(kind, name, pod)),
    objects: [
      ...ownHistory.map((revision) => ({ kind: history, raw: revision })),
      ...ownPods.map((pod) => ({ kind: "Pod", raw: pod })),
    ],
  };
}

async function siblingsOf(source: ObjectSource, pod: JsonObject) {
  const reference = controllerOf(pod);
  const labels = REVISION_LABELS.flatMap((label) => {
    const hash = textOf(at(pod, "metadata", "labels", label));
    return hash === null ? [] : [[label, hash] as const];
  });
  const selector = selectorOfWorkload({ spec: { selector: { matchLabels: Object.fromEntries(labels) } } });
  if (selector === null || reference === null || reference.known === null) return { pods: [] };
  const { known, uid, name } = reference;
  const { value } = await source.list("Pod", namespaceOf(pod), selector);
  const own = (value ?? []).filter((raw) => {
    const other = controllerOf(raw);
    return other?.known === known && other.name === name && other.uid === uid;
  });
  return {
    pods: own.map((raw) => toOwnedPod(known, name, raw)),
    objects: own.map((raw) => ({ kind: "Pod", raw })),
  };
}

function linkOf({ kind, name }: Controller): OwnerLink {
  return { kind, name, basis: "observed" };
}
