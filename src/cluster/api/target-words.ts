import { UserError } from "../../errors.ts";
import { kindOfWord, TARGET_KINDS, type TargetKind } from "../objects/workload-kinds.ts";
import { parseSelector } from "./target-selector.ts";

export interface Target {
  readonly kind: TargetKind;
  readonly name: string;
  /** From `NAMESPACE/NAME`, which only input in files takes; else undefined. */
  readonly namespace?: string;
}

export interface TargetWords {
  readonly targets: readonly Target[];
  /** The type of what a selector, or --all-namespaces alone, chooses. */
  readonly kind: TargetKind;
}

interface WordsOptions {
  /** Whether there is a selector, or --all-namespaces: then a type needs no name. */
  readonly isSelecting: boolean;
  /** Whether what stands before a slash is a namespace, if it is no type: in files, not in clusters. */
  readonly isNamespace: (prefix: string) => boolean;
}

/**
 * Reads `POD…`, `TYPE/NAME…`, `TYPE NAME…` and a TYPE alone before a selector, as kubectl does. A first word that is a type
 * is one only if names or a selector follow; a pod of such a name is `pod/NAME`. Throws usage errors.
 */
export function targetsIn(words: readonly string[], options: WordsOptions): TargetWords {
  const [first = "", ...rest] = words;
  const kind = first.includes("/") ? null : kindOfWord(first);
  if (kind === null) return { kind: "Pod", targets: words.map((word) => targetIn(word, "Pod", options)) };
  if (rest.length === 0 && !options.isSelecting) throw new UserError("noNameForType", first, kind.toLowerCase());
  return { kind, targets: rest.map((word) => targetIn(word, kind, options)) };
}

function targetIn(word: string, kind: TargetKind, { isNamespace }: WordsOptions): Target {
  const slash = word.indexOf("/");
  if (slash === -1) return { kind, name: word };
  const prefix = word.slice(0, slash);
  const name = word.slice(slash + 1);
  const own = kindOfWord(prefix);
  if (own !== null && name !== "") return { kind: own, name };
  if (own !== null) throw new UserError("noNameForType", prefix, own.toLowerCase());
  if (isNamespace(prefix)) return { kind, name, namespace: prefix };
  throw new UserError(
    "unknownType",
    prefix,
    TARGET_KINDS.map((known) => known.toLowerCase()),
  );
}

/** "deployment/api", as kubectl names it. */
export function nameOfTarget({ kind, name, namespace }: Target): string {
  return namespace === undefined ? `${kind.toLowerCase()}/${name}` : `${namespace}/${name}`;
}

interface AskedWords {
  readonly words: readonly string[];
  readonly selector: string | undefined;
  readonly allNamespaces: boolean;
}

/** Reads which pods of a cluster are meant, without asking for them. Throws usage errors. */
export function askedTargets({
  words,
  selector,
  allNamespaces,
}: AskedWords): TargetWords & { readonly selector: string | null } {
  const isSelecting = selector !== undefined || allNamespaces;
  const asked = targetsIn(words, { isSelecting, isNamespace: () => false });
  if (asked.targets.length > 0 && selector !== undefined) throw new UserError("namesAndSelector");
  if (asked.targets.length > 0 && allNamespaces) throw new UserError("namesInAllNamespaces");
  asked.targets.forEach(requirePossibleName);
  return { ...asked, selector: selector === undefined ? null : parseSelector(selector).text };
}

/** `IsDNS1123Subdomain` and `IsDNS1123Label` (apimachinery v0.37.1, pkg/util/validation/validation.go). */
const LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = { pattern: new RegExp(`^${LABEL}(?:\\.${LABEL})*$`), most: 253 };
const LABEL_ALONE = { pattern: new RegExp(`^${LABEL}$`), most: 63 };

/** Names are cut in messages: nobody reads 253 characters. */
const MOST_SHOWN = 50;

/** Throws a usage error for a name that no pod or workload can have, so that nobody has to be asked for it. */
export function requirePossibleName({ kind, name }: Target): void {
  const because = whyNot(name, SUBDOMAIN);
  if (because === null) return;
  const meant = name.trim().toLowerCase().replaceAll("_", "-");
  const nearest = meant !== name && whyNot(meant, SUBDOMAIN) === null ? meant : null;
  throw new UserError("impossibleName", cut(name), kind.toLowerCase(), because, nearest);
}

export function requirePossibleNamespace(name: string): void {
  const because = whyNot(name, LABEL_ALONE);
  if (because !== null) throw new UserError("impossibleName", cut(name), "namespace", because, null);
}

function whyNot(name: string, { pattern, most }: typeof SUBDOMAIN): string | null {
  if (name === "") return "it is empty";
  if (name.length > most) return `it has ${name.length} characters, and ${most} is the most`;
  if (pattern.test(name)) return null;
  return "names are lowercase letters, digits and dashes, with a letter or digit at both ends";
}

function cut(name: string): string {
  return name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name;
}
