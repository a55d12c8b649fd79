import type {
  OwnerLink,
  OwnerMissing,
  OwnerReference,
  OwnersObservation,
  SourceObject,
} from "../../explain/observed/observation.ts";
import { selectorOfWorkload } from "../api/target-selector.ts";
import { reading } from "../objects/declaration.ts";
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
import { revisionsIn, toCronJobSnapshot, toWorkloadSnapshot, WORKLOAD } from "../objects/workload.ts";
import type { ObjectSource, RawObject } from "./workload-source.ts";

interface Ancestor {
  readonly link: OwnerLink;
  readonly raw: RawObject | null;
  readonly reference: Controller;
}

/** The owners that a pod's own references and their names tell, without a request; undefined for a pod without a controller. */
export function ownersByReference(pod: RawObject): OwnersObservation | undefined {
  const reference = controllerOf(pod);
  if (reference === null) return undefined;
  const parent = inferredParent(pod, reference);
  const chain: OwnerLink[] = [
    linkOf(reference),
    ...(parent === null ? [] : [{ ...parent, basis: "inferred" as const }]),
  ];
  return { chain, workload: null, revisions: [], pods: [], missing: [] };
}

/**
 * Reads the owners of a pod, and the revisions and pods of the workload that rolls the pod out. Never throws for a failed
 * request: `missing` says what could not be read.
 */
export async function observeOwners(source: ObjectSource, pod: RawObject): Promise<OwnersObservation | undefined> {
  const byReference = ownersByReference(pod);
  const missing: OwnerMissing[] = [];
  const ancestors = await climb(source, pod, missing);
  if (byReference === undefined || ancestors.length === 0) return byReference;
  const seen = ancestors.map(({ link }) => link);
  const isCut = ancestors.at(-1)?.raw === null;
  const chain = isCut ? [...seen, ...byReference.chain.slice(seen.length)] : seen;
  const workload = ancestors.findLast(({ raw, reference }) => raw !== null && reference.known !== "CronJob");
  if (workload === undefined) return { ...byReference, chain, missing };
  const cronJob = ancestors.find(({ reference, raw }) => raw !== null && reference.known === "CronJob");
  const { unusable: ofRevisions, ...crowd } = await crowdOf(source, workload, namespaceOf(pod), missing);
  const unusable = new Set([...ancestors.map(({ link, raw }) => unusableOf(link, raw)), ...ofRevisions].flat());
  const named = unusable.size > 0 && { unusable: [...unusable] };
  const above = ancestors.flatMap(({ link: { kind }, raw }) => (raw === null ? [] : [{ kind, raw }]));
  const isAbove = (object: SourceObject): boolean =>
    above.some(({ kind, raw }) => kind === object.kind && nameOf(raw) === nameOf(object.raw));
  const objects = [...above, ...crowd.objects.filter((object) => !isAbove(object))];
  const { workload: own } = crowd;
  const job = own?.kind === "Job" && cronJob && { workload: { ...own, cronJob: toCronJobSnapshot(cronJob.raw) } };
  return { chain, ...crowd, ...job, ...named, objects };
}

function unusableOf({ kind, name }: OwnerReference, raw: unknown): string[] {
  return reading(WORKLOAD, raw).unusable.map((path) => `${kind} ${name} ${path}`);
}

/** The owners above a pod, at most two: ReplicaSet and Deployment, or Job and CronJob. */
async function climb(source: ObjectSource, pod: RawObject, missing: OwnerMissing[]): Promise<Ancestor[]> {
  const ancestors: Ancestor[] = [];
  let child: RawObject | null = pod;
  while (child !== null && ancestors.length < 2) {
    const reference = controllerOf(child);
    if (reference === null) break;
    const owner = await read(source, reference, namespaceOf(pod), missing);
    ancestors.push({ link: linkOf(reference), raw: owner, reference });
    child = owner;
  }
  return ancestors;
}

/** Reads an owner. An object of the same name with another UID is not the owner, which has been deleted. */
async function read(source: ObjectSource, reference: Controller, namespace: string, missing: OwnerMissing[]) {
  if (reference.known === null || reference.known === "Pod") return null;
  const { value, why } = await source.get(reference.known, namespace, reference.name);
  const isOther = value !== null && reference.uid !== null && (uidOf(value) ?? reference.uid) !== reference.uid;
  const reason = isOther ? "not-found" : why;
  if (reason !== null && reason !== "not-in-input")
    missing.push({ what: "owner", owner: linkOf(reference), why: reason });
  return isOther ? null : value;
}

async function crowdOf(source: ObjectSource, { raw, reference }: Ancestor, namespace: string, missing: OwnerMissing[]) {
  const { known: kind, name } = reference;
  const selector = selectorOfWorkload(raw);
  if (kind === null || selector === null)
    return { workload: null, revisions: [], pods: [], missing, unusable: [], objects: [] };
  const history = kind === "Deployment" ? "ReplicaSet" : "ControllerRevision";
  const hasHistory = kind === "Deployment" || kind === "StatefulSet" || kind === "DaemonSet";
  const [revisions, pods] = await Promise.all([
    hasHistory ? source.list(history, namespace, selector) : { value: [], why: null },
    source.list("Pod", namespace, selector),
  ]);
  for (const [what, { why }] of [
    ["revisions", revisions],
    ["owned-pods", pods],
  ] as const)
    if (why !== null && why !== "not-in-input") missing.push({ what, owner: { kind, name }, why });
  const ownHistory = (revisions.value ?? []).filter((revision) => controls(kind, raw, revision));
  const isOwn = (pod: RawObject): boolean =>
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
    missing,
    unusable: ownHistory.map((revision) => unusableOf({ kind: history, name: nameOf(revision) }, revision)),
  };
}

function linkOf({ kind, name }: Controller): OwnerLink {
  return { kind, name, basis: "seen" };
}
