import type { Contention } from "../../simulate/contention.ts";
import type { RenderOptions } from "../pod/table.ts";
import { contentionToCsv, contentionToJson } from "./contention-machine.ts";
import { renderContentionHtml, renderContentionSvg } from "./contention-picture.ts";
import { renderContentionTable } from "./contention-table.ts";

/** What `-o` takes for a simulation. */
export type SimulationFormat = "table" | "csv" | "json" | "svg" | "html";

/** The forms of a simulation, by the name that `-o` takes. Each ends with a newline. */
export type SimulationForms<T> = Readonly<Record<SimulationFormat, (simulated: T, options: RenderOptions) => string>>;

/** The forms of the contention experiment. */
export const CONTENTION_FORMS: SimulationForms<Contention> = {
  table: renderContentionTable,
  csv: contentionToCsv,
  json: (contention) => `${JSON.stringify(contentionToJson(contention), null, 4)}\n`,
  svg: renderContentionSvg,
  html: renderContentionHtml,
};
