import { type Form, rendererOf } from "../../render/forms.ts";
import { harmless } from "../../render/page/harmless.ts";
import { timesAround } from "../../render/page/times.ts";

const NOT_PLAIN = "…";

/**
 * Does for the first time what takes milliseconds the first time: loading what explains and what renders, a local time, and looking for characters
 * that a terminal would obey. Called while the first answers are awaited.
 */
export function warmUp(output: Form, nowMs: number): void {
  import("../../explain/owners/explained.ts");
  rendererOf(output);
  timesAround(nowMs).instant(nowMs);
  harmless(NOT_PLAIN);
}
