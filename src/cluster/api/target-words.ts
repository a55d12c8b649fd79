import { UserError } from "../../errors.ts";
import { kindOfWord, TARGET_KINDS, type TargetKind } from "../objects/workload-kinds.ts";

/** Something that was named on the command line. */
export interface Target {
  readonly kind: TargetKind;
  readonly name: string;
  /** From `NAMESPACE/NAME`, which only input in files takes; else undefined. */
  readonly namespace?: string;
}

/** What the command line asks for. */
export interface TargetWords {
  readonly targets: readonly Target[];
  /** The type of what a selector, or --all-namespaces alone, chooses. */
  readonly kind: TargetKind;
}

/** How the words are to be read. */
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
