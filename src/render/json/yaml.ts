import { dump, SCALAR_STYLE_DOUBLE_QUOTED, visit } from "js-yaml";
import type { Explanation } from "../../explain/answer/explanation.ts";
import type { BackoffList } from "../../explain/list.ts";
import { escapeInYaml, isDeceptive } from "../page/harmless.ts";
import { explanationToJson, listToJson } from "./json.ts";

/** The JSON form of an explanation as YAML. */
export function renderYaml(explanation: Explanation): string {
  return yamlText(explanationToJson(explanation));
}

/** The JSON form of a list as YAML. */
export function renderListYaml(list: BackoffList, isIncomplete: boolean): string {
  return yamlText(listToJson(list, isIncomplete));
}

/** A machine form as YAML: no aliases, long sentences folded, nothing that a terminal would obey. */
export function yamlText(form: object): string {
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
