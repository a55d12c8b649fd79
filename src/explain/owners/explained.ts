import type { Explanation } from "../answer/explanation.ts";
import { type ExplainOptions, explain } from "../explain.ts";
import { type StepsRequest, withNextSteps } from "../next-steps/next-steps.ts";
import type { Observation } from "../observed/observation.ts";
import { withOwners } from "./owner-explanation.ts";

/** What an observation means for its pods and for the workloads that own them, and what its readers may do next. */
export function explained(observation: Observation, options: ExplainOptions, steps: StepsRequest = {}): Explanation {
  return withNextSteps(withOwners(explain(observation, options), observation), observation, steps);
}
