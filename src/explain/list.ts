import type { Common } from "./answer/common.ts";
import { startErrorIn } from "./answer/excerpt.ts";
import type {
  Cause,
  ContainerExplanation,
  Explanation,
  FailedJob,
  FailingSince,
  Gap,
  LastExit,
  PodExplanation,
  PolicyExplanation,
} from "./answer/explanation.ts";
import type { NodeFact } from "./answer/node-fact.ts";
import type { NotReadyPod } from "./answer/not-ready-pod.ts";
import { tellingLine } from "./answer/telling-line.ts";
import { nodeFacts } from "./history/node-facts.ts";
import { notReadyPod } from "./not-ready.ts";
import { conditionOf, lastExitLog, readinessOf, statusOf, workloadOf } from "./observed/lookups.ts";
import type { ConfigSource, Now, Observation, OwnerReference, PodObservation } from "./observed/observation.ts";
import { awaitsRestart, isSlowToStart, mainContainer, troubleOf } from "./triage.ts";
import { distinctGaps } from "./words/gaps.ts";

/** A container that is in back-off, restarting, failing or slow to start, or that runs as part of a crash loop. */
export interface ListItem
  extends Pick<PodExplanation, "namespace" | "node" | "owner">,
    Pick<ContainerExplanation, "state" | "reported" | "restartCount" | "nextRestart" | "overdue"> {
  readonly pod: string;
  readonly container: string;
  /** The start of the running instance; null if the container is down or the start is unknown. */
  readonly startedAtMs: number | null;
  readonly isReady: boolean | null;
  /** Whether it is the pod's only app container, which kubectl and the API take if no container is named. */
  readonly isOnlyApp: boolean;
  /** The number of the pod's app containers and sidecars that are ready, and of all of them. */
  readonly podReadiness: { readonly ready: number; readonly all: number };
  /** Which log of the container has its last exit; null if none has. */
  readonly lastExitLog: "current" | "previous" | null;
  /** The log line that best explains why the container ended; null if its log was not read, or is empty. */
  readonly lastLogLine: string | null;
  /** True if the container's log was not read because the list had already read as many logs as it may. */
  readonly isLogLeftOut?: true;
  /** The delay of the image's back-off if the pull fails, else of the container's back-off; null if unknown. */
  readonly delayMs: number | null;
  readonly cause: Cause | "image-pull" | "start-failure";
  readonly lastExit: Pick<LastExit, "exitCode" | "signal"> | null;
  /**
   * Why the container cannot start, or the line of its termination message that best explains why it ended; null if the
   * API has neither.
   */
  readonly message: string | null;
  /**
   * The reason of what keeps the whole pod from starting, e.g. "FailedMount"; undefined if no such obstacle is known.
   */
  readonly obstacleReason?: string;
  /** Since when the container has been failing; null if unknown. */
  readonly failingSince: FailingSince | null;
  /** Whether the window and the delay are by the kubelet's defaults, because its configuration was not requested. */
  readonly isByDefaults: boolean;
  /** Null if the node was not read. */
  readonly isNodeReady: boolean | null;
  /** The Deployment or CronJob, inferred from the pod's name and labels; else the owner. */
  readonly workload: OwnerReference | null;
  readonly createdAtMs: number | null;
  readonly image: string;
  /** The ConfigMaps and Secrets that the pod uses. */
  readonly sources: readonly Pick<ConfigSource, "kind" | "name">[];
}

export type FailedJobItem = Pick<FailedJob, "namespace" | "name" | "failedAtMs" | "reason" | "message" | "failedPods">;

export interface BackoffList extends Now {
  readonly items: readonly ListItem[];
  readonly gaps: readonly Gap[];
  readonly notReady: readonly NotReadyPod[];
  /** Jobs that have failed; their pods may be gone. Left out if they were not read. */
  readonly failedJobs?: readonly FailedJobItem[];
  /** What rows share; left out or empty if they share nothing. */
  readonly common?: readonly Common[];
  /** What may be wrong with the nodes that run the items' pods, by the node's name; left out if no node was read. */
  readonly nodeFacts?: ReadonlyMap<string, readonly NodeFact[]>;
  /** The number of pods of the scope that each node runs; left out if the list is incomplete. */
  readonly podsPerNode?: ReadonlyMap<string, number>;
  /**
   * All pods of the scope; left out if their namespaces are unknown or the list is incomplete. `namespace` is left out
   * if it is the same for all.
   */
  readonly allPods?: readonly { readonly namespace?: string; readonly name: string; readonly isReady: boolean }[];
}

