import { aRawPod } from "./raw-objects.ts";

interface Owner {
  readonly kind: string;
  readonly name: string;
}

const API_VERSIONS: Readonly<Record<string, string>> = { Job: "batch/v1", CronJob: "batch/v1" };

/** The program does not read owners of this kind. */
export const UNREAD_OWNER: Owner = { kind: "Node", name: "node-a" };

export const uidOf = ({ kind, name }: Owner): string => `uid-of-${kind}-${name}`;

export function ownedBy(owner: Owner | null, name: string, more: object = {}): object {
  const reference = owner && {
    apiVersion: API_VERSIONS[owner.kind] ?? "apps/v1",
    ...owner,
    uid: uidOf(owner),
    controller: true,
  };
  const ownerReferences = reference === null ? {} : { ownerReferences: [reference] };
  return { name, namespace: "prod", creationTimestamp: "2026-11-21T12:00:00Z", ...ownerReferences, ...more };
}

export function aRawWorkload(
  kind: string,
  name: string,
  parts: { metadata?: object; spec?: object; status?: object } = {},
) {
  return {
    apiVersion: API_VERSIONS[kind] ?? "apps/v1",
    kind,
    metadata: { ...ownedBy(null, name), uid: uidOf({ kind, name }), ...parts.metadata },
    spec: { selector: { matchLabels: { app: name } }, ...parts.spec },
    status: parts.status ?? {},
  };
}

export function aRawReplicaSet(deployment: string, hash: string, revision: number, image: string): object {
  const annotations = { "deployment.kubernetes.io/revision": String(revision) };
  const name = `${deployment}-${hash}`;
  const labels = { app: deployment, "pod-template-hash": hash };
  const metadata = { ...ownedBy({ kind: "Deployment", name: deployment }, name), annotations, labels };
  const template = { spec: { containers: [{ name: "app", image }] } };
  return aRawWorkload("ReplicaSet", name, {
    metadata,
    spec: { template, selector: { matchLabels: { app: deployment } } },
  });
}

export function aRawOwnedPod(owner: Owner, name: string, labels: object = {}): object {
  return aRawPod({ metadata: { ...ownedBy(owner, name), uid: `uid-of-${name}`, labels } });
}

export function aFineRawPod(owner: Owner, name: string, labels: object = {}): object {
  const state = { running: { startedAt: "2026-11-21T11:00:00Z" } };
  const status = { name: "app", image: "web:1", restartCount: 0, ready: true, started: true, state };
  const conditions = [{ type: "Ready", status: "True" }];
  return {
    ...aRawOwnedPod(owner, name, labels),
    status: { phase: "Running", conditions, containerStatuses: [status] },
  };
}

export const listOf = (items: readonly object[], more = ""): object => ({ metadata: { continue: more }, items });
