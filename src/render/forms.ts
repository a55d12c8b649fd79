import type { Explanation } from "../explain/answer/explanation.ts";
import type { RenderOptions } from "./page/page.ts";

/** The forms in which an explanation can be printed, by the name that `-o` takes. */
export const FORMS = ["table", "wide", "json", "yaml", "svg", "html", "md", "name"] as const;

export type Form = (typeof FORMS)[number];

/** An explanation in one form. It ends with a newline, or is empty without any pod. */
export type Renderer = (explanation: Explanation, options: RenderOptions) => string;

/** The renderer of a form. Only the table is at hand at once: what draws pictures takes longer to load than to explain a pod. */
export async function rendererOf(form: Form): Promise<Renderer> {
  if (form === "table") return (await import("./pod/table.ts")).renderTable;
  if (form === "md") return (await import("./pod/markdown.ts")).renderMarkdown;
  return (await import("./renderers.ts")).RENDERERS[form];
}
