import type { RenderOptions } from "./page.ts";
import { renderComparison } from "./simulation-comparison.ts";
import { comparisonToJson, jsonText, simulationToJson, yamlText } from "./simulation-json.ts";
import type { SimulationReport } from "./simulation-report.ts";
import { renderSimulationTable } from "./simulation-table.ts";

/** The forms of a simulation of restarts, by the name that `-o` takes. Each ends with a newline. */
export const RESTART_FORMS = {
  table: renderSimulationTable,
  json: (report: SimulationReport, _options: RenderOptions) => jsonText(simulationToJson(report)),
  yaml: (report: SimulationReport, _options: RenderOptions) => yamlText(simulationToJson(report)),
} as const;

/** The same for several configurations side by side. */
export const COMPARISON_FORMS = {
  table: renderComparison,
  json: (reports: readonly SimulationReport[], _options: RenderOptions) => jsonText(comparisonToJson(reports)),
  yaml: (reports: readonly SimulationReport[], _options: RenderOptions) => yamlText(comparisonToJson(reports)),
} as const;
