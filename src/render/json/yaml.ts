import { dump, SCALAR_STYLE_DOUBLE_QUOTED, visit } from "js-yaml";
import type { Explanation } from "../../explain/answer/explanation.ts";
import { escapeInYaml, isDeceptive } from "../page/harmless.ts";
import { explanationToJson } from "./json.ts";

/** The JSON form as YAML. */
export function renderYaml(explanation: Explanation): string {
  return toYaml(explanationToJson(explanation));
}

/** YAML of a JSON form: no aliases, long sentences folded, nothing that a terminal would obey. */
export function toYaml(form: object): string {
  const yaml = dump(form, {
    noRefs: true,
    lineWidth: 100,
    // Only a double-quoted scalar can hold escapes; js-yaml chooses that style for control characters itself.
    transform: (documents) =>
      visit(documents, (node) => {
        if (node.kind === "scalar" && isDeceptive(node.value)) node.style = SCALAR_STYLE_DOUBLE_QUOTED;
      }),
  });
  return escapeInYaml(yaml);
}
