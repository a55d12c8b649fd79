interface Kind {
  /** The API group; "" is the core. */
  readonly group: "" | "apps" | "batch";
  readonly plural: string;
  /** kubectl's short name. */
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

/** The kinds of objects that pods and what makes them are read from. */
export type ObjectKind = keyof typeof KINDS;

/** A kind that pods can be named by: pods, and what makes pods. */
export type TargetKind = Exclude<ObjectKind, "ControllerRevision">;

export type WorkloadKind = Exclude<TargetKind, "Pod">;

/** All the kinds that are read, for input that has them. */
export const OBJECT_KINDS = Object.keys(KINDS) as readonly ObjectKind[];

export const TARGET_KINDS = OBJECT_KINDS.filter((kind) => kind !== "ControllerRevision");

/**
 * The kind that a word names as kubectl takes it: singular, plural or short name, in any case, perhaps with version and
 * group ("deployments.apps", "jobs.v1.batch"). Null for any other word.
 */
export function kindOfWord(word: string): TargetKind | null {
  const [name = "", ...qualifiers] = word.toLowerCase().split(".");
  const found = TARGET_KINDS.find((kind) => wordsOf(kind).includes(name));
  if (found === undefined) return null;
  const { group } = KINDS[found];
  const allowed = ["", group, `v1.${group}`];
  return allowed.includes(qualifiers.join(".")) ? found : null;
}

function wordsOf(kind: TargetKind): readonly (string | null)[] {
  return [kind.toLowerCase(), KINDS[kind].plural, KINDS[kind].short];
}

/** Whether an `apiVersion` is of that kind's group: other groups have kinds of the same name. */
export function isInGroup(kind: ObjectKind, apiVersion: string): boolean {
  const { group } = KINDS[kind];
  return group === "" ? apiVersion === "v1" : apiVersion.startsWith(`${group}/`);
}

/** A name as a part of a path. One that is no text of Unicode's is no name of the API's either: it then finds nothing. */
export function inPath(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

/** The path of all objects of a kind: in one namespace, or with null in all. */
export function collectionPath(kind: ObjectKind, namespace: string | null): string {
  const { group, plural } = KINDS[kind];
  const root = group === "" ? "/api/v1" : `/apis/${group}/v1`;
  return `${root}${namespace === null ? "" : `/namespaces/${inPath(namespace)}`}/${plural}`;
}
