import { dump, SCALAR_STYLE_DOUBLE_QUOTED, visit } from "js-yaml";
import { escapeInYaml, isDeceptive } from "../page/harmless.ts";

export function yamlText(form: object): string {
  const yaml = dump(form, {
    noRefs: true,
    lineWidth: 100,
    // Only a double-quoted scalar can hold escapes.
    transform: (documents) =>
      visit(documents, (node) => {
        if (node.kind === "scalar" && isDeceptive(node.value)) node.style = SCALAR_STYLE_DOUBLE_QUOTED;
      }),
  });
  return escapeInYaml(yaml);
}
