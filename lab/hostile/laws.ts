import type { ContainerExplanation, Explanation, Window } from "../../src/explain/answer/explanation.ts";
import { schemaErrors } from "../../test/support/explanation-schema.ts";
import { markupFaults } from "./markup.ts";

/** What of an explanation may not be, whatever it was made of; empty if all is well. */
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

/** Of the bounded ones; others name objects, whose names have no bound of their own. */
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
  const { notBeforeMs, likelyByMs, confidence } = window;
  return [
    ...(notBeforeMs <= likelyByMs ? [] : [`${name} ends before it begins`]),
    ...(notBeforeMs >= atMs ? [] : [`${name} begins before now`]),
    ...(likelyByMs >= atMs ? [] : [`${name} ends before now`]),
    ...(confidence > 0 && confidence <= 1 ? [] : [`${name} has a confidence of ${confidence}`]),
  ];
}

const NO_VALUES = /NaN|Invalid Date|undefined|Infinity|\[object \w+\]/;

/** What kubectl calls an age that is none. */
const NO_AGE = /<invalid>/;

/** All that a terminal obeys or that hides or reorders text; line breaks aside. */
const CONTROLS =
  /[^\n\P{Cc}]|[\u2028\u2029\ufff9-\ufffb]|\p{Bidi_Control}|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u;

/** What of a printed form may not be; `form` is its name. */
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

/** Whether something has been added to what all objects have. */
export function isPolluted(): boolean {
  const isChanged = Reflect.ownKeys(Object.prototype).length !== KEYS_OF_OBJECT;
  return isChanged || Reflect.ownKeys(Array.prototype).length !== KEYS_OF_ARRAY || "polluted" in {};
}
