import type { ContainerExplanation, PodExplanation } from "../../explain/answer/explanation.ts";
import type { Page } from "../page/page.ts";
import { headingCase } from "../page/paint.ts";
import { byUrgency, stateTone } from "../page/trouble.ts";
import { element, type XmlChild, type XmlElement } from "../page/xml.ts";
import { answerOf } from "./answer.ts";
import { COLUMNS, containerCells } from "./container-cells.ts";
import { htmlTable } from "./html-page.ts";
import { type ClockKind, countdowns } from "./html-script.ts";
import { type Note, podNotes } from "./notes.ts";
import { podPicture } from "./svg.ts";

/** How a pod stands in its page. */
export interface PodPlace {
  readonly clock: ClockKind;
  /** The level of its heading. */
  readonly level: 1 | 2;
}

/** One pod of a page: the answer, the countdown, the picture, the table, the reasons, the plan, and what was not seen. */
export function podSection(pod: PodExplanation, page: Page, { clock, level }: PodPlace): XmlElement {
  const { headline, next } = answerOf(pod, page);
  const below = `h${level + 1}`;
  const notes = podNotes(pod, page.times);
  const only = (...labels: Note["label"][]) => notes.filter(({ label }) => labels.includes(label));
  return element("section", { class: "pod" }, [
    element(`h${level}`, {}, [headline]),
    ...(next === "" ? [] : [element("p", { class: "lead" }, [next])]),
    ...countdowns(pod, page, clock),
    ...(pod.containers.length === 0 ? [] : [element("figure", {}, [podPicture(pod, page)]), containerTable(pod, page)]),
    ...titled(below, "Why", definitions(only("last exit", "why", "delays"))),
    ...titled(below, "What the kubelet's next sync does", plan(pod, page)),
    ...titled(below, "What this rests on", definitions(only("seen", "inferred", "assumed"))),
    ...titled(below, "What could not be seen", bullets(only("gap"))),
  ]);
}

function titled(level: string, title: string, content: readonly XmlElement[]): XmlElement[] {
  return content.length === 0 ? [] : [element("section", {}, [element(level, {}, [title]), ...content])];
}

function definitions(notes: readonly Note[]): XmlElement[] {
  if (notes.length === 0) return [];
  return [
    element(
      "dl",
      {},
      notes.flatMap(({ label, text }) => [element("dt", {}, [label]), element("dd", {}, [text])]),
    ),
  ];
}

function bullets(notes: readonly Note[]): XmlElement[] {
  return notes.length === 0
    ? []
    : [
        element(
          "ul",
          {},
          notes.map(({ text }) => element("li", {}, [text])),
        ),
      ];
}

function plan(pod: PodExplanation, { times }: Page): XmlElement[] {
  if (pod.plan.length === 0) return [];
  return [
    element(
      "ol",
      {},
      pod.plan.map((step) => element("li", {}, [times.sentence(step)])),
    ),
  ];
}

function containerTable(pod: PodExplanation, page: Page): XmlElement {
  const headings = COLUMNS.map(([, heading]) => headingCase(heading));
  return htmlTable(
    headings,
    byUrgency(pod.containers).map((container) => rowOf(container, pod, page)),
  );
}

function rowOf(container: ContainerExplanation, pod: PodExplanation, page: Page): XmlChild[] {
  const cells = containerCells(container, pod, page.nowMs, "roomy");
  const state = element("span", { class: stateTone(container) }, [cells.state]);
  const shown = { ...cells, name: cells.name + cells.role, state };
  return COLUMNS.map(([key]) => shown[key]);
}
