import type { BackoffList } from "../explain/answer/backoff-list.ts";
import type { Eta } from "../explain/answer/eta.ts";
import type { Explanation } from "../explain/answer/explanation.ts";
import type { Contention } from "../simulate/contention.ts";
import type { CatchReport } from "./catch/catch-json.ts";
import type { EtaLook } from "./eta/eta-words.ts";
import type { ListLook } from "./list/list-table.ts";
import type { RenderOptions } from "./page/page.ts";
import type { Simulated } from "./simulation/simulation-report.ts";

/**
 * `isForTerminals`: the form is printed in ASCII if the locale has no Unicode. `isForPrograms`: a complete answer is
 * printed even if it is empty.
 */
export const FORMS = {
  table: { logs: "by-default", isForTerminals: true, isForPrograms: false },
  wide: { logs: "by-default", isForTerminals: true, isForPrograms: false },
  json: { logs: "on-request", isForTerminals: false, isForPrograms: true },
  yaml: { logs: "on-request", isForTerminals: false, isForPrograms: true },
  csv: { logs: "never", isForTerminals: false, isForPrograms: true },
  svg: { logs: "never", isForTerminals: false, isForPrograms: false },
  html: { logs: "by-default", isForTerminals: false, isForPrograms: false },
  md: { logs: "by-default", isForTerminals: false, isForPrograms: false },
  name: { logs: "never", isForTerminals: false, isForPrograms: false },
} as const;

export type Form = keyof typeof FORMS;

type Renderer<Answer, Look> = (answer: Answer, look: Look) => string;

/** Loads a renderer only when it is needed, because e.g. the code for pictures loads slowly. */
type Load<Answer, Look> = () => Promise<Renderer<Answer, Look>>;

/** The first form of `renderers` is the default of `-o`. */
function formsOf<Answer, Look>() {
  return <Offered extends Form>(renderers: Readonly<Record<Offered, Load<Answer, Look>>>) => renderers;
}

function documents<Answer, Look>(load: () => Promise<(answer: Answer, look: Look) => object>) {
  const textWith = async (write: (document: object) => string): Promise<Renderer<Answer, Look>> => {
    const toDocument = await load();
    return (answer, look) => write(toDocument(answer, look));
  };
  return {
    json: async () => textWith((await import("./json/json.ts")).jsonText),
    yaml: async () => textWith((await import("./json/yaml.ts")).yamlText),
  };
}

export const EXPLAIN_FORMS = formsOf<Explanation, RenderOptions>()({
  table: async () => (await import("./pod/table.ts")).renderTable,
  wide: async () => (await import("./pod/wide.ts")).renderWide,
  ...documents(async () => (await import("./json/json.ts")).explanationToJson),
  svg: async () => (await import("./pod/svg.ts")).renderSvg,
  html: async () => (await import("./pod/html.ts")).renderHtml,
  md: async () => (await import("./pod/markdown.ts")).renderMarkdown,
  name: async () => (await import("./json/json.ts")).renderNames,
});

export function formsWithLogs(when: "by-default" | "at-all"): string[] {
  const shown = when === "at-all" ? ["by-default", "on-request"] : ["by-default"];
  return Object.keys(EXPLAIN_FORMS).filter((form) => shown.includes(FORMS[form as Form].logs));
}

export const LIST_FORMS = formsOf<BackoffList, ListLook>()({
  table: async () => (await import("./list/list-table.ts")).renderListTable,
  wide: async () => (await import("./list/list-table.ts")).renderListTable,
  ...documents(async () => (await import("./json/list-json.ts")).listToJson),
  name: async () => (await import("./json/list-json.ts")).renderListNames,
  md: async () => (await import("./list/list-markdown.ts")).renderListMarkdown,
});

export const ETA_FORMS = formsOf<Eta, EtaLook>()({
  table: async () => (await import("./eta/eta-table.ts")).renderEtaTable,
  wide: async () => (await import("./eta/eta-table.ts")).renderEtaTable,
  ...documents(async () => (await import("./eta/eta-json.ts")).etaToJson),
  svg: async () => (await import("./eta/eta-picture.ts")).renderEtaSvg,
  html: async () => (await import("./eta/eta-picture.ts")).renderEtaHtml,
  md: async () => (await import("./eta/eta-picture.ts")).renderEtaMarkdown,
});

export const SIMULATE_FORMS = formsOf<Simulated, RenderOptions>()({
  table: async () => (await import("./simulation/simulation-table.ts")).renderSimulated,
  ...documents(async () => (await import("./simulation/simulation-report.ts")).simulatedToJson),
  svg: async () => (await import("./simulation/simulation-picture.ts")).renderSimulatedSvg,
  html: async () => (await import("./simulation/simulation-picture.ts")).renderSimulatedHtml,
});

export const STRATEGIES_FORMS = formsOf<Contention, RenderOptions>()({
  table: async () => (await import("./strategies/contention-page.ts")).renderContentionTable,
  csv: async () => (await import("./strategies/contention-page.ts")).renderContentionCsv,
  json: documents(async () => (await import("./strategies/contention-page.ts")).contentionToJson).json,
  svg: async () => (await import("./strategies/contention-page.ts")).renderContentionSvg,
  html: async () => (await import("./strategies/contention-page.ts")).renderContentionHtml,
});

export const CATCH_FORMS = formsOf<CatchReport, RenderOptions>()({
  html: async () => (await import("./catch/catch-page.ts")).renderCatchPage,
  json: async () => (await import("./catch/catch-json.ts")).renderCatchJson,
});
