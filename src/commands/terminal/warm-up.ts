import { type Form, rendererOf } from "../../render/forms.ts";
import { harmless } from "../../render/page/harmless.ts";
import { timesAround } from "../../render/page/times.ts";

const NOT_PLAIN = "…";

/**
 * Does what takes milliseconds the first time: loads what explains and what renders, finds a local time, and searches for
 * characters that a terminal would obey. The command calls it while it waits for the first answers.
 */
export function warmUp(output: Form, nowMs: number, timeZone: string | undefined): void {
  import("../../explain/owners/owner-explanation.ts");
  rendererOf(output);
  timesAround(nowMs, timeZone).instant(nowMs);
  harmless(NOT_PLAIN);
}
