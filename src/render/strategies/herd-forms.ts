import type { Herd } from "../../simulate/herd.ts";
import type { SimulationForms } from "./contention-forms.ts";
import { renderHerdHtml, renderHerdSvg } from "./herd-picture.ts";
import { renderHerdTable } from "./herd-table.ts";
import { herdToCsv, herdToJson } from "./herd-words.ts";

/** The forms of a herd, by the name that `-o` takes. Each ends with a newline. */
export const HERD_FORMS: SimulationForms<Herd> = {
  table: renderHerdTable,
  csv: herdToCsv,
  json: (herd) => `${JSON.stringify(herdToJson(herd), null, 4)}\n`,
  svg: renderHerdSvg,
  html: renderHerdHtml,
};
