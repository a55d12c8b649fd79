import type { Explanation } from "../../explain/answer/explanation.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { rendererOf } from "../../render/forms.ts";
import type { RenderOptions } from "../../render/page/page.ts";
import type { ExplainFlags } from "../flags/explain-flags.ts";
import { kubeletOptions } from "../flags/flags.ts";

/** The explanation in the form that is asked for; with what other configurations would make of it, if that is. */
export async function explanationText(
  explanation: Explanation,
  observation: Observation,
  flags: ExplainFlags,
  look: RenderOptions,
): Promise<string> {
  const { output, "what-if": configurations } = flags;
  if (configurations === undefined) return (await rendererOf(output))(explanation, look);
  const [{ whatIfOf }, { renderWithWhatIf }] = await Promise.all([
    import("../simulate/what-if.ts"),
    import("../../render/simulation-what-if.ts"),
  ]);
  const whatIf = whatIfOf(observation, explanation, configurations, kubeletOptions(flags));
  return renderWithWhatIf(explanation, whatIf, output, look);
}
