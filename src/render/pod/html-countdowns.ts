import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { byUrgency } from "../../explain/triage.ts";
import { CONFIDENCE_WORDS, formatCountdown, formatElapsed } from "../page/durations.ts";
import type { Page } from "../page/page.ts";
import { type Attributes, element, type XmlElement } from "../page/xml.ts";
import type { ClockKind } from "./html-script.ts";

const MOST_BOXES = 3;

export function countdowns(pod: PodExplanation, page: Page, clock: ClockKind): XmlElement[] {
  const ordered = byUrgency(pod.containers);
  const starts = ordered.flatMap((container) => startBox(container, page));
  const boxes = [...starts, ...ordered.flatMap((container) => resetBox(container, page))];
  if (boxes.length === 0) return [];
  const first = boxes.length > MOST_BOXES ? boxes.toSorted((a, b) => a.atMs - b.atMs).slice(0, MOST_BOXES) : boxes;
  const shown = first.map(({ box: each }) => each);
  const at = page.times.instant(page.nowMs);
  const how = clock === "real" ? `Counts from ${at} by the clock of this device.` : `Countdown starts at ${at}.`;
  const more = boxes.length > shown.length ? ` ${boxes.length - shown.length} more are in the table.` : "";
  return [element("div", { class: "countdowns" }, shown), element("p", { class: "quiet" }, [how + more])];
}

function startBox(container: ContainerExplanation, page: Page) {
  const { nextRestart, overdue, whatToCheck = "", imagePull, state, name } = container;
  const { times, nowMs } = page;
  const heading =
    imagePull !== null
      ? `Next pull of the image of ${name}`
      : state === "starting"
        ? `Next attempt to start ${name}`
        : `Next restart of ${name}`;
  if (overdue !== null) {
    const { expectedByMs } = overdue;
    const when = `It should have come by ${times.instant(expectedByMs)}; ${times.text(whatToCheck)}.`;
    const shown = element("p", { class: "shown" }, [`overdue by ${formatElapsed(nowMs - expectedByMs)}`]);
    return [{ atMs: expectedByMs, box: box({ class: "countdown over" }, heading, shown, when) }];
  }
  if (nextRestart === null) return [];
  const { notBeforeMs, likelyByMs } = nextRestart;
  const when = `${times.span(notBeforeMs, likelyByMs)}, ${CONFIDENCE_WORDS}.`;
  const passed = `This window ended at ${times.instant(likelyByMs)}. Run kubectl backoff again.`;
  const attributes = { class: "countdown", ...dataOf(notBeforeMs, likelyByMs), "data-passed": passed };
  return [{ atMs: notBeforeMs, box: box(attributes, heading, timer(notBeforeMs, likelyByMs, page), when) }];
}

function resetBox({ reset, name }: ContainerExplanation, page: Page) {
  if (reset === null) return [];
  const { atMs, how } = reset;
  const isIfUp = how === "if-it-keeps-running";
  const when = `At ${page.times.instant(atMs)}, ${isIfUp ? "if it is still running then" : "in the middle of its wait"}.`;
  const passed = `The back-off has reset${isIfUp ? ", if it is still running" : ""}.`;
  const attributes = { class: "countdown reset", ...dataOf(atMs, atMs), "data-passed": passed };
  return [{ atMs, box: box(attributes, `Back-off of ${name} resets`, timer(atMs, atMs, page), when) }];
}

function dataOf(fromMs: number, toMs: number): Attributes {
  return { "data-countdown": true, "data-from": `${fromMs}`, "data-to": `${toMs}` };
}

function timer(fromMs: number, toMs: number, { nowMs }: Page): XmlElement {
  const attributes = { class: "shown", role: "timer", "data-shown": true };
  return element("p", attributes, [formatCountdown(fromMs - nowMs, toMs - nowMs)]);
}

function box(attributes: Attributes, heading: string, shown: XmlElement, when: string): XmlElement {
  return element("div", attributes, [element("p", {}, [heading]), shown, element("p", { class: "quiet" }, [when])]);
}
