import type { Explanation } from "../answer/explanation.ts";
import { type ExplainOptions, explain } from "../explain.ts";
import type { Observation } from "../observed/observation.ts";
import { withOwners } from "./owner-explanation.ts";

/** What an observation means for its pods, and for the workloads that own them. */
export function explained(observation: Observation, options: ExplainOptions): Explanation {
  return withOwners(explain(observation, options), observation);
}
