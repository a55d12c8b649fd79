import type { Contention } from "../simulate/contention.ts";
import { contentionToCsv, contentionToJson } from "./contention-machine.ts";
import { renderContentionTable } from "./contention-table.ts";
import type { RenderOptions } from "./table.ts";

/** The forms of a simulation, by the name that `-o` takes. Each ends with a newline. */
export type SimulationForms<T> = Readonly<
  Record<"table" | "csv" | "json", (simulated: T, options: RenderOptions) => string>
>;

/** The forms of the contention experiment. */
export const CONTENTION_FORMS: SimulationForms<Contention> = {
  table: renderContentionTable,
  csv: contentionToCsv,
  json: (contention) => `${JSON.stringify(contentionToJson(contention), null, 4)}\n`,
};
