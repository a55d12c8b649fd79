import { UserError } from "../../errors.ts";
import { requirePossibleName } from "./name-rules.ts";
import { parseSelector } from "./target-selector.ts";
import { type TargetWords, targetsIn } from "./target-words.ts";

/** What the command line says of the pods that are meant. */
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
