import type { Contention } from "../../simulate/contention.ts";
import type { RenderOptions } from "../pod/table.ts";
import { renderContentionHtml, renderContentionSvg } from "./contention-picture.ts";
import { renderContentionTable } from "./contention-table.ts";
import { roundTo } from "./contention-words.ts";

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

const THOUSANDTH = 0.001;

/** The stable machine form, `backoff/v1`; docs/contention.schema.json describes it: durations of results in milliseconds, settings in seconds. */
function contentionToJson({ settings, results }: Contention) {
  const { runs, seed, baseMs, capMs, network } = settings;
  return {
    apiVersion: "backoff/v1",
    kind: "Contention",
    settings: {
      runs,
      seed,
      baseSeconds: baseMs / 1000,
      capSeconds: capMs / 1000,
      network: { meanSeconds: network.meanMs / 1000, standardDeviationSeconds: network.sdMs / 1000 },
    },
    results: results.map(({ strategy, clients, completionMs, calls }) => ({
      strategy,
      clients,
      completionMs: roundTo(completionMs, THOUSANDTH),
      calls: roundTo(calls, THOUSANDTH),
    })),
  };
}

/** One row per strategy and number of clients, for spreadsheets. */
function contentionToCsv(contention: Contention): string {
  const rows = contentionToJson(contention).results.map(
    ({ strategy, clients, completionMs, calls }) => `${strategy},${clients},${completionMs},${calls}`,
  );
  return `${["strategy,clients,completionMs,calls", ...rows].join("\n")}\n`;
}
