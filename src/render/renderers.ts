import type { Form, Renderer } from "./forms.ts";
import { harmless } from "./harmless.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderSvg } from "./svg.ts";
import { renderTable } from "./table.ts";
import { renderWide } from "./wide.ts";
import { renderYaml } from "./yaml.ts";

export type { RenderOptions } from "./page.ts";

/** The renderers of all forms. */
export const RENDERERS: Readonly<Record<Form, Renderer>> = {
  table: renderTable,
  wide: renderWide,
  json: renderJson,
  yaml: renderYaml,
  svg: renderSvg,
  html: renderHtml,
  name: ({ pods }) => pods.map(({ name }) => `pod/${harmless(name)}\n`).join(""),
};
