import type { ContainerExplanation, Explanation, Window } from "../../src/explain/answer/explanation.ts";
import { schemaErrors } from "../../test/support/schema.ts";

export function faultsOfExplanation({ atMs, pods }: Explanation): string[] {
  return pods.flatMap((pod) => [
    ...pod.containers.flatMap((container) =>
      faultsOfContainer(container, atMs).map((fault) => `${container.type}: ${fault}`),
    ),
    ...pod.gaps
      .filter(({ message }) => message.length > MOST_GAP_LENGTH)
      .map(({ code }) => `the gap ${code} is too long`),
  ]);
}

const MOST_GAP_LENGTH = 2_000_000;

function faultsOfContainer(container: ContainerExplanation, atMs: number): string[] {
  const { nextRestart, overdue, imagePull, delayMs, history, lastExit, reset, restartCount } = container;
  const times = [lastExit, ...history].filter((each) => each !== null);
  return [
    ...windowFaults("nextRestart", nextRestart, atMs),
    ...windowFaults("nextPull", imagePull?.nextPull ?? null, atMs),
    ...(overdue !== null && (nextRestart ?? imagePull?.nextPull ?? null) !== null ? ["overdue, with a window"] : []),
    ...(overdue === null || overdue.expectedByMs <= atMs ? [] : ["overdue before it is expected"]),
    ...(delayMs !== null && !(delayMs >= 0) ? [`a delay of ${delayMs}`] : []),
    ...(imagePull !== null && imagePull.delayMs !== null && !(imagePull.delayMs >= 0) ? ["a negative pull delay"] : []),
    ...(restartCount >= 0 && Number.isSafeInteger(restartCount) ? [] : [`${restartCount} restarts`]),
    ...(reset === null || Number.isFinite(reset.atMs) ? [] : ["a reset at no instant"]),
    ...times.flatMap(({ startedAtMs, finishedAtMs }) =>
      startedAtMs !== null && finishedAtMs !== null && startedAtMs > finishedAtMs
        ? ["a run that ends before it begins"]
        : [],
    ),
    ...history.flatMap(({ waitedMs, startedBetweenMs, start }) => [
      ...(waitedMs !== null && !(waitedMs >= 0) ? ["a negative wait"] : []),
      ...(startedBetweenMs !== null && !(startedBetweenMs[0] <= startedBetweenMs[1])
        ? ["bounds in the wrong order"]
        : []),
      ...(start >= 0 ? [] : [`start ${start}`]),
    ]),
  ];
}

function windowFaults(name: string, window: Window | null, atMs: number): string[] {
  if (window === null) return [];
  const { notBeforeMs, likelyByMs } = window;
  return [
    ...(notBeforeMs <= likelyByMs ? [] : [`${name} ends before it begins`]),
    ...(notBeforeMs >= atMs ? [] : [`${name} begins before now`]),
    ...(likelyByMs >= atMs ? [] : [`${name} ends before now`]),
  ];
}

const NO_VALUES = /NaN|Invalid Date|undefined|Infinity|\[object \w+\]/;

/** kubectl's word for an impossible age. */
const NO_AGE = /<invalid>/;

/** Control, bidirectional and invisible characters, except `\n` and the variation selectors U+FE0E and U+FE0F. */
const CONTROLS =
  /[^\n\P{Cc}]|[\u2028\u2029\ufff9-\ufffb]|\p{Bidi_Control}|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u;

export function faultsOfOutput(form: string, text: string): string[] {
  const odd = NO_VALUES.exec(text) ?? NO_AGE.exec(text);
  const control = CONTROLS.exec(text);
  return [
    ...(odd === null ? [] : [`${form} says ${odd[0]}: …${text.slice(Math.max(0, odd.index - 60), odd.index + 30)}…`]),
    ...(control === null ? [] : [`${form} holds U+${(control[0].codePointAt(0) ?? 0).toString(16)}`]),
    ...(text.isWellFormed() ? [] : [`${form} holds half a character`]),
    ...(form === "json" ? schemaErrors(JSON.parse(text)).map((error) => `json: ${error}`) : []),
    ...(form === "svg" || form === "html" ? markupFaults(form, text) : []),
    ...(form.startsWith("list json") && JSON.parse(text) === null ? ["list json is null"] : []),
  ];
}

const KEYS_OF_OBJECT = Reflect.ownKeys(Object.prototype).length;
const KEYS_OF_ARRAY = Reflect.ownKeys(Array.prototype).length;

export function isPolluted(): boolean {
  const isChanged = Reflect.ownKeys(Object.prototype).length !== KEYS_OF_OBJECT;
  return isChanged || Reflect.ownKeys(Array.prototype).length !== KEYS_OF_ARRAY || "polluted" in {};
}

/** The elements of the program's pictures and pages. Another element could come from a text of the cluster. */
const ELEMENTS = new Set(
  (
    "svg title desc defs pattern path g rect text tspan line circle polyline polygon style clipPath marker use " +
    "html head meta body main section h1 h2 h3 p div span table thead tbody tr th td figure figcaption ol ul li dl dt dd " +
    "footer header script code kbd strong em time details summary a br pre button"
  ).split(" "),
);

const VOID = new Set(["meta", "br"]);

const TAG = /<(?<close>\/?)(?<name>[A-Za-z][\w-]*)(?<attributes>(?:\s+[\w:-]+="[^"<]*")*)\s*(?<empty>\/?)>/y;
const ENTITY = /&(?!(?:amp|lt|gt|quot|#39|#\d+);)/;
const HANDLER = /\son\w+=|(?:href|src)="(?!#)/i;

function markupFaults(form: "svg" | "html", text: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  let index = form === "html" ? "<!DOCTYPE html>\n".length : 0;
  while (index < text.length) {
    const raw = form === "html" && (open.at(-1) === "script" || (open.at(-1) === "style" && !open.includes("svg")));
    const next = raw ? text.indexOf(`</${open.at(-1)}>`, index) : text.indexOf("<", index);
    const words = text.slice(index, next === -1 ? text.length : next);
    if (!raw && (words.includes(">") || ENTITY.test(words)))
      faults.push(`${form}: unescaped text ${words.slice(0, 60)}`);
    if (next === -1) break;
    TAG.lastIndex = next;
    const tag = TAG.exec(text)?.groups;
    if (tag === undefined) return [...faults, `${form}: no tag at ${text.slice(next, next + 60)}`];
    faults.push(...tagFaults(form, tag, open));
    index = TAG.lastIndex;
  }
  return open.length > 0 ? [...faults, `${form}: ${open.join(" ")} not closed`] : faults;
}

function tagFaults(form: string, tag: Record<string, string>, open: string[]): string[] {
  const { close, name = "", attributes = "", empty } = tag;
  if (close === "/") return open.pop() === name ? [] : [`${form}: </${name}> closes nothing`];
  if (empty !== "/" && !(form === "html" && VOID.has(name))) open.push(name);
  return [
    ...(ELEMENTS.has(name) ? [] : [`${form}: an element <${name}>`]),
    ...(HANDLER.test(attributes) ? [`${form}: an attribute in ${attributes.slice(0, 80)}`] : []),
    ...(ENTITY.test(attributes) ? [`${form}: unescaped attribute ${attributes.slice(0, 80)}`] : []),
  ];
}
