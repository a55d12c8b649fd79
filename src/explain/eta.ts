import type { StartDistribution } from "../kubelet/start-distribution.ts";
import type { ContainerPlace, Eta, EtaContainer, EtaFaster, EtaQuantile, EtaUnknown } from "./answer/eta.ts";
import { curveOf, quantilesOf } from "./eta-quantiles.ts";
import { type Standing, standingsOf } from "./eta-starts.ts";
import type { ExplainOptions } from "./explain.ts";
import { statusOf } from "./observed/lookups.ts";
import { greatestOf } from "./observed/max-min.ts";
import type { Now, Observation, PodObservation, PodSnapshot } from "./observed/observation.ts";
import { podCaseOf } from "./pod-case.ts";
import { startByServerClock } from "./prediction/by-server-clock.ts";
import { isCrashLooping, isOver } from "./prediction/state.ts";
import { replacesUnreadyPods } from "./rollout.ts";
import { distinctGaps, gapsOf } from "./words/gaps.ts";

/** Containers sorted by whether and when they are up. `joinedParts` adds up the parts of a long list. */
export interface EtaPart extends Pick<Eta, "pods" | "up" | "notReady" | "crashLooping" | "overdue" | "gaps"> {
  readonly down: readonly EtaStart[];
  readonly unknown: readonly { readonly reason: EtaUnknown["reason"]; readonly place: ContainerPlace }[];
}

interface EtaStart {
  readonly container: EtaContainer;
  readonly starts: StartDistribution;
}

/** Sorts the containers of the observed pods by whether and when they are up. Uses the same waits as `explain`. */
export function etaPart({ pods, atMs, atBasis }: Observation, options: ExplainOptions): EtaPart {
  const parts = pods.filter(({ pod }) => !isOver(pod)).map((pod) => partOf(pod, options, { atMs, atBasis }));
  return joinedParts(parts);
}

export function joinedParts(parts: readonly EtaPart[]): EtaPart {
  return {
    pods: parts.reduce((sum, { pods }) => sum + pods, 0),
    up: parts.reduce((sum, { up }) => sum + up, 0),
    notReady: parts.flatMap(({ notReady }) => notReady),
    crashLooping: parts.flatMap(({ crashLooping }) => crashLooping),
    down: parts.flatMap(({ down }) => down),
    overdue: parts.flatMap(({ overdue }) => overdue),
    unknown: parts.flatMap(({ unknown }) => unknown),
    gaps: distinctGaps(parts.flatMap(({ gaps }) => gaps)),
  };
}

function partOf(observed: PodObservation, options: ExplainOptions, now: Now): EtaPart {
  const { pod } = observed;
  const podCase = podCaseOf(observed, options, now);
  const { context, skewMs, policy, bySyncs } = podCase;
  const standings = standingsOf(podCase);
  const parts = pod.containers.flatMap(({ name, type }, index) => {
    const standing = standings[index];
    const isMeant = standing !== undefined && (type === "app" || type === "sidecar");
    return isMeant ? [containerPart(pod, name, standing, skewMs)] : [];
  });
  const isUp = (index: number): boolean => standings[index]?.kind === "up";
  const looping = context.containers.filter((one, index) => isUp(index) && isCrashLooping(one, context));
  const crashLooping = looping
    .filter(({ facts: { spec } }) => spec.type === "app" || spec.type === "sidecar")
    .map(({ facts: { spec } }) => ({ namespace: pod.namespace, pod: pod.name, container: spec.name }));
  const all = { ...joinedParts(parts), crashLooping };
  const gaps = all.down.length === 0 ? [] : gapsOf(observed, policy, bySyncs, true);
  return { ...all, pods: 1, gaps };
}

const NOTHING: EtaPart = {
  pods: 0,
  up: 0,
  notReady: [],
  crashLooping: [],
  down: [],
  overdue: [],
  unknown: [],
  gaps: [],
};

function containerPart(pod: PodSnapshot, name: string, standing: Standing, skewMs: number): EtaPart {
  const place = { namespace: pod.namespace, pod: pod.name, container: name };
  switch (standing.kind) {
    case "up":
      return { ...NOTHING, up: 1, notReady: statusOf(pod, name)?.ready === true ? [] : [place] };
    case "over":
      return NOTHING;
    case "down":
    case "overdue": {
      const { delayMs, waitsFor } = standing;
      const start = startByServerClock(standing, skewMs);
      const container = { ...place, node: pod.nodeName, owner: pod.owner, ...start, delayMs, waitsFor };
      if (standing.kind === "overdue") return { ...NOTHING, overdue: [container] };
      return { ...NOTHING, down: [{ container, starts: standing.starts.later(-skewMs) }] };
    }
    case "unknown":
      return { ...NOTHING, unknown: [{ reason: standing.reason, place }] };
  }
}

export function etaOf(part: EtaPart, { atMs, atBasis }: Now, failedJobs: Eta["failedJobs"] = []): Eta {
  const down = part.down.toSorted(lastFirst);
  const starts = down.map((one) => one.starts);
  const containers = down.map(({ container }) => container);
  const quantilesOfDown = quantilesAmong(0, down, atMs);
  return {
    ...part,
    atMs,
    atBasis,
    total: part.up + down.length + part.overdue.length + part.unknown.length,
    down: containers,
    overdue: part.overdue.toSorted((a, b) => (a.overdue?.expectedByMs ?? 0) - (b.overdue?.expectedByMs ?? 0)),
    unknown: byReason(part.unknown),
    quantiles: quantilesAmong(part.up, down, atMs),
    quantilesOfDown,
    curve: curveOf(starts, atMs),
    bottleneck: bottleneckOf(containers),
    faster: fasterOf(down, (quantilesOfDown.at(-1)?.atMs ?? atMs) - atMs, atMs),
    failedJobs,
  };
}

