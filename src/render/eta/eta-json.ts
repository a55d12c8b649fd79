import type { Eta, EtaContainer, EtaQuantile } from "../../explain/answer/eta.ts";
import { time, windowToJson } from "../json/json.ts";
import { toYaml } from "../json/yaml.ts";
import { escapeInJson } from "../page/harmless.ts";
import { assumptions } from "./eta-words.ts";

/** The stable machine form, `backoff/v1`; docs/eta.schema.json describes it. */
function etaToJson(eta: Eta, isIncomplete: boolean) {
  const { faster, bottleneck } = eta;
  return {
    apiVersion: "backoff/v1",
    kind: "Eta",
    at: time(eta.atMs),
    ...(isIncomplete && { incomplete: true }),
    total: eta.total,
    up: eta.up,
    down: eta.down.length,
    overdue: eta.overdue.length,
    unknown: eta.unknown.reduce((sum, { count }) => sum + count, 0),
    quantiles: eta.quantiles.map(quantileToJson),
    quantilesOfDown: eta.quantilesOfDown.map(quantileToJson),
    containers: eta.down.map(containerToJson),
    overdueContainers: eta.overdue.map((one) => {
      const { nextRestart: _, ...container } = containerToJson(one);
      return { ...container, expectedBy: one.overdue && time(one.overdue.expectedByMs) };
    }),
    unknownContainers: eta.unknown.map(({ reason, count, examples }) => ({ reason, count, examples: [...examples] })),
    notReady: [...eta.notReady],
    bottleneck,
    faster: {
      deletion: faster.deletion && { pods: faster.deletion.pods, others: quantileToJson(faster.deletion.others) },
      rollout: faster.rollout,
    },
    assumptions: assumptions(eta),
    gaps: eta.gaps.map(({ code, message }) => ({ code, message })),
  };
}

function quantileToJson({ share, count, atMs, likelyByMs }: EtaQuantile) {
  return { share, count, at: time(atMs), likelyBy: time(likelyByMs) };
}

function containerToJson({ namespace, pod, container, node, owner, delayMs, nextRestart, waitsFor }: EtaContainer) {
  return {
    namespace,
    pod,
    container,
    node,
    owner: owner && { kind: owner.kind, name: owner.name },
    delaySeconds: delayMs === null ? null : delayMs / 1000,
    nextRestart: windowToJson(nextRestart),
    waitsFor,
  };
}

/** JSON for people and programs, indented as kubectl does. */
export function renderEtaJson(eta: Eta, isIncomplete = false): string {
  return `${escapeInJson(JSON.stringify(etaToJson(eta, isIncomplete), null, 4))}\n`;
}

/** The same as YAML. */
export function renderEtaYaml(eta: Eta, isIncomplete = false): string {
  return toYaml(etaToJson(eta, isIncomplete));
}
