import type { Explanation } from "../explain/answer/explanation.ts";
import type { RenderOptions } from "./page/page.ts";

/** The values of `-o` for an explanation. */
export const FORMS = ["table", "wide", "json", "yaml", "svg", "html", "md", "name"] as const;

export type Form = (typeof FORMS)[number];

/** Returns a text that ends with a newline; without pods it is empty, except JSON and YAML. */
export type Renderer = (explanation: Explanation, options: RenderOptions) => string;

/** The table and Markdown load alone: what draws pictures takes longer to load than to explain a pod. */
export async function rendererOf(form: Form): Promise<Renderer> {
  if (form === "table") return (await import("./pod/table.ts")).renderTable;
  if (form === "md") return (await import("./pod/markdown.ts")).renderMarkdown;
  return (await import("./renderers.ts")).RENDERERS[form];
}
