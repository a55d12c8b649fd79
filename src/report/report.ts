import type { Form, TextContent } from "../cluster/objects/declaration.ts";
import { EVENT } from "../cluster/objects/event.ts";
import { KIND } from "../cluster/objects/metadata.ts";
import { KUBELET_CONFIG, kubeletConfigIn, NODE } from "../cluster/objects/node.ts";
import { OWNED_POD, POD } from "../cluster/objects/pod.ts";
import { REPORT_API_VERSION } from "../cluster/objects/report-header.ts";
import { at, isObject } from "../cluster/objects/untrusted.ts";
import { SELECTOR, WORKLOAD } from "../cluster/objects/workload.ts";
import type { Observation, PodObservation, SourceObject } from "../explain/observed/observation.ts";
import { anonymousMessage, anonymousReason } from "./known-texts.ts";
import { enterNames, NameBook } from "./names.ts";

/** What a report says besides what was observed. */
export interface ReportRequest {
  readonly program: string;
  /** The kubelet versions that its model is for. */
  readonly model: string;
  /** The flags that the explanation depends on. */
  readonly flags: readonly string[];
}

/**
 * Makes a report of one pod: a List of objects as JSON, which `explain -f` explains as the pod was explained. It is written
 * anew from the declared fields of the objects, never by taking something out of the originals.
 */
export function reportOf(
  observed: PodObservation,
  { atMs, atBasis }: Pick<Observation, "atMs" | "atBasis">,
  request: ReportRequest,
  book = new NameBook(),
): string {
  enterNames(observed, book);
  const { pod, objects = [], owners } = observed;
  const around = (owners?.objects ?? []).filter((object) => !isOf(pod.name, object));
  const redaction = { book, selected: selectedLabels(around) };
  const items = [
    { ...headerOf(observed, book), ...request, at: new Date(atMs).toISOString(), atBasis },
    ...objects.map((object) => redactedObject(object, object.kind === "Pod" ? POD.form : formOf(object), redaction)),
    ...around.map((object) => redactedObject(object, formOf(object), redaction)),
  ];
  return `${JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2)}\n`;
}

/** The same objects with their own names and texts, but with the declared fields alone: no environment, no commands, no volumes. */
export function declaredCopies(objects: readonly SourceObject[], pod: string): readonly object[] {
  const redaction = { book: null, selected: selectedLabels(objects) };
  return objects.map((object) => redactedObject(object, isOf(pod, object) ? POD.form : formOf(object), redaction));
}

function isOf(pod: string, { kind, raw }: SourceObject): boolean {
  return kind === "Pod" && at(raw, "metadata", "name") === pod;
}

/** The object that a report holds about itself, as far as the observation tells: src/cluster/objects/report-header.ts. */
function headerOf({ pod, missing, owners }: PodObservation, book: NameBook): object {
  const ofOwners = (owners?.missing ?? []).map(({ what, why, owner: { kind, name } }) => {
    const owner = { kind: KIND.test(kind) ? kind : book.word(kind), name: book.replace("name", name, "owner") };
    return { what, why, owner };
  });
  return {
    apiVersion: REPORT_API_VERSION,
    kind: "Report",
    metadata: { name: "report" },
    pod: { namespace: book.replace("namespace", pod.namespace), name: book.replace("name", pod.name) },
    missing: [...missing, ...ofOwners],
  };
}

function redactedObject({ kind, raw }: SourceObject, form: Form, redaction: Redaction): object {
  if (kind === "KubeletConfiguration") return { kubeletconfig: redacted(kubeletConfigIn(raw), form, redaction) };
  return { apiVersion: API_VERSIONS[kind] ?? "apps/v1", kind, ...(redacted(raw, form, redaction) as object) };
}

const API_VERSIONS: Readonly<Record<string, string>> = {
  Pod: "v1",
  Event: "v1",
  Node: "v1",
  Job: "batch/v1",
  CronJob: "batch/v1",
};

const FORMS: Readonly<Record<string, Form>> = {
  Pod: OWNED_POD.form,
  Event: EVENT.form,
  Node: NODE.form,
  KubeletConfiguration: KUBELET_CONFIG.form,
};

