import { KIND, REVISION_LABELS } from "../cluster/objects/metadata.ts";
import type { OwnerReference, PodObservation } from "../explain/observed/observation.ts";

/** Equal texts of one kind get equal replacements. "name" is the name of an object of any kind. */
type NameKind =
  | ("name" | "namespace" | "uid" | "container" | "container-id" | "image" | "image-id")
  | ("label" | "key" | "word" | "text");

/** Replaces names with made-up ones. Different names get different replacements. */
export class NameBook {
  readonly #replacements = new Map<NameKind, Map<string, string>>();
  readonly #counts = new Map<string, number>();

  /** Returns the replacement of a name. A new name gets `word` and the next number by default, e.g. "pod-2". */
  replace(
    kind: NameKind,
    original: string,
    word: string = kind,
    make = (number: number) => `${word}-${number}`,
  ): string {
    const known = this.#replacements.get(kind)?.get(original);
    if (known !== undefined) return known;
    const number = (this.#counts.get(word) ?? 0) + 1;
    this.#counts.set(word, number);
    return this.enter(kind, original, make(number));
  }

  /** Sets the replacement of a name, unless the name already has one. Returns the replacement. */
  enter(kind: NameKind, original: string, replacement: string): string {
    const ofKind = this.#replacements.get(kind) ?? new Map<string, string>();
    this.#replacements.set(kind, ofKind);
    if (!ofKind.has(original)) ofKind.set(original, replacement);
    return ofKind.get(original) ?? replacement;
  }

  uid(original: string): string {
    const make = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
    return this.replace("uid", original, "uid", make);
  }

  /** Returns the replacement of a word that is not Kubernetes' own, e.g. "Other1". */
  word(original: string, like = "Other"): string {
    return this.replace("word", original, like, (number) => `${like}${number}`);
  }

  remove(text: string): string {
    return this.replace("text", text, "text", (number) => `(removed ${number})`);
  }

  entries(): readonly { readonly kind: NameKind; readonly original: string; readonly replacement: string }[] {
    return [...this.#replacements].flatMap(([kind, known]) =>
      [...known].map(([original, replacement]) => ({ kind, original, replacement })),
    );
  }
}

/**
 * Makes up names for a pod, its node, its owners and its events. If the program infers another name from a name
 * (`DEPLOYMENT-HASH`, `CRONJOB-MINUTES`, `STATEFULSET-ORDINAL`), the replacement has the same form.
 */
export function enterNames({ pod, node, events, nodeEvents, owners }: PodObservation, book: NameBook): void {
  for (const label of REVISION_LABELS) book.enter("key", label, label);
  const { chain = [], workload = null, revisions = [], pods = [] } = owners ?? {};
  const [controller, parent] = chain;
  for (const owner of [parent, controller]) if (owner !== undefined) enterOwner(owner, parent, book);
  if (workload !== null) {
    enterOwner(workload, undefined, book);
    const { name: above } = workload;
    const own = workload.kind === "StatefulSet" ? [workload.currentRevision, workload.updateRevision] : [];
    for (const name of [...revisions.map((revision) => revision.name), ...own])
      if (name !== null) enterRevision(name, above, book);
  }
  for (const name of [pod.name, ...pods.map((other) => other.name)]) enterPod(name, workload ?? pod.owner, book);
  for (const name of [pod.nodeName, node?.name]) {
    // The kubelet writes its node's name where the UID belongs.
    if (name) book.enter("uid", name, book.replace("name", name, "node"));
  }
  for (const { name } of [...events, ...nodeEvents]) book.replace("name", name, "event");
}

function enterOwner({ kind, name }: OwnerReference, parent: OwnerReference | undefined, book: NameBook): void {
  if (kind === "ReplicaSet" && parent?.kind === "Deployment") {
    enterRevision(name, parent.name, book);
  } else if (kind === "Job" && parent?.kind === "CronJob") {
    const above = book.replace("name", parent.name, "cronjob");
    book.replace("name", name, above, (number) => `${above}-${String(number).padStart(8, "0")}`);
  } else {
    book.replace("name", name, KIND.test(kind) ? kind.toLowerCase() : "owner");
  }
}

/** Makes up a name for a revision, and for the hash at its end, because pods have that hash as a label. */
function enterRevision(name: string, workload: string, book: NameBook): void {
  const above = book.replace("name", workload);
  const made = book.replace("name", name, `${above} revision`, (number) => `${above}-${hashOf(number)}`);
  const hash = name.startsWith(`${workload}-`) ? name.slice(workload.length + 1) : null;
  if (hash !== null && made.startsWith(`${above}-`)) book.enter("name", hash, made.slice(above.length + 1));
}

/** The characters of Kubernetes' hashes (`SafeEncodeString`, k8s.io/apimachinery v0.37.1, pkg/util/rand/rand.go). */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

function hashOf(number: number): string {
  const rest = Math.floor(number / ALPHABET.length);
  return `${rest === 0 ? "" : hashOf(rest)}${ALPHABET[number % ALPHABET.length]}`;
}

/** Makes up a name for a pod. Keeps the ordinal of a StatefulSet's pod, because updates follow the ordinals. */
function enterPod(name: string, owner: OwnerReference | null, book: NameBook): void {
  const ordinal = owner?.kind === "StatefulSet" ? /-\d+$/.exec(name)?.[0] : undefined;
  if (owner === null || ordinal === undefined) book.replace("name", name, "pod");
  else book.enter("name", name, `${book.replace("name", owner.name, "statefulset")}${ordinal}`);
}
