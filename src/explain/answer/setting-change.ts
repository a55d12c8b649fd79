import { excerpt } from "./excerpt.ts";
import { firstOf } from "./prose.ts";

/** A difference between two pod templates. In `old` and `new`, "***" can stand for text that looks secret. */
export interface SettingChange {
  /** Null for a setting of the whole pod. */
  readonly container: string | null;
  /** E.g. "env DB_HOST", "livenessProbe.periodSeconds", or "init container" for a whole container. */
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  /** Null if the older template does not set the value, or if the program does not print the value, e.g. a secret. */
  readonly old: string | null;
  readonly new: string | null;
}

/** "shareable": without the values of `SENSITIVE` settings, for texts that users pass on. */
export type ShownValues = "all" | "shareable";

export function isWholeContainer({ path }: SettingChange): boolean {
  return /^(init |sidecar )?container$/.test(path);
}

const SENSITIVE = /^(env|command|args)\b|Probe\.(exec|httpGet)/;

const MOST_SETTINGS = 3;
const LONGEST_VALUE = 40;

/** Returns e.g. "env DB_HOST: db → dbx, changed command, removed args and 2 more". */
export function changesInWords(
  changes: readonly SettingChange[],
  isContainerNamed: boolean,
  shown: ShownValues,
): string {
  return firstOf(changes, MOST_SETTINGS, (change) => changeInWords(change, isContainerNamed, shown));
}

function changeInWords(change: SettingChange, isContainerNamed: boolean, shown: ShownValues): string {
  const { kind, path, container } = change;
  if (isWholeContainer(change)) return `${kind} ${path} ${container}`;
  const of = isContainerNamed && container !== null ? ` of ${container}` : "";
  const [old, now] = valuesOf(change, shown);
  if (old !== null && now !== null) return `${path}${of}${path === "image" ? "" : ":"} ${old} → ${now}`;
  const value = old ?? now;
  return `${kind} ${path}${of}${value === null ? "" : ` (${value})`}`;
}

/** Returns what an undo of the changes restores, e.g. "DB_HOST=db, its command, its args and 2 more". */
export function restoredInWords(
  changes: readonly SettingChange[],
  isContainerNamed: boolean,
  shown: ShownValues,
): string {
  const words = changes.map((change) => restored(change, isContainerNamed, shown));
  const sorted = words.toSorted((a, b) => Number(b.hasValue) - Number(a.hasValue));
  return firstOf(sorted, MOST_SETTINGS, ({ text }) => text);
}

function restored(change: SettingChange, isContainerNamed: boolean, shown: ShownValues) {
  const { kind, container } = change;
  const path = change.path.replace(/^env /, "");
  if (isWholeContainer(change))
    return { text: `${kind === "added" ? "without" : "with its"} ${path} ${container}`, hasValue: false };
  const of = isContainerNamed && container !== null ? ` of ${container}` : "";
  if (kind === "added") return { text: `without ${path}${of}`, hasValue: false };
  const [value] = valuesOf(change, shown);
  if (value === null) return { text: `its ${path}${of}`, hasValue: false };
  const isSeveralWords = path === "image" || path === "command" || path === "args";
  const sign = path.startsWith("volume ") ? ": " : isSeveralWords ? " " : "=";
  return { text: `${path}${sign}${value}${of}`, hasValue: true };
}

function valuesOf({ path, old, new: now }: SettingChange, shown: ShownValues): readonly [string | null, string | null] {
  if (shown === "shareable" && SENSITIVE.test(path)) return [null, null];
  const [before, after] = path === "image" ? withoutRegistry(old, now) : [old, now];
  if (path === "command" || path === "args") return differingWords(before, after);
  return [before && excerpt(before, LONGEST_VALUE), after && excerpt(after, LONGEST_VALUE)];
}

/** Returns e.g. "web:1" for "r.io/shop/web:1", unless the two images differ in registry or path. */
function withoutRegistry(old: string | null, now: string | null): readonly [string | null, string | null] {
  const place = (image: string | null): string => /^.*\//.exec(image ?? "")?.[0] ?? "";
  if (place(old) !== place(now) && old !== null && now !== null) return [old, now];
  return [old?.slice(place(old).length) ?? null, now?.slice(place(now).length) ?? null];
}

/** Returns e.g. "--port=80" and "--port=81" for "run --port=80 -v" and "run --port=81 -v". */
function differingWords(old: string | null, now: string | null): readonly [string | null, string | null] {
  if (old === null || now === null) return [null, null];
  const [before, after] = [old.split(/\s+/), now.split(/\s+/)];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = [before, after].map((words) => words.slice(start, words.length - end).join(" "));
  const isShort = middle.every((text) => text !== "" && text.length <= LONGEST_VALUE);
  return isShort ? [middle[0] ?? null, middle[1] ?? null] : [null, null];
}
