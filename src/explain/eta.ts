import type { StartShares } from "../kubelet/start-shares.ts";
import { kindOfWaiting } from "../kubelet/waiting-reasons.ts";
import type { ContainerPlace, Eta, EtaBottleneck, EtaContainer, EtaFaster, EtaUnknown } from "./answer/eta.ts";
import type { Gap } from "./answer/explanation.ts";
import { curveOf, quantilesOf } from "./eta-quantiles.ts";
import { eitherOf, medianOf, type Standing, standingByServerClock, standingsOf } from "./eta-starts.ts";
import type { ExplainOptions } from "./explain.ts";
import { type JudgedPod, judgeAsOlderKubelet, judgePod } from "./judged-pod.ts";
import { statusOf } from "./observed/lookups.ts";
import type { Now, Observation, PodObservation, PodSnapshot } from "./observed/observation.ts";
import { isOver } from "./prediction/state.ts";
import { gapsOf } from "./words/gaps.ts";

/** What pods come to, without the pods: what is added up over all parts of a list. */
export interface EtaPart {
  readonly pods: number;
  readonly up: number;
  readonly notReady: readonly ContainerPlace[];
  readonly down: readonly EtaStart[];
  readonly overdue: readonly EtaContainer[];
  readonly unknown: readonly (Pick<EtaUnknown, "reason"> & { readonly place: ContainerPlace })[];
  readonly gaps: readonly Gap[];
}

/** A container that is down, and the distribution of its start. */
interface EtaStart {
  readonly container: EtaContainer;
  readonly starts: StartShares;
}

/** Judges the pods of one observation by the same waits as an explanation does. */
export function etaPart({ pods, atMs, atBasis }: Observation, options: ExplainOptions): EtaPart {
  const parts = pods.filter(({ pod }) => !isOver(pod)).map((pod) => partOf(pod, options, { atMs, atBasis }));
  return joinedParts(parts);
}

/** Whether only its events tell when something of the pod starts: an image's back-off is nowhere else. */
export function needsEvents({ statuses }: PodSnapshot): boolean {
  return statuses.some(({ state }) => state?.kind === "waiting" && kindOfWaiting(state.reason) === "image-pull");
}

/** Parts as one. */
export function joinedParts(parts: readonly EtaPart[]): EtaPart {
  return {
    pods: parts.reduce((sum, { pods }) => sum + pods, 0),
    up: parts.reduce((sum, { up }) => sum + up, 0),
    notReady: parts.flatMap(({ notReady }) => notReady),
    down: parts.flatMap(({ down }) => down),
    overdue: parts.flatMap(({ overdue }) => overdue),
    unknown: parts.flatMap(({ unknown }) => unknown),
    gaps: [...new Map(parts.flatMap(({ gaps }) => gaps).map((gap) => [gap.message, gap])).values()],
  };
}

function partOf(observed: PodObservation, options: ExplainOptions, now: Now): EtaPart {
  const { pod } = observed;
  const newest = judgePod(observed, options, now);
  const standings = standingsUnderEither(newest, observed, options, now).map((one) =>
    standingByServerClock(one, newest.skewMs),
  );
  const counted = pod.containers.flatMap(({ name, type }, index) => {
    const standing = standings[index];
    const isMeant = type === "app" || type === "sidecar";
    return standing === undefined || !isMeant ? [] : [{ standing, place: placeOf(observed, name) }];
  });
  const isReady = (name: string): boolean => statusOf(pod, name)?.ready === true;
  const up = counted.filter(({ standing }) => standing.kind === "up");
  const waiting = (place: ContainerPlace, { delayMs, waitsFor }: Pick<EtaContainer, "delayMs" | "waitsFor">) => {
    return { ...place, node: pod.nodeName, owner: pod.owner, delayMs, waitsFor };
  };
  const down = counted.flatMap(({ standing, place }): EtaStart[] => {
    if (standing.kind !== "down") return [];
    const { window, starts } = standing;
    return [{ container: { ...waiting(place, standing), nextRestart: window, overdue: null }, starts }];
  });
  const isAsked = ({ code }: Gap): boolean => !code.endsWith("-not-asked");
  return {
    pods: 1,
    up: up.length,
    notReady: up.filter(({ place }) => !isReady(place.container)).map(({ place }) => place),
    down,
    overdue: counted.flatMap(({ standing, place }) =>
      standing.kind === "overdue"
        ? [{ ...waiting(place, standing), nextRestart: null, overdue: standing.overdue }]
        : [],
    ),
    unknown: counted.flatMap(({ standing, place }) =>
      standing.kind === "unknown" ? [{ reason: standing.reason, place }] : [],
    ),
    gaps:
      down.length === 0
        ? []
        : gapsOf(observed, newest.explained, { bySyncs: newest.bySyncs, hasWindow: true }).filter(isAsked),
  };
}

function placeOf({ pod }: PodObservation, container: string): ContainerPlace {
  return { namespace: pod.namespace, pod: pod.name, container };
}

function standingsUnderEither(
  newest: JudgedPod,
  observed: PodObservation,
  options: ExplainOptions,
  now: Now,
): Standing[] {
  const standings = standingsOf(newest);
  const isDue = standings.some(({ kind }) => kind === "down" || kind === "overdue");
  if (!newest.isVersionOpen || !isDue) return standings;
  const elder = standingsOf(judgeAsOlderKubelet(observed, options, now));
  return standings.map((standing, index) => eitherOf(standing, elder[index] ?? standing));
}

