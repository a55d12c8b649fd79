import type { Explanation } from "../explain/explanation.ts";
import { harmless } from "./harmless.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import type { RenderOptions } from "./page.ts";
import { renderSvg } from "./svg.ts";
import { renderTable } from "./table.ts";
import { renderWide } from "./wide.ts";
import { renderYaml } from "./yaml.ts";

export type { RenderOptions } from "./page.ts";

/** The forms of an explanation, by the name that `-o` takes. Each result ends with a newline, or is empty without any pod. */
export const RENDERERS: Readonly<
  Record<
    "table" | "wide" | "json" | "yaml" | "name" | "svg" | "html",
    (explanation: Explanation, options: RenderOptions) => string
  >
> = {
  table: renderTable,
  wide: renderWide,
  json: renderJson,
  yaml: renderYaml,
  svg: renderSvg,
  html: renderHtml,
  name: ({ pods }) => pods.map(({ name }) => `pod/${harmless(name)}\n`).join(""),
};
