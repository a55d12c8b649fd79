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

export interface ReportRequest {
  readonly program: string;
  /** The kubelet versions that the program models, e.g. "v1.19 to v1.37". */
  readonly model: string;
  readonly flags: readonly string[];
}

/**
 * Returns a report of one pod: a List of objects as JSON. `explain -f` gives the same explanation of it as of the pod. Copies
 * only the fields that src/cluster/objects declares, so that no unknown field gets into a report.
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
    ...objects.map((object) => redactedObject(object, redaction, object.kind === "Pod")),
    ...around.map((object) => redactedObject(object, redaction)),
  ];
  return `${JSON.stringify({ apiVersion: "v1", kind: "List", items }, null, 2)}\n`;
}

/** Copies the declared fields of objects, with names and texts, but without commands: they can contain passwords. */
export function declaredCopies(objects: readonly SourceObject[], pod: string): readonly object[] {
  const redaction = { book: null, selected: selectedLabels(objects) };
  return objects.map((object) => redactedObject(object, redaction, isOf(pod, object)));
}

function isOf(pod: string, { kind, raw }: SourceObject): boolean {
  return kind === "Pod" && at(raw, "metadata", "name") === pod;
}

/** Returns the fields of the Report object (src/cluster/objects/report-header.ts) that come from the observation. */
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

/** Copies all declared fields of the explained pod (`isExplained`), but fewer fields of a workload's other pods. */
function redactedObject({ kind, raw }: SourceObject, redaction: Redaction, isExplained = false): object {
  const form = isExplained ? POD.form : (KINDS[kind]?.form ?? WORKLOAD.form);
  if (kind === "KubeletConfiguration") return { kubeletconfig: redacted(kubeletConfigIn(raw), form, redaction) };
  return { apiVersion: KINDS[kind]?.apiVersion ?? "apps/v1", kind, ...(redacted(raw, form, redaction) as object) };
}

/** How to copy an object, by its kind. Any other kind is a workload of the API group apps. */
const KINDS: Readonly<Record<string, { readonly form: Form; readonly apiVersion?: string }>> = {
  Pod: { form: OWNED_POD.form, apiVersion: "v1" },
  Event: { form: EVENT.form, apiVersion: "v1" },
  Node: { form: NODE.form, apiVersion: "v1" },
  Job: { form: WORKLOAD.form, apiVersion: "batch/v1" },
  CronJob: { form: WORKLOAD.form, apiVersion: "batch/v1" },
  KubeletConfiguration: { form: KUBELET_CONFIG.form },
};

function selectedLabels(objects: readonly SourceObject[]): ReadonlySet<string> {
  const selectors = objects.map(({ raw }) => SELECTOR.read(at(raw, "spec", "selector"), []));
  return new Set(
    selectors.flatMap(({ matchLabels, matchExpressions }) => [
      ...Object.keys(matchLabels),
      ...matchExpressions.flatMap(({ key }) => key ?? []),
    ]),
  );
}

interface Redaction {
  /** Makes up the names. If null, names and texts stay as they are. */
  readonly book: NameBook | null;
  readonly selected: ReadonlySet<string>;
}

/**
 * Copies the declared part of a JSON value, with made-up names and without free text. Replaces an unusable value with
 * another unusable one, so that an explanation of the report mentions the problem, too.
 */
function redacted(value: unknown, form: Form, redaction: Redaction): unknown {
  if (value === undefined || value === null || value === "") return value;
  switch (form.type) {
    case "value":
      if (!form.isUsable(value)) return {};
      // A catch keeps names and messages, but a container's command can hold a password.
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

/** Keeps the keys that have a meaning in Kubernetes or that a selector names, and all keys with unusable values. */
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
  return REPLACEMENTS[content](text, book);
}

const REPLACEMENTS: { readonly [Kind in TextContent]: (text: string, book: NameBook) => string } = {
  name: (text, book) => book.replace("name", text, "object"),
  namespace: (text, book) => book.replace("namespace", text),
  uid: (text, book) => book.uid(text),
  container: (text, book) => book.replace("container", text),
  "container-id": (text, book) => book.replace("container-id", text, "container-id", (number) => `runtime://${number}`),
  image: (text, book) => book.replace("image", text),
  "image-id": (text, book) => book.replace("image-id", text),
  // An address for documentation (RFC 5737): the program reads only whether a pod has one.
  address: () => "192.0.2.1",
  "label-key": (text, book) => book.replace("key", text),
  label: (text, book) => book.replace("name", text, "label"),
  "field-path": fieldPath,
  reason: anonymousReason,
  message: anonymousMessage,
  command: (text, book) => book.remove(text),
};

/** Replaces the container's name: `spec.containers{app}` → "spec.containers{container-1}". */
function fieldPath(text: string, book: NameBook): string {
  const [, list, container] = /^(spec\.\w+)\{(.+)\}$/.exec(text) ?? [];
  return container === undefined ? book.remove(text) : `${list}{${book.replace("container", container)}}`;
}