/** When all of it is up again. */
export function etaOf(part: EtaPart, { atMs, atBasis }: Now): Eta {
  const down = part.down.toSorted(lastFirst);
  const starts = down.map((one) => one.starts);
  const containers = down.map(({ container }) => container);
  const quantilesOfDown = quantilesOf(0, starts, atMs);
  return {
    atMs,
    atBasis,
    total: part.up + down.length + part.overdue.length + part.unknown.length,
    pods: part.pods,
    up: part.up,
    notReady: part.notReady,
    down: containers,
    overdue: part.overdue.toSorted((a, b) => (a.overdue?.expectedByMs ?? 0) - (b.overdue?.expectedByMs ?? 0)),
    unknown: unknownOf(part.unknown),
    quantiles: quantilesOf(part.up, starts, atMs),
    quantilesOfDown,
    curve: curveOf(starts, atMs),
    bottleneck: bottleneckOf(containers),
    faster: fasterOf(down, (quantilesOfDown.at(-1)?.atMs ?? atMs) - atMs, atMs),
    gaps: part.gaps,
  };
}

function lastFirst(a: EtaStart, b: EtaStart): number {
  const name = ({ container: { namespace, pod, container } }: EtaStart): string => `${namespace}/${pod}/${container}`;
  return medianOf(b.starts) - medianOf(a.starts) || (name(a) < name(b) ? -1 : 1);
}

/** More are not worth their memory. */
const MOST_EXAMPLES = 3;

function unknownOf(unknown: EtaPart["unknown"]): EtaUnknown[] {
  return [...Map.groupBy(unknown, ({ reason }) => reason)]
    .map(([reason, group]) => {
      return { reason, count: group.length, examples: group.slice(0, MOST_EXAMPLES).map(({ place }) => place) };
    })
    .sort((a, b) => b.count - a.count);
}

/** The last tenth is what everybody waits for. */
const LATE_SHARE = 0.1;
const LEAST_LATE = 2;
/** Of the last ones so many have it in common, and of all that are down no more than so many. */
const MOST_OF_LATE = 0.8;
const AT_MOST_OF_ALL = 0.5;

function bottleneckOf(lastFirst: readonly EtaContainer[]): EtaBottleneck | null {
  const late = lastFirst.slice(0, Math.ceil(lastFirst.length * LATE_SHARE));
  if (late.length < LEAST_LATE) return null;
  const [last] = late;
  const common = (keyOf: (container: EtaContainer) => string | null): string | null => {
    const counts = Map.groupBy(late, keyOf);
    const [key, most = []] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? [null];
    const ofAll = lastFirst.filter((container) => keyOf(container) === key).length / lastFirst.length;
    return key !== null && most.length >= late.length * MOST_OF_LATE && ofAll <= AT_MOST_OF_ALL ? key : null;
  };
  const node = common((container) => container.node);
  if (node !== null) return { node, sentence: `Of the last ${late.length} to start, nearly all are on ${node}.` };
  const key = common(({ owner, namespace }) => owner && JSON.stringify([namespace, owner.kind, owner.name]));
  if (key === null || last === undefined) return null;
  const [namespace, kind, name]: [string, string, string] = JSON.parse(key);
  const sentence = `Of the last ${late.length} to start, nearly all belong to ${kind} ${namespace}/${name}.`;
  return { owner: { namespace, kind, name }, sentence };
}

/** Controllers that replace a deleted pod without counting it as a failure; those of the first ones also roll out a new template. */
const WITH_ROLLOUT: ReadonlySet<string> = new Set(["ReplicaSet", "StatefulSet", "DaemonSet"]);
const REPLACING: ReadonlySet<string> = new Set([...WITH_ROLLOUT, "ReplicationController"]);
/** Shares of the longest waits that are worth deleting: the smallest that gains enough. */
const DELETED_SHARES = [0.1, 0.25, 0.5];
const LEAST_GAIN_MS = 30_000;
const LEAST_GAIN = 0.2;

function fasterOf(down: readonly EtaStart[], lastInMs: number, nowMs: number): EtaFaster {
  if (lastInMs < LEAST_GAIN_MS) return { deletion: null, rollout: null };
  const replaced = down.filter(({ container: { owner } }) => owner !== null && WITH_ROLLOUT.has(owner.kind));
  const owners = new Map(
    replaced.flatMap(({ container: { namespace, owner } }) =>
      owner === null ? [] : [[JSON.stringify([namespace, owner]), { ...owner, namespace }]],
    ),
  );
  return {
    deletion: deletionOf(down, lastInMs, nowMs),
    rollout: replaced.length === 0 ? null : { containers: replaced.length, owners: [...owners.values()] },
  };
}

function deletionOf(down: readonly EtaStart[], lastInMs: number, nowMs: number): EtaFaster["deletion"] {
  const keyOf = ({ container: { namespace, pod } }: EtaStart): string => `${namespace}/${pod}`;
  for (const share of DELETED_SHARES) {
    const late = down
      .slice(0, Math.ceil(down.length * share))
      .filter(({ container: { owner } }) => owner !== null && REPLACING.has(owner.kind));
    const deleted = new Set(late.map(keyOf));
    const others = quantilesOf(
      0,
      down.filter((one) => !deleted.has(keyOf(one))).map(({ starts }) => starts),
      nowMs,
    ).at(-1);
    const gainMs = lastInMs - ((others?.atMs ?? nowMs) - nowMs);
    if (others === undefined || late.length === 0 || gainMs < Math.max(LEAST_GAIN_MS, lastInMs * LEAST_GAIN)) continue;
    const pods = new Map(late.map((one) => [keyOf(one), one.container]));
    return { pods: [...pods.values()].map(({ namespace, pod }) => ({ namespace, pod })), others };
  }
  return null;
}
