import type {
  CronJobSnapshot,
  OwnedPod,
  OwnersObservation,
  RevisionSnapshot,
  WorkloadSnapshot,
} from "../../explain/observed/observation.ts";
import { oneOf } from "../untrusted.ts";
import { anonymousConditions } from "./anonymous-conditions.ts";
import { anonymousOwner, anonymousPodName, revisionName } from "./anonymous-names.ts";
import { PHASES } from "./anonymous-pod.ts";
import type { NameBook } from "./name-book.ts";

/** What was seen above a pod, with nothing in it that names anything. The names have to be entered before (`enterOwners`). */
export function anonymousOwners(owners: OwnersObservation, book: NameBook): OwnersObservation {
  const { chain, workload, revisions, pods, missing } = owners;
  return {
    chain: chain.map((link) => ({ ...anonymousOwner(link, book), basis: link.basis })),
    workload: workload === null ? null : anonymousWorkload(workload, book),
    revisions: workload === null ? [] : revisions.map((revision) => anonymousRevision(revision, workload, book)),
    pods: pods.map((pod) => anonymousOwnedPod(pod, workload, book)),
    missing: missing.map(({ what, owner, why }) => ({ what, owner: anonymousOwner(owner, book), why })),
  };
}

function anonymousWorkload(workload: WorkloadSnapshot, book: NameBook): WorkloadSnapshot {
  const { name } = anonymousOwner(workload, book);
  switch (workload.kind) {
    case "Deployment": {
      const { replicas, updatedReplicas, availableReplicas, progressDeadlineMs, progressedAtMs } = workload;
      const numbers = { replicas, updatedReplicas, availableReplicas, progressDeadlineMs, progressedAtMs };
      return { kind: "Deployment", name, ...numbers, conditions: anonymousConditions(workload.conditions, book) };
    }
    case "StatefulSet": {
      const { replicas, readyReplicas, updatedReplicas, updateStrategy, partition, isOrdered } = workload;
      const revision = (own: string | null): string | null => own && revisionName(own, workload, book);
      const currentRevision = revision(workload.currentRevision);
      const updateRevision = revision(workload.updateRevision);
      const numbers = { replicas, readyReplicas, updatedReplicas, updateStrategy, partition, isOrdered };
      return { kind: "StatefulSet", name, ...numbers, currentRevision, updateRevision };
    }
    case "DaemonSet": {
      const { desired, updated, unavailable, updateStrategy } = workload;
      const maxUnavailable = /^\d{1,9}%?$/.test(workload.maxUnavailable) ? workload.maxUnavailable : "1";
      return { kind: "DaemonSet", name, desired, updated, unavailable, updateStrategy, maxUnavailable };
    }
    case "Job": {
      const { backoffLimit, perIndex, restartPolicy, failed, succeeded, active } = workload;
      const numbers = { backoffLimit, perIndex, restartPolicy, failed, succeeded, active };
      const cronJob = workload.cronJob === null ? null : anonymousCronJob(workload.cronJob, book);
      return { kind: "Job", name, ...numbers, conditions: anonymousConditions(workload.conditions, book), cronJob };
    }
  }
}

function anonymousCronJob({ name, schedule, suspended, concurrencyPolicy }: CronJobSnapshot, book: NameBook) {
  const isPlain = schedule !== null && /^[\d\s*/,-]{1,100}$/.test(schedule);
  const { name: made } = anonymousOwner({ kind: "CronJob", name }, book);
  return { name: made, schedule: isPlain ? schedule : null, suspended, concurrencyPolicy };
}

function anonymousRevision(
  { name, number, createdAtMs, images }: RevisionSnapshot,
  workload: WorkloadSnapshot,
  book: NameBook,
): RevisionSnapshot {
  return {
    name: revisionName(name, workload, book),
    number,
    createdAtMs,
    images: images.map(({ container, image }) => ({
      container: book.replace("container", container),
      image: book.replace("image", image),
    })),
  };
}

function anonymousOwnedPod(pod: OwnedPod, workload: WorkloadSnapshot | null, book: NameBook): OwnedPod {
  const { name, revision, phase, isReady, restarts, finishedAtMs, ofIndex } = pod;
  return {
    name: anonymousPodName(name, workload, book),
    revision: revision === null || workload === null ? null : revisionName(revision, workload, book),
    phase: oneOf(phase, PHASES),
    isReady,
    restarts,
    finishedAtMs,
    ...(ofIndex !== undefined && { ofIndex }),
  };
}
