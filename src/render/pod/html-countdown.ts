import type { ContainerExplanation, Overdue, PodExplanation, Window } from "../../explain/answer/explanation.ts";
import { formatCountdown, formatElapsed } from "../page/durations.ts";
import type { Page } from "../page/page.ts";
import { byUrgency } from "../page/trouble.ts";
import { element, type XmlElement } from "../page/xml.ts";

/** real: "now" was read from a clock, so any clock can go on from it. chosen: it is a moment of its own. */
export type ClockKind = "real" | "chosen";

/** What is about to happen to a pod's containers, each in a box that counts down by itself. */
export function countdowns(pod: PodExplanation, page: Page, clock: ClockKind): XmlElement[] {
  const boxes = byUrgency(pod.containers).flatMap((container) => [
    ...startBox(container, page, clock),
    ...resetBox(container, page, clock),
  ]);
  return boxes.length === 0 ? [] : [element("div", { class: "countdowns" }, boxes)];
}

function startBox(container: ContainerExplanation, page: Page, clock: ClockKind): XmlElement[] {
  const { nextRestart, overdue, imagePull, state, name } = container;
  const { times } = page;
  const what = imagePull !== null ? "Next image pull" : state === "starting" ? "Next attempt to start" : "Next start";
  if (overdue !== null) return [overdueBox(`${what} of ${name}`, overdue, page)];
  if (nextRestart === null) return [];
  const { notBeforeMs, likelyByMs } = nextRestart;
  const when = `${times.span(notBeforeMs, "to", likelyByMs)}, ${percent(nextRestart)} sure.`;
  const passed = `The window has passed: it was over at ${times.instant(likelyByMs)}. Explain the pod again to see what happened.`;
  return [box({ look: "", heading: `${what} of ${name}`, when, passed }, [notBeforeMs, likelyByMs], page, clock)];
}

function resetBox({ reset, name }: ContainerExplanation, page: Page, clock: ClockKind): XmlElement[] {
  if (reset === null) return [];
  const { atMs, how } = reset;
  const condition = how === "if-it-keeps-running" ? "if it is still up then" : "in the middle of its wait";
  const when = `At ${page.times.instant(atMs)}, ${condition}.`;
  const passed =
    how === "if-it-keeps-running" ? "The back-off has reset, if it is still up." : "The back-off has reset.";
  return [box({ look: "reset", heading: `Back-off of ${name} resets`, when, passed }, [atMs, atMs], page, clock)];
}

/** It counts nothing. */
function overdueBox(heading: string, { expectedByMs, check }: Overdue, { nowMs, times }: Page): XmlElement {
  const when = `It should have come by ${times.instant(expectedByMs)}; ${times.sentence(check)}.`;
  return element("div", { class: "countdown over" }, [
    element("p", {}, [heading]),
    element("p", { class: "shown" }, [`overdue by ${formatElapsed(nowMs - expectedByMs)}`]),
    element("p", { class: "quiet" }, [when]),
  ]);
}

interface BoxWords {
  readonly look: string;
  readonly heading: string;
  readonly when: string;
  readonly passed: string;
}

function box(
  { look, heading, when, passed }: BoxWords,
  [fromMs, toMs]: readonly [number, number],
  { nowMs, times }: Page,
  clock: ClockKind,
): XmlElement {
  const data = { "data-at": `${nowMs}`, "data-from": `${fromMs}`, "data-to": `${toMs}` };
  const how = clock === "real" ? "by the clock of this device" : "as if this page had been opened then";
  return element(
    "div",
    { class: `countdown ${look}`.trim(), "data-countdown": true, ...data, "data-clock": clock, "data-passed": passed },
    [
      element("p", {}, [heading]),
      element("p", { class: "shown", role: "timer", "data-shown": true }, [
        formatCountdown(fromMs - nowMs, toMs - nowMs),
      ]),
      element("p", { class: "quiet" }, [
        `${when} Counts from the moment of the explanation, ${times.instant(nowMs)}, ${how}.`,
      ]),
    ],
  );
}

function percent({ confidence }: Window): string {
  return `${Math.round(confidence * 100)} %`;
}
