import type { Eta, EtaContainer, EtaNeed, EtaQuantile } from "../../explain/answer/eta.ts";
import { textInUtc } from "../../explain/answer/prose.ts";
import type { EtaCount } from "../../explain/follow/eta-progress.ts";
import { neededToJson } from "../json/impact-json.ts";
import { failedJobToJson, jsonLine } from "../json/json.ts";
import { API_VERSION, pick, seconds, utcText, windowToJson } from "../json/json-values.ts";
import { assumptions, type EtaLook, unknownCount } from "./eta-words.ts";

const MOST_EXAMPLES = 3;

/** See docs/eta.schema.json. */
export function etaToJson(eta: Eta, { isIncomplete = false }: Pick<EtaLook, "isIncomplete">) {
  const { faster, bottleneck } = eta;
  return {
    apiVersion: API_VERSION,
    kind: "Eta",
    at: utcText(eta.atMs),
    atBasis: eta.atBasis,
    ...(isIncomplete && { incomplete: true }),
    total: eta.total,
    up: eta.up,
    down: eta.down.length,
    overdue: eta.overdue.length,
    unknown: unknownCount(eta),
    quantiles: eta.quantiles.map(quantileToJson),
    quantilesOfDown: eta.quantilesOfDown.map(quantileToJson),
    containers: eta.down.map(containerToJson),
    overdueContainers: eta.overdue.map((one) => {
      const { nextRestart: _, upAgain: __, needs: ___, ...container } = containerToJson(one);
      return { ...container, expectedBy: one.overdue && utcText(one.overdue.expectedByMs) };
    }),
    unknownContainers: eta.unknown.map(({ reason, places }) => {
      return { reason, count: places.length, examples: places.slice(0, MOST_EXAMPLES) };
    }),
    notReady: [...eta.notReady],
    crashLooping: [...eta.crashLooping],
    bottleneck,
    faster: {
      deletion: faster.deletion && { ...faster.deletion, others: quantileToJson(faster.deletion.others) },
      rollout: faster.rollout,
    },
    workloads: eta.workloads.map((one) => ({ ...one, upAgain: windowToJson(one.upAgain) })),
    needs: eta.needs.map(needToJson),
    assumptions: assumptions(eta),
    failedJobs: eta.failedJobs.map(failedJobToJson),
    waitingJobs: eta.waitingJobs.map(({ atMs, ...job }) => ({ ...job, nextPodAt: utcText(atMs) })),
    gaps: eta.gaps.map((gap) => pick(gap, "code", "message")),
  };
}

export function etaProgressLine({ awaited, up, downAgain, expectedUp }: EtaCount, nowMs: number): string {
  return jsonLine({
    apiVersion: API_VERSION,
    kind: "EtaProgress",
    at: utcText(nowMs),
    announced: awaited,
    up,
    downAgain,
    expected: expectedUp,
  });
}

function needToJson(need: EtaNeed) {
  return {
    ...neededToJson(need),
    ...pick(need, "neededBy", "effect"),
    basis: "inferred",
    sentence: need.sentence === null ? null : textInUtc(need.sentence),
  };
}

function quantileToJson({ share, count, atMs, likelyByMs }: EtaQuantile) {
  return { share, count, at: utcText(atMs), likelyBy: utcText(likelyByMs) };
}

function containerToJson(container: EtaContainer) {
  const { owner, delayMs, nextRestart, waitsFor, upAgain, needs } = container;
  return {
    ...pick(container, "namespace", "pod", "container", "node"),
    owner: owner && pick(owner, "kind", "name"),
    delaySeconds: seconds(delayMs),
    nextRestart: windowToJson(nextRestart),
    waitsFor,
    upAgain: windowToJson(upAgain),
    needs,
  };
}