/** Lists the failing containers of explained pods, the gaps of these pods, and the other pods that are not Ready. */
export function listed({ pods: observed }: Observation, { atMs, atBasis, pods }: Explanation): BackoffList {
  const items: ListItem[] = [];
  const gaps: Gap[] = [];
  const notReady: NotReadyPod[] = [];
  const facts = new Map<string, readonly NodeFact[]>();
  for (const [index, pod] of pods.entries()) {
    const source = observed[index];
    const containers = containersOf(pod, atMs);
    if (source === undefined) continue;
    if (containers.length === 0) notReady.push(...notReadyPod(pod, source, atMs));
    if (containers.length === 0) continue;
    items.push(...containers.map((container) => itemOf(pod, source, container, atMs)));
    gaps.push(...pod.gaps);
    if (source.node !== null) facts.set(source.node.name, nodeFacts(source, atMs));
  }
  return { atMs, atBasis, items, notReady, gaps: distinctGaps(gaps), nodeFacts: facts };
}

export function withoutRunning(list: BackoffList): BackoffList {
  return { ...list, items: list.items.filter(({ state }) => state !== "running") };
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

/**
 * Returns the containers of a pod to list: the failing ones; without one, the first that is slow to start. If an
 * obstacle holds up the whole pod, returns only its main container.
 */
function containersOf(pod: PodExplanation, atMs: number): readonly ContainerExplanation[] {
  if (pod.verdict === "terminating") return [];
  const failing = pod.containers.filter(isListed);
  if (failing.length === 0) {
    const slow = pod.containers.find((one) => isSlowToStart(pod, one, atMs));
    return pod.node === null || slow === undefined ? [] : [slow];
  }
  const main = mainContainer(pod);
  const isHeldUp = failing.every(({ obstacle }) => obstacle !== null && obstacle.kind !== "container");
  return isHeldUp && main !== undefined ? [main] : failing;
}

/** Whether the container is down and will start again, cannot start, or crash-loops but runs right now. */
function isListed(container: ContainerExplanation): boolean {
  if (container.state === "running")
    return container.isCrashLooping === true && container.restartCount >= LEAST_RESTARTS;
  return awaitsRestart(container) || troubleOf(container) === "start-failing";
}

/**
 * A running container with fewer restarts is not listed, because the API server's table of pods shows no crash loop
 * before.
 */
const LEAST_RESTARTS = 2;

function itemOf(pod: PodExplanation, source: PodObservation, container: ContainerExplanation, atMs: number): ListItem {
  const { namespace, node, owner, policy } = pod;
  const { name, state, reported, restartCount, imagePull, nextRestart, overdue, lastExit, history } = container;
  const ready = source.node === null ? undefined : conditionOf(source.node, "Ready");
  const { failingSince, obstacle } = container;
  const status = statusOf(source.pod, name);
  return {
    namespace,
    pod: pod.name,
    container: name,
    state,
    startedAtMs: state === "running" ? (history.at(-1)?.startedAtMs ?? null) : null,
    isReady: status?.ready ?? null,
    isOnlyApp: container.type === "app" && source.pod.containers.filter(({ type }) => type === "app").length === 1,
    podReadiness: readinessOf(source.pod),
    lastExitLog: status === null ? null : lastExitLog(status),
    lastLogLine: container.logs?.instance === "last-exit" ? lineOf(container.logs.lines) : null,
    reported: obstacle?.kind === "scheduling" ? obstacle.reason : reported,
    ...(obstacle !== null && obstacle.kind !== "container" && { obstacleReason: obstacle.reason }),
    restartCount,
    delayMs: imagePull === null ? container.delayMs : imagePull.delayMs,
    nextRestart: imagePull?.nextPull ?? nextRestart,
    overdue,
    cause: causeOf(container),
    // Not the whole object, which would keep the pod in memory.
    lastExit: lastExit && { exitCode: lastExit.exitCode, signal: lastExit.signal },
    failingSince: failingSince && { ...failingSince, atMs: Math.min(atMs, failingSince.atMs) },
    message: messageOf(container),
    node,
    isByDefaults:
      !isByConfig(policy) && source.missing.some(({ what, why }) => what === "node-config" && why === "not-asked"),
    isNodeReady: ready === undefined ? null : ready.status === "True",
    owner,
    workload: workloadOf(source),
    createdAtMs: source.pod.createdAtMs,
    image: container.image,
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
  if (whyNotStarted === null) {
    if (state === "starting") return null;
    if (lastExit?.cause === "start-error") return startErrorIn(lastExit.message) || null;
    return lineOf((lastExit?.message ?? "").split("\n"));
  }
  return (
    whyNotStarted
      .split("\n")
      .findLast((line) => line.trim() !== "")
      ?.trim() ?? null
  );
}

function causeOf({ state, imagePull, lastExit }: ContainerExplanation): ListItem["cause"] {
  if (imagePull !== null) return "image-pull";
  return state === "starting" ? "start-failure" : (lastExit?.cause ?? "unknown");
}
