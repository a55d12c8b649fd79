import type { Eta } from "../../explain/answer/eta.ts";
import type { RenderOptions } from "../page/page.ts";
import { renderEtaJson, renderEtaYaml } from "./eta-json.ts";
import { renderEtaTable } from "./eta-table.ts";

/** What `-o` takes for an eta. */
export const ETA_FORMS = ["table", "json", "yaml", "svg", "html", "md"] as const;

/** One of them. */
export type EtaForm = (typeof ETA_FORMS)[number];

/** An eta in one form, which ends with a newline. Pictures are loaded only where somebody wants one. */
export async function renderEta(
  eta: Eta,
  form: EtaForm,
  isIncomplete: boolean,
  options: RenderOptions,
): Promise<string> {
  if (form === "table") return renderEtaTable(eta, options);
  if (form === "json") return renderEtaJson(eta, isIncomplete);
  if (form === "yaml") return renderEtaYaml(eta, isIncomplete);
  const { renderEtaHtml, renderEtaMarkdown, renderEtaSvg } = await import("./eta-picture.ts");
  return { svg: renderEtaSvg, html: renderEtaHtml, md: renderEtaMarkdown }[form](eta, options);
}
