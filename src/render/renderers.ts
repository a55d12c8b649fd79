import type { Form, Renderer } from "./forms.ts";
import { explanationToJson, renderJson } from "./json/json.ts";
import { yamlText } from "./json/yaml.ts";
import { harmless } from "./page/harmless.ts";
import { renderHtml } from "./pod/html.ts";
import { renderMarkdown } from "./pod/markdown.ts";
import { renderSvg } from "./pod/svg.ts";
import { renderTable } from "./pod/table.ts";
import { renderWide } from "./pod/wide.ts";

export const RENDERERS: Readonly<Record<Form, Renderer>> = {
  table: renderTable,
  wide: renderWide,
  json: renderJson,
  yaml: (explanation) => yamlText(explanationToJson(explanation)),
  svg: renderSvg,
  html: renderHtml,
  md: renderMarkdown,
  name: ({ pods }) => pods.map(({ name }) => `pod/${harmless(name)}\n`).join(""),
};
