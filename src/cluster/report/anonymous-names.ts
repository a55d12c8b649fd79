import type { OwnerReference, OwnersObservation } from "../../explain/observed/observation.ts";
import { OBJECT_KINDS } from "../workload-kinds.ts";
import { madeUpHash, type NameBook } from "./name-book.ts";

/** Kinds that everybody has; any other may name a product. */
const KINDS: readonly string[] = [...OBJECT_KINDS, "Node", "ReplicationController"];

/** An owner with another name; a kind that is not Kubernetes' own becomes "Custom". */
export function anonymousOwner({ kind, name }: OwnerReference, book: NameBook): OwnerReference {
  return { kind: kindOf(kind), name: ownerName(kind, name, book) };
}

function kindOf(kind: string): string {
  return KINDS.includes(kind) ? kind : "Custom";
}

function ownerName(kind: string, name: string, book: NameBook): string {
  if (kind === "Node") return book.replace("node", name);
  return book.replace("owner", `${kind}/${name}`, (number) => `${kindOf(kind).toLowerCase()}-${number}`);
}

/** A pod's name; the ordinal of a StatefulSet's pod stays, for updates go by it. */
export function anonymousPodName(name: string, owner: OwnerReference | null, book: NameBook): string {
  const ordinal = /-(\d+)$/.exec(name)?.[1];
  if (owner?.kind !== "StatefulSet" || ordinal === undefined) return book.replace("pod", name);
  return book.replace("pod", name, () => `${ownerName(owner.kind, owner.name, book)}-${ordinal}`);
}

/**
 * Enters the owners before the pod is: names that tell of a parent (`DEPLOYMENT-HASH`, `CRONJOB-MINUTES`, and the
 * ControllerRevisions) go on doing so.
 */
export function enterOwners({ chain, workload, revisions }: OwnersObservation, book: NameBook): void {
  const [controller, parent] = chain;
  if (parent !== undefined) anonymousOwner(parent, book);
  if (controller !== undefined) enterController(controller, parent, book);
  if (workload === null) return;
  const names = [
    ...revisions.map(({ name }) => name),
    ...(workload.kind === "StatefulSet" ? [workload.currentRevision, workload.updateRevision] : []),
  ];
  for (const name of names) if (name !== null) revisionName(name, workload, book);
}

function enterController(controller: OwnerReference, parent: OwnerReference | undefined, book: NameBook): void {
  const { kind, name } = controller;
  const above = parent === undefined ? "" : ownerName(parent.kind, parent.name, book);
  const key = `${kind}/${name}`;
  if (kind === "ReplicaSet" && parent?.kind === "Deployment") revisionName(name, parent, book);
  else if (kind === "Job" && parent?.kind === "CronJob")
    book.replace("owner", key, (number) => `${above}-${String(number).padStart(8, "0")}`);
  else anonymousOwner(controller, book);
}

/** The name of a workload's revision: a ReplicaSet's of a Deployment is also that of a pod's owner. */
export function revisionName(name: string, workload: OwnerReference, book: NameBook): string {
  const above = ownerName(workload.kind, workload.name, book);
  const made = book.replace("revision", name, (number) => `${above}-${madeUpHash(number)}`);
  return workload.kind === "Deployment" ? book.replace("owner", `ReplicaSet/${name}`, () => made) : made;
}

/** The hash at the end of a made-up revision's name, which pods have as a label. */
export function hashIn(revision: string): string {
  return revision.slice(revision.lastIndexOf("-") + 1);
}
