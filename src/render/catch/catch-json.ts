import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import type { Catch } from "../../explain/observed/catch.ts";
import type { Missing, Observation } from "../../explain/observed/observation.ts";
import { jsonLine } from "../json/json.ts";
import { API_VERSION, pick, timeOrNull, utcText } from "../json/json-values.ts";

export interface CatchHeader extends Pick<Observation, "atMs" | "atBasis"> {
  readonly pod: Pick<PodExplanation, "namespace" | "name">;
  /** The version of kubectl-backoff. */
  readonly program: string;
  /** The kubelet versions whose back-off this program models. */
  readonly model: string;
  readonly flags: readonly string[];
  readonly missing: readonly Missing[];
}

export interface CatchReport {
  readonly caught: Catch;
  readonly header: CatchHeader;
  readonly explanation: Explanation;
}

/** See docs/catch.schema.json. */
export function renderCatchJson({ caught, header }: Omit<CatchReport, "explanation">): string {
  return jsonLine(documentOf(caught, header));
}

function documentOf(
  { container, run, ended, log, disconnected, arrivals }: Catch,
  { atMs, pod, ...header }: CatchHeader,
): object {
  const { namespace, name } = pod;
  return {
    apiVersion: API_VERSION,
    kind: "Catch",
    metadata: { name, namespace },
    at: utcText(atMs),
    ...header,
    pod: { namespace, name },
    container,
    run: run && {
      start: run.start,
      startedAt: timeOrNull(run.startedAtMs),
      finishedAt: timeOrNull(run.finishedAtMs),
      exitCode: run.exitCode,
    },
    ended,
    log: {
      lines: log.lines.map(({ atMs, time: writtenAt, text, cut }) => ({
        at: utcText(atMs),
        time: writtenAt,
        text,
        ...(cut > 0 && { cutCharacters: cut }),
      })),
      ...pick(log, "leftOut", "isComplete", "missing"),
    },
    disconnected: disconnected.map(({ sinceMs, untilMs, because }) => ({
      since: utcText(sinceMs),
      until: timeOrNull(untilMs),
      because,
    })),
    items: arrivals.map(({ atMs, type, kind, object }) => ({ at: utcText(atMs), type, kind, object })),
  };
}
