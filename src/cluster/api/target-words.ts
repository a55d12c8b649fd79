import { UserError } from "../../errors.ts";
import { kindOfWord, TARGET_KINDS, type TargetKind } from "../objects/workload-kinds.ts";
import { parseSelector } from "./target-selector.ts";

export interface Target {
  readonly kind: TargetKind;
  readonly name: string;
  /** Only for objects in files (-f), where the user can write `NAMESPACE/NAME`. */
  readonly namespace?: string;
}

export interface TargetWords {
  readonly targets: readonly Target[];
  /** The kind of the objects to select if `targets` is empty. */
  readonly kind: TargetKind;
}

interface WordsOptions {
  readonly mayLackName: boolean;
  readonly isNamespace: (prefix: string) => boolean;
}

/**
 * Reads e.g. `POD…`, `TYPE/NAME…`, `TYPE NAME…` or `TYPE`. A first word that is a type counts as the type, even if a
 * pod has this name.
 */
export function targetsIn(words: readonly string[], options: WordsOptions): TargetWords {
  const [first = "", ...rest] = words;
  const kind = first.includes("/") ? null : kindOfWord(first);
  if (kind === null) return { kind: "Pod", targets: words.map((word) => targetIn(word, "Pod", options)) };
  if (rest.length === 0 && !options.mayLackName) throw new UserError("noNameForType", first, kind.toLowerCase());
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

export function nameOfTarget({ kind, name, namespace }: Target): string {
  return namespace === undefined ? `${kind.toLowerCase()}/${name}` : `${namespace}/${name}`;
}

export function noMatchSentence(kind: TargetKind, selector: string | null, place: string): string {
  const kinds = `${kind.toLowerCase()}s`;
  return selector === null
    ? `There are no ${kinds} ${place}.`
    : `No ${kinds} match ${JSON.stringify(selector)} ${place}.`;
}

export function inNamespace(namespace: string | null): string {
  return namespace === null ? "in any namespace" : `in namespace ${JSON.stringify(namespace)}`;
}

export interface TargetArguments {
  readonly words: readonly string[];
  readonly selector: string | undefined;
  readonly allNamespaces: boolean;
}

export function askedTargets({
  words,
  selector,
  allNamespaces,
}: TargetArguments): TargetWords & { readonly selector: string | null } {
  const mayLackName = selector !== undefined || allNamespaces;
  const { targets, kind } = targetsIn(words, { mayLackName, isNamespace: () => false });
  if (targets.length > 0 && selector !== undefined) throw new UserError("namesAndSelector");
  if (targets.length > 0 && allNamespaces) throw new UserError("namesInAllNamespaces");
  targets.forEach(requirePossibleName);
  return { targets, kind, selector: selector === undefined ? null : parseSelector(selector).text };
}

/** See `IsDNS1123Subdomain` and `IsDNS1123Label` (apimachinery v0.37.1, pkg/util/validation/validation.go). */
const LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = { pattern: new RegExp(`^${LABEL}(?:\\.${LABEL})*$`), most: 253 };
const LABEL_ALONE = { pattern: new RegExp(`^${LABEL}$`), most: 63 };

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
  return name.length > 50 ? `${name.slice(0, 50)}…` : name;
}
