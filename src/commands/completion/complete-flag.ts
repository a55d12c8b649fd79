import { DIRECTIVES } from "./candidates.ts";
import { flagsOf } from "./line.ts";
import type { Question } from "./question.ts";

/** The flags that can still be given, in the command's own order. */
export function completeFlag({ line, table, onFound }: Question): void {
  const shown = flagsOf(table, line.command).filter(({ hidden }) => !hidden);
  const open = shown.filter(({ name, multiple }) => multiple || !line.flags.has(name));
  const candidates = open.flatMap(({ name, char, description }) => [
    { text: `--${name}`, description },
    ...(char === null ? [] : [{ text: `-${char}`, description }]),
  ]);
  onFound({ candidates, directive: DIRECTIVES.noFiles });
}
