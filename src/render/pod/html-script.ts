import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { byUrgency } from "../../explain/triage.ts";
import { confidenceWords, formatCountdown, formatElapsed } from "../page/durations.ts";
import type { PageScript } from "../page/html-page.ts";
import type { Page } from "../page/page.ts";
import { type Attributes, element, type XmlElement } from "../page/xml.ts";

const TEXT = `
(() => {
  "use strict";
  const openedMs = Date.now();

  const duration = (ms) => {
    const seconds = Math.round(ms / 1000);
    const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "m"], [seconds % 60, "s"]];
    return parts.filter(([count]) => count > 0).map(([count, unit]) => count + unit).join("") || "0s";
  };

  const words = (fromMs, toMs) => {
    const from = Math.max(0, Math.floor(fromMs / 1000)) * 1000;
    const to = Math.max(from, Math.ceil(toMs / 1000) * 1000);
    if (from === 0) return "within " + duration(to);
    return from === to ? "in " + duration(from) : "in " + duration(from) + "-" + duration(to);
  };

  const tick = () => {
    const clockMs = Date.now();
    for (const box of document.querySelectorAll("[data-countdown]")) {
      const { at, from, to, clock, passed } = box.dataset;
      const nowMs = clock === "real" ? Math.max(Number(at), clockMs) : Number(at) + clockMs - openedMs;
      const isOver = nowMs > Number(to);
      const wholeMs = Math.floor(nowMs / 1000) * 1000;
      const text = isOver ? passed : words(Number(from) - wholeMs, Number(to) - wholeMs);
      const shown = box.querySelector("[data-shown]");
      if (shown.textContent !== text) shown.textContent = text;
      box.classList.toggle("over", isOver);
    }
  };
  tick();
  setInterval(tick, 250);

  // What is next stands at the right end.
  for (const picture of document.querySelectorAll("figure:has(.timeline)")) picture.scrollLeft = picture.scrollWidth;

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);
  for (const item of document.querySelectorAll(".timeline .item")) {
    const title = item.querySelector("title");
    if (title === null) continue;
    const text = title.textContent;
    title.remove();
    const show = (x, y) => {
      tip.textContent = text;
      tip.hidden = false;
      tip.style.left = Math.max(8, Math.min(x + 12, innerWidth - tip.offsetWidth - 8)) + "px";
      tip.style.top = (y + 20 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 12 : y + 20) + "px";
    };
    item.addEventListener("pointermove", (event) => show(event.clientX, event.clientY));
    item.addEventListener("pointerleave", () => { tip.hidden = true; });
  }
})();
`;

/**
 * Counts down, and shows the tooltips of a picture. Sets only text, never HTML, because names may come from a cluster.
 *
 * An element with `data-countdown` also has `data-at`, the moment of the explanation; `data-from` and `data-to`, the
 * window (all in ms since 1970); `data-clock`, a {@link ClockKind}; `data-passed`, the text after the window.
 */
export const PAGE_SCRIPT: PageScript = { text: TEXT, sha256: "JcX+dYPo4NGlFUWenBtdRmMh3nxtByO/qdASXlxXq2Y=" };

/** real: "now" is the browser's clock (at least `data-at`). chosen: `data-at` plus the time since the page opened. */
export type ClockKind = "real" | "chosen";

const MOST_BOXES = 3;

/** Returns boxes that count down to the restarts and resets of a pod's containers: the MOST_BOXES soonest. */
export function countdowns(pod: PodExplanation, page: Page, clock: ClockKind): XmlElement[] {
  const ordered = byUrgency(pod.containers);
  const starts = ordered.flatMap((container) => startBox(container, page, clock));
  const boxes = [...starts, ...ordered.flatMap((container) => resetBox(container, page, clock))];
  if (boxes.length === 0) return [];
  const first = boxes.length > MOST_BOXES ? boxes.toSorted((a, b) => a.atMs - b.atMs).slice(0, MOST_BOXES) : boxes;
  const shown = first.map(({ box: each }) => each);
  const at = page.times.instant(page.nowMs);
  const how = clock === "real" ? `Counts from ${at} by the clock of this device.` : `Countdown starts at ${at}.`;
  const more = boxes.length > shown.length ? ` ${boxes.length - shown.length} more are in the table.` : "";
  return [element("div", { class: "countdowns" }, shown), element("p", { class: "quiet" }, [how + more])];
}

/** Returns the box of the next start and the instant to which it counts; an empty list without a next start. */
function startBox(container: ContainerExplanation, page: Page, clock: ClockKind) {
  const { nextRestart, overdue, whatToCheck = "", imagePull, state, name } = container;
  const { times, nowMs } = page;
  const what = imagePull !== null ? "Next image pull" : state === "starting" ? "Next attempt to start" : "Next restart";
  const heading = `${what} of ${name}`;
  if (overdue !== null) {
    const { expectedByMs } = overdue;
    const when = `It should have come by ${times.instant(expectedByMs)}; ${times.text(whatToCheck)}.`;
    const shown = element("p", { class: "shown" }, [`overdue by ${formatElapsed(nowMs - expectedByMs)}`]);
    return [{ atMs: expectedByMs, box: box({ class: "countdown over" }, heading, shown, when) }];
  }
  if (nextRestart === null) return [];
  const { notBeforeMs, likelyByMs, confidence } = nextRestart;
  const when = `${times.span(notBeforeMs, likelyByMs)}, ${confidenceWords(confidence)}.`;
  const passed = `This window ended at ${times.instant(likelyByMs)}. Run kubectl backoff again.`;
  const attributes = { class: "countdown", ...dataOf(notBeforeMs, likelyByMs, page, clock), "data-passed": passed };
  return [{ atMs: notBeforeMs, box: box(attributes, heading, timer(notBeforeMs, likelyByMs, page), when) }];
}

function resetBox({ reset, name }: ContainerExplanation, page: Page, clock: ClockKind) {
  if (reset === null) return [];
  const { atMs, how } = reset;
  const isIfUp = how === "if-it-keeps-running";
  const when = `At ${page.times.instant(atMs)}, ${isIfUp ? "if it is still running then" : "in the middle of its wait"}.`;
  const passed = `The back-off has reset${isIfUp ? ", if it is still running" : ""}.`;
  const attributes = { class: "countdown reset", ...dataOf(atMs, atMs, page, clock), "data-passed": passed };
  return [{ atMs, box: box(attributes, `Back-off of ${name} resets`, timer(atMs, atMs, page), when) }];
}

function dataOf(fromMs: number, toMs: number, { nowMs }: Page, clock: ClockKind): Attributes {
  const instants = { "data-at": `${nowMs}`, "data-from": `${fromMs}`, "data-to": `${toMs}` };
  return { "data-countdown": true, ...instants, "data-clock": clock };
}

function timer(fromMs: number, toMs: number, { nowMs }: Page): XmlElement {
  const attributes = { class: "shown", role: "timer", "data-shown": true };
  return element("p", attributes, [formatCountdown(fromMs - nowMs, toMs - nowMs)]);
}

function box(attributes: Attributes, heading: string, shown: XmlElement, when: string): XmlElement {
  return element("div", attributes, [element("p", {}, [heading]), shown, element("p", { class: "quiet" }, [when])]);
}