function formOf({ kind }: SourceObject): Form {
  return FORMS[kind] ?? WORKLOAD.form;
}

/** The keys of the labels that workloads select their pods by. */
function selectedLabels(objects: readonly SourceObject[]): ReadonlySet<string> {
  const selectors = objects.map(({ raw }) => SELECTOR.read(at(raw, "spec", "selector"), []));
  return new Set(
    selectors.flatMap(({ matchLabels, matchExpressions }) => [
      ...Object.keys(matchLabels),
      ...matchExpressions.flatMap(({ key }) => key ?? []),
    ]),
  );
}

/** What a redaction replaces, and what it keeps. */
interface Redaction {
  /** Null: names and texts stay as they are. */
  readonly book: NameBook | null;
  /** The labels that a workload selects by. Other labels are left out. */
  readonly selected: ReadonlySet<string>;
}

/** An address for documentation (RFC 5737). The program reads only whether a pod has an address. */
const AN_ADDRESS = "192.0.2.1";

/**
 * Writes anew the part of a JSON value that its declaration knows. Names are replaced, and free text is removed. A value that
 * cannot be used is replaced by another one that cannot be used, so that the reader of the report is told about it, too.
 */
function redacted(value: unknown, form: Form, redaction: Redaction): unknown {
  if (value === undefined || value === null || value === "") return value;
  switch (form.type) {
    case "value":
      if (!form.isUsable(value)) return {};
      // A record has all names and messages; what a container is started with can hold a password.
      if (redaction.book === null && form.content === "command") return undefined;
      if (form.content === "plain" || redaction.book === null) return value;
      return redactedText(String(value), form.content, redaction.book);
    case "list":
      return Array.isArray(value)
        ? value.map((item) => redacted(item, form.item, redaction)).filter((item) => item !== undefined)
        : {};
    case "map":
      return isObject(value) ? redactedMap(value, form, redaction) : [];
    case "object": {
      if (!isObject(value)) return [];
      const fields = Object.entries(form.fields).filter(([name]) => Object.hasOwn(value, name));
      return Object.fromEntries(fields.map(([name, field]) => [name, redacted(value[name], field.form, redaction)]));
    }
  }
}

/** Keeps the keys that have a meaning in Kubernetes or for a selector, and those whose value cannot be used. */
function redactedMap(
  value: Readonly<Record<string, unknown>>,
  form: Extract<Form, { type: "map" }>,
  redaction: Redaction,
): object {
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const isKnown = form.keys.includes(key);
    const isUsable = item === null || form.value.type !== "value" || form.value.isUsable(item);
    if (!isKnown && isUsable && !redaction.selected.has(key)) return [];
    return [[isKnown ? key : (redaction.book?.replace("key", key) ?? key), redacted(item, form.value, redaction)]];
  });
  return Object.fromEntries(entries);
}

function redactedText(text: string, content: RegExp | TextContent, book: NameBook): string {
  if (content instanceof RegExp) return content.test(text) ? text : book.word(text);
  switch (content) {
    case "name":
      return book.replace("name", text, "object");
    case "label":
      return book.replace("name", text, "label");
    case "label-key":
      return book.replace("key", text);
    case "uid":
      return book.uid(text);
    case "container-id":
      return book.replace("container-id", text, "container-id", (number) => `runtime://${number}`);
    case "address":
      return AN_ADDRESS;
    case "field-path":
      return fieldPath(text, book);
    case "reason":
      return anonymousReason(text, book);
    case "command":
      return book.remove(text);
    case "message":
      return anonymousMessage(text, book);
    default:
      return book.replace(content, text);
  }
}

/** `spec.containers{app}` → "spec.containers{container-1}". */
function fieldPath(text: string, book: NameBook): string {
  const [, list, container] = /^(spec\.\w+)\{(.+)\}$/.exec(text) ?? [];
  return container === undefined ? book.remove(text) : `${list}{${book.replace("container", container)}}`;
}
