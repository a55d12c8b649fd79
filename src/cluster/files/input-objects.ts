import { eventSubjectOf } from "../objects/event.ts";
import { at, isObject, type JsonObject, oneOf, textOf } from "../objects/json-access.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { instantOf } from "../objects/timestamp.ts";
import { newestOfEach } from "../objects/versions.ts";
import { isInGroup, OBJECT_KINDS, type ObjectKind } from "../objects/workload-kinds.ts";

const OTHER_KINDS = ["Event", "Node", "Service", "EndpointSlice", "KubeletConfiguration", "Report"] as const;

type OtherKind = (typeof OTHER_KINDS)[number];

export interface InputObject {
  readonly kind: ObjectKind | OtherKind;
  readonly raw: JsonObject;
  readonly deleted: boolean;
  readonly arrivedAtMs: number | null;
  readonly folder: string;
}

export function newest(objects: readonly InputObject[]): readonly InputObject[] {
  return newestOfEach(objects, ({ kind, raw }) => JSON.stringify([kind, namespaceOf(raw), nameOf(raw)]));
}

export function existing(objects: readonly InputObject[]): readonly InputObject[] {
  return newest(objects).filter(({ deleted }) => !deleted);
}

export type ObjectsOfKind = (kind: InputObject["kind"]) => readonly InputObject[];

interface SkippedObject {
  /** In the singular, e.g. "ConfigMap object". */
  readonly skipped: string;
}

/** The kind alone is not enough: another API group can, for example, also have a kind named Node. */
const API_VERSIONS: Readonly<Record<OtherKind, RegExp>> = {
  Node: /^v1$/,
  Event: /^(v1|events\.k8s\.io\/.+)$/,
  Service: /^v1$/,
  EndpointSlice: /^discovery\.k8s\.io\/.+$/,
  KubeletConfiguration: /^kubelet\.config\.k8s\.io\/.+$/,
  Report: /^backoff\/v1$/,
};

interface Envelope extends Pick<InputObject, "deleted" | "arrivedAtMs"> {
  readonly value: unknown;
  /** The kind that the surrounding object implies. For example, the items of a PodList may have no kind. */
  readonly impliedKind: string | null;
}

/**
 * Opens arrays, lists such as a PodList, files of `kubectl backoff catch`, watch events ({type, object}) and the lines
 * of the project's recordings ({at, kind, type, object}). Opens a list once, even if YAML aliases repeat the list.
 */
export function* objectsIn(document: unknown, folder: string): Generator<InputObject | SkippedObject> {
  const opened = new Set<unknown>();
  const pending: Envelope[] = [{ value: document, deleted: false, arrivedAtMs: null, impliedKind: null }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const inside = contentOf(next);
    if (inside === null) yield classify(next, folder);
    else if (!opened.has(next.value)) for (const item of inside.reverse()) pending.push(item);
    opened.add(next.value);
  }
}

/** Returns the values inside a list or another envelope; null for a value that is neither, e.g. a Pod. */
function contentOf(envelope: Envelope): Envelope[] | null {
  const { value } = envelope;
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.map((item) => ({ ...envelope, value: item }));
  const kind = textOf(at(value, "kind"));
  const items = at(value, "items");
  if (kind === "Catch" && Array.isArray(items)) {
    // A file of `kubectl backoff catch` has the fields of a Report and of a List.
    return [{ ...value, kind: "Report" }, ...items].map((item) => ({ ...envelope, value: item }));
  }
  if (kind?.endsWith("List") && (Array.isArray(items) || items === null)) {
    const impliedKind = kind === "List" ? null : kind.slice(0, -"List".length);
    return (items ?? []).map((item) => ({ ...envelope, value: item, impliedKind }));
  }
  const type = at(value, "type");
  const object = at(value, "object");
  if (!isObject(object) || typeof type !== "string") return null;
  if (type === "BOOKMARK") return [];
  const arrivedAtMs = instantOf(at(value, "at"));
  return [{ value: object, deleted: type === "DELETED", arrivedAtMs, impliedKind: kind }];
}

function classify(envelope: Envelope, folder: string): InputObject | SkippedObject {
  const { value: raw, deleted, arrivedAtMs } = envelope;
  const kind = kindOf(envelope);
  if (kind === null) return { skipped: isObject(raw) ? "object without a kind" : "stray value" };
  const known = knownKind(kind, textOf(at(raw, "apiVersion")));
  if (known === null) return { skipped: `${kind} object` };
  if (known !== "KubeletConfiguration" && textOf(at(raw, "metadata", "name")) === null) {
    return { skipped: `${kind} object without a name` };
  }
  if (known === "Event") {
    const subject = eventSubjectOf(raw);
    if (subject.kind === null || subject.name === null) return { skipped: "Event object about nothing" };
  }
  return { kind: known, raw: raw as JsonObject, deleted, arrivedAtMs, folder };
}

function knownKind(kind: string, apiVersion: string | null): InputObject["kind"] | null {
  const workload = oneOf(kind, OBJECT_KINDS);
  if (workload !== null) return apiVersion === null || isInGroup(workload, apiVersion) ? workload : null;
  const other = oneOf(kind, OTHER_KINDS);
  return other !== null && (apiVersion === null || API_VERSIONS[other].test(apiVersion)) ? other : null;
}

function kindOf({ value, impliedKind }: Envelope): string | null {
  if (isObject(at(value, "kubeletconfig"))) return "KubeletConfiguration";
  const kind = textOf(at(value, "kind")) ?? impliedKind;
  return kind !== null && /^[A-Za-z][A-Za-z0-9]{0,62}$/.test(kind) ? kind : null;
}
