import type { Form, Renderer } from "./forms.ts";

/** Loads the renderer of a form. The table and Markdown load without the code for pictures, which loads slowly. */
export async function rendererOf(form: Form): Promise<Renderer> {
  if (form === "table") return (await import("./pod/table.ts")).renderTable;
  if (form === "md") return (await import("./pod/markdown.ts")).renderMarkdown;
  return (await import("./renderers.ts")).RENDERERS[form];
}
