/** What is replaced: names of one kind share a numbering, and the same name of another kind gets another replacement. */
export type NameKind =
  | "namespace"
  | "pod"
  | "container"
  | "node"
  | "owner"
  | "revision"
  | "image"
  | "image-id"
  | "container-id"
  | "uid"
  | "event"
  | "reason"
  | "key"
  | "text";

/** Replaces names by made-up ones, the same one each time: what was equal stays equal, and what differed differs. */
export class NameBook {
  readonly #replacements = new Map<NameKind, Map<string, string>>();

  /** The replacement of a name; `make` is asked for one, with the number of the name, where there is none yet. */
  replace(kind: NameKind, original: string, make = (number: number) => `${kind}-${number}`): string {
    const known = this.#replacements.get(kind) ?? new Map<string, string>();
    this.#replacements.set(kind, known);
    const replacement = known.get(original) ?? make(known.size + 1);
    known.set(original, replacement);
    return replacement;
  }

  /** The same of what may be missing, which stays missing. */
  replaceIfAny(kind: NameKind, original: string | null, make?: (number: number) => string): string | null {
    return original === null ? null : this.replace(kind, original, make);
  }

  /** A text that somebody wrote: only that there was one remains, and whether two are the same. */
  remove(text: string): string {
    return this.replace("text", text, (number) => `(removed ${number})`);
  }

  /** All replacements so far, with the originals: for whoever checks that nothing else has changed. */
  entries(): readonly { readonly kind: NameKind; readonly original: string; readonly replacement: string }[] {
    return [...this.#replacements].flatMap(([kind, known]) =>
      [...known].map(([original, replacement]) => ({ kind, original, replacement })),
    );
  }
}

/** A UID that is none: a UUID with nothing but a number in it. */
export function madeUpUid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** What Kubernetes makes hashes of (`SafeEncodeString`, k8s.io/apimachinery v0.37.1, pkg/util/rand/rand.go). */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

/** A number as Kubernetes would write a hash. */
export function madeUpHash(number: number): string {
  const rest = Math.floor(number / ALPHABET.length);
  return `${rest === 0 ? "" : madeUpHash(rest)}${ALPHABET[number % ALPHABET.length]}`;
}
