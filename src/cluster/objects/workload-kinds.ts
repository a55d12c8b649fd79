interface Kind {
  readonly group: "" | "apps" | "batch";
  readonly plural: string;
  readonly short: string | null;
}

const KINDS = {
  Pod: { group: "", plural: "pods", short: "po" },
  Deployment: { group: "apps", plural: "deployments", short: "deploy" },
  StatefulSet: { group: "apps", plural: "statefulsets", short: "sts" },
  DaemonSet: { group: "apps", plural: "daemonsets", short: "ds" },
  ReplicaSet: { group: "apps", plural: "replicasets", short: "rs" },
  Job: { group: "batch", plural: "jobs", short: null },
  CronJob: { group: "batch", plural: "cronjobs", short: "cj" },
  ControllerRevision: { group: "apps", plural: "controllerrevisions", short: null },
} as const satisfies Readonly<Record<string, Kind>>;

export type ObjectKind = keyof typeof KINDS;

/** A kind that the user can name on the command line. */
export type TargetKind = Exclude<ObjectKind, "ControllerRevision">;

export type WorkloadKind = Exclude<TargetKind, "Pod">;

export const OBJECT_KINDS = Object.keys(KINDS) as readonly ObjectKind[];

export const TARGET_KINDS = OBJECT_KINDS.filter((kind) => kind !== "ControllerRevision");

/** Accepts e.g. "deployment", "Deployments", "deploy", "deployments.apps" and "deployments.v1.apps", like kubectl. */
export function kindOfWord(word: string): TargetKind | null {
  const [name = "", ...qualifiers] = word.toLowerCase().split(".");
  const isNamed = (kind: TargetKind): boolean =>
    [kind.toLowerCase(), KINDS[kind].plural, KINDS[kind].short].some((known) => known === name);
  const found = TARGET_KINDS.find(isNamed);
  if (found === undefined) return null;
  const { group } = KINDS[found];
  return ["", group, `v1.${group}`].includes(qualifiers.join(".")) ? found : null;
}

export function isInGroup(kind: ObjectKind, apiVersion: string): boolean {
  const { group } = KINDS[kind];
  return group === "" ? apiVersion === "v1" : apiVersion.startsWith(`${group}/`);
}

/** Replaces half a surrogate pair by U+FFFD, because encodeURIComponent would throw an error. */
export function inPath(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

export function collectionPath(kind: ObjectKind, namespace: string | null): string {
  const { group, plural } = KINDS[kind];
  const root = group === "" ? "/api/v1" : `/apis/${group}/v1`;
  return `${root}${namespace === null ? "" : `/namespaces/${inPath(namespace)}`}/${plural}`;
}

export function objectPath(kind: ObjectKind, namespace: string | null, name: string): string {
  return `${collectionPath(kind, namespace)}/${inPath(name)}`;
}
