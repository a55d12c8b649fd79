import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { roleSuffix } from "../page/container-marks.ts";
import type { Page, RenderOptions } from "../page/page.ts";
import { paint } from "../page/paint.ts";
import { byUrgency } from "../page/trouble.ts";
import { wrap } from "../page/width.ts";
import { podBlock, renderPods } from "./table.ts";
import { containerDetails, podDetails } from "./wide-details.ts";
import { runLines } from "./wide-runs.ts";

/** The table, and below each pod all else that is known: node, plan, and per container image, exit, key and runs. */
export function renderWide(explanation: Explanation, options: RenderOptions): string {
  return renderPods(explanation, options, wideBlock);
}

function wideBlock(pod: PodExplanation, page: Page): string[] {
  const containers = byUrgency(pod.containers).flatMap((container) => {
    const title = wrap(container.name + roleSuffix(container), page.columns).map((line) =>
      paint(line, "title", page.color),
    );
    const runs = runLines(container, page);
    return ["", ...title, ...containerDetails(pod, container, page), ...(runs.length > 0 ? ["", ...runs] : [])];
  });
  return [...podBlock(pod, page), "", ...podDetails(pod, page), ...containers];
}
