import { jsonText } from "../json/json.ts";
import { yamlText } from "../json/yaml.ts";
import type { RenderOptions } from "../page/page.ts";
import { renderSimulationHtml, renderSimulationSvg } from "./simulation-picture.ts";
import { comparisonToJson, type SimulationReport, simulationToJson } from "./simulation-report.ts";
import { renderComparison, renderSimulationTable } from "./simulation-table.ts";

type Forms<T> = Readonly<
  Record<"table" | "json" | "yaml" | "svg" | "html", (simulated: T, options: RenderOptions) => string>
>;

/** The renderers of a simulation by the value of `-o`. Each returns a text that ends with a newline. */
export const RESTART_FORMS: Forms<SimulationReport> = {
  table: renderSimulationTable,
  json: (report) => jsonText(simulationToJson(report)),
  yaml: (report) => yamlText(simulationToJson(report)),
  svg: (report) => renderSimulationSvg([report]),
  html: (report) => renderSimulationHtml([report]),
};

export const COMPARISON_FORMS: Forms<readonly SimulationReport[]> = {
  table: renderComparison,
  json: (reports) => jsonText(comparisonToJson(reports)),
  yaml: (reports) => yamlText(comparisonToJson(reports)),
  svg: renderSimulationSvg,
  html: renderSimulationHtml,
};