/**
 * Returns when each share of all containers is up. The windows allow for late starts, e.g. after a slow image pull, which
 * the distributions leave out. All containers are likely up only when each is: not before the last window ends.
 */
function quantilesAmong(up: number, down: readonly EtaStart[], nowMs: number): EtaQuantile[] {
  const starts = down.map((one) => one.starts);
  const endMs = greatestOf(
    down.map(({ container }) => container.nextRestart?.likelyByMs ?? nowMs),
    nowMs,
  );
  return quantilesOf(up, starts, nowMs).map((quantile) => {
    const isAll = quantile.count === up + down.length;
    return isAll ? { ...quantile, likelyByMs: Math.max(quantile.likelyByMs, endMs) } : quantile;
  });
}

function lastFirst(a: EtaStart, b: EtaStart): number {
  const median = ({ starts }: EtaStart): number => starts.quantile(0.5);
  const name = (one: EtaStart): string => `${podOf(one)}/${one.container.container}`;
  return median(b) - median(a) || (name(a) < name(b) ? -1 : 1);
}

function podOf({ container: { namespace, pod } }: EtaStart): string {
  return `${namespace}/${pod}`;
}

function byReason(unknown: EtaPart["unknown"]): EtaUnknown[] {
  const groups = [...Map.groupBy(unknown, ({ reason }) => reason)].map(([reason, group]) => {
    return { reason, places: group.map(({ place }) => place) };
  });
  return groups.sort((a, b) => b.places.length - a.places.length);
}

/** The program looks for a bottleneck among this share of the down containers, those that start last. */
const LATE_SHARE = 0.1;
const LEAST_LATE = 2;
/** A bottleneck is the node or owner of at least this share of the containers that start last. */
const MOST_OF_LATE = 0.8;
/** A bottleneck is the node or owner of at most this share of all containers that are down. */
const AT_MOST_OF_ALL = 0.5;

function bottleneckOf(lastFirst: readonly EtaContainer[]): Eta["bottleneck"] {
  const late = lastFirst.slice(0, Math.ceil(lastFirst.length * LATE_SHARE));
  if (late.length < LEAST_LATE) return null;
  const [last] = late;
  const common = (keyOf: (container: EtaContainer) => string | null) => {
    const counts = Map.groupBy(late, keyOf);
    const [key, most = []] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? [null];
    const ofAll = lastFirst.filter((container) => keyOf(container) === key).length / lastFirst.length;
    const isOne = key !== null && most.length >= late.length * MOST_OF_LATE && ofAll <= AT_MOST_OF_ALL;
    if (!isOne) return null;
    const count = most.length === late.length ? "" : `${most.length} of `;
    return { key, which: `${count === "" ? "The" : `${count}the`} last ${late.length} to start` };
  };
  const node = common((container) => container.node);
  if (node !== null) return { node: node.key, sentence: `${node.which} are on ${node.key}.` };
  const ofOwner = common(({ owner, namespace }) => owner && JSON.stringify([namespace, owner.kind, owner.name]));
  if (ofOwner === null || last === undefined) return null;
  const [namespace, kind, name]: [string, string, string] = JSON.parse(ofOwner.key);
  return { owner: { namespace, kind, name }, sentence: `${ofOwner.which} belong to ${kind} ${namespace}/${name}.` };
}

/** The kinds of controllers that replace a deleted pod and do not count it as a failure. */
const REPLACING: ReadonlySet<string> = new Set(["ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController"]);
/** Shares of the longest waits. The program suggests to delete the pods of the smallest share that gains enough. */
const DELETED_SHARES = [0.1, 0.25, 0.5];
const LEAST_GAIN_MS = 30_000;
const LEAST_GAIN = 0.2;

function fasterOf(down: readonly EtaStart[], lastInMs: number, nowMs: number): EtaFaster {
  if (lastInMs < LEAST_GAIN_MS) return { deletion: null, rollout: null };
  const replaced = down.flatMap(({ container: { namespace, owner } }) =>
    owner !== null && replacesUnreadyPods(owner.kind) ? [{ ...owner, namespace }] : [],
  );
  const owners = new Map(replaced.map((owner) => [JSON.stringify(owner), owner]));
  return {
    deletion: deletionOf(down, lastInMs, nowMs),
    rollout: replaced.length === 0 ? null : { containers: replaced.length, owners: [...owners.values()] },
  };
}

function deletionOf(down: readonly EtaStart[], lastInMs: number, nowMs: number): EtaFaster["deletion"] {
  for (const share of DELETED_SHARES) {
    const late = down
      .slice(0, Math.ceil(down.length * share))
      .filter(({ container: { owner } }) => owner !== null && REPLACING.has(owner.kind));
    const pods = new Map(late.map((one) => [podOf(one), one.container]));
    const remaining = down.filter((one) => !pods.has(podOf(one)));
    const others = quantilesAmong(0, remaining, nowMs).at(-1);
    const gainMs = lastInMs - ((others?.atMs ?? nowMs) - nowMs);
    if (others === undefined || late.length === 0 || gainMs < Math.max(LEAST_GAIN_MS, lastInMs * LEAST_GAIN)) continue;
    return { pods: [...pods.values()].map(({ namespace, pod }) => ({ namespace, pod })), others };
  }
  return null;
}
