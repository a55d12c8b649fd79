import { type BackoffList, isDownInList, type ListItem, type NotReadyPod } from "./answer/backoff-list.ts";
import { startErrorIn } from "./answer/excerpt.ts";
import type {
  ContainerExplanation,
  Explanation,
  Gap,
  PodExplanation,
  PolicyExplanation,
} from "./answer/explanation.ts";
import type { NodeFact } from "./answer/node-fact.ts";
import { isWithoutNode } from "./answer/node-outage.ts";
import { tellingLine } from "./answer/telling-line.ts";
import { nodeFacts } from "./history/node-facts.ts";
import { notReadyPod, podOfRow } from "./not-ready.ts";
import { conditionOf, isOnlyApp, lastExitLog, statusOf } from "./observed/lookups.ts";
import type { Now, Observation, PodObservation } from "./observed/observation.ts";
import { awaitsRestart, isHeldUp, isSlowToStart, mainContainer, troubleOf } from "./triage.ts";
import { distinctGaps } from "./words/gaps.ts";

export function listed({ pods: observed }: Observation, { atMs, atBasis, pods }: Explanation): BackoffList {
  const items: ListItem[] = [];
  const gaps: Gap[] = [];
  const notReady: NotReadyPod[] = [];
  const facts = new Map<string, readonly NodeFact[]>();
  for (const [index, pod] of pods.entries()) {
    const source = observed[index];
    const containers = containersOf(pod, atMs);
    if (source === undefined) continue;
    if (containers.length === 0) {
      notReady.push(...notReadyPod(pod, source, atMs));
      continue;
    }
    items.push(...containers.map((container) => itemOf(pod, source, container, atMs)));
    gaps.push(...pod.gaps);
    if (source.node !== null) facts.set(source.node.name, nodeFacts(source, atMs));
  }
  return { atMs, atBasis, items, notReady, gaps: distinctGaps(gaps), nodeFacts: facts };
}

export function withoutRunning(list: BackoffList): BackoffList {
  return { ...list, items: list.items.filter(isDownInList) };
}

export function joined({ atMs, atBasis }: Now, parts: readonly BackoffList[]): BackoffList {
  return {
    atMs,
    atBasis,
    items: parts.flatMap(({ items }) => items),
    notReady: parts.flatMap(({ notReady }) => notReady),
    gaps: distinctGaps(parts.flatMap(({ gaps }) => gaps)),
    nodeFacts: new Map(parts.flatMap((part) => [...(part.nodeFacts ?? [])])),
  };
}

function containersOf(pod: PodExplanation, atMs: number): readonly ContainerExplanation[] {
  if (pod.verdict === "terminating") return [];
  const failing = pod.containers.filter(isListed);
  if (failing.length === 0) {
    const slow = pod.containers.find((one) => isSlowToStart(pod, one, atMs));
    return pod.node === null || slow === undefined ? [] : [slow];
  }
  const main = mainContainer(pod);
  return failing.every(isHeldUp) && main !== undefined ? [main] : failing;
}

function isListed(container: ContainerExplanation): boolean {
  if (container.state === "running") return container.isCrashLooping && container.restartCount >= LEAST_RESTARTS;
  return awaitsRestart(container) || troubleOf(container) === "start-failing";
}

/** The same limit as in `mayLoop` (cluster/objects/pod-table.ts). */
const LEAST_RESTARTS = 2;

function itemOf(pod: PodExplanation, source: PodObservation, container: ContainerExplanation, atMs: number): ListItem {
  const { name, state, reported, restartCount, imagePull, nextRestart, overdue, lastExit, history, image } = container;
  const ready = source.node === null ? undefined : conditionOf(source.node, "Ready");
  const { failingSince, obstacle, isReady } = container;
  const status = statusOf(source.pod, name);
  return {
    ...podOfRow(source),
    container: name,
    state,
    startedAtMs: state === "running" ? (history.at(-1)?.startedAtMs ?? null) : null,
    isReady,
    isOnlyApp: isOnlyApp(name, source.pod),
    lastExitLog: status === null ? null : lastExitLog(status),
    lastLogLine: container.logs?.instance === "last-exit" ? lineOf(container.logs.lines) : null,
    reported: obstacle?.kind === "scheduling" ? obstacle.reason : reported,
    ...(obstacle !== null && isHeldUp(container) && { obstacleReason: obstacle.reason }),
    restartCount,
    delayMs: imagePull === null ? container.delayMs : imagePull.delayMs,
    nextRestart: imagePull?.nextPull ?? nextRestart,
    overdue,
    cause: listedCauseOf(container),
    // A copy, because the getters of `container.lastExit` would keep the pod in memory.
    lastExit: lastExit && { exitCode: lastExit.exitCode, signal: lastExit.signal },
    failingSince: failingSince && { ...failingSince, atMs: Math.min(atMs, failingSince.atMs) },
    message: messageOf(container),
    isByDefaults:
      !isByConfig(pod.policy) && source.missing.some(({ what, why }) => what === "node-config" && why === "not-asked"),
    isNodeReady: isWithoutNode(pod) ? false : ready === undefined ? null : ready.status === "True",
    ...(isWithoutNode(pod) && { isNodeMissing: true }),
    image,
    sources: source.pod.sources ?? [],
  };
}

function isByConfig({ basis, isInferred }: PolicyExplanation): boolean {
  return basis === "configz" || basis === "flag" || isInferred === true;
}

function lineOf(lines: readonly string[]): string | null {
  return tellingLine(lines)?.text ?? null;
}

function messageOf({ imagePull, obstacle, lastExit, state }: ContainerExplanation): string | null {
  const whyNotStarted = imagePull?.cause ?? obstacle?.cause ?? null;
  if (whyNotStarted !== null) return whyNotStarted.trim().split("\n").at(-1)?.trim() || null;
  // The kubelet makes up the message of "restart-all" (`convertToAPIContainerStatuses`, v1.37.1,
  // pkg/kubelet/kubelet_pods.go).
  if (state === "starting" || lastExit?.cause === "restart-all") return null;
  if (lastExit?.cause === "start-error") return startErrorIn(lastExit.message) || null;
  return lineOf((lastExit?.message ?? "").split("\n"));
}

function listedCauseOf({ state, imagePull, lastExit }: ContainerExplanation): ListItem["cause"] {
  if (imagePull !== null) return "image-pull";
  return state === "starting" ? "start-failure" : (lastExit?.cause ?? "unknown");
}
