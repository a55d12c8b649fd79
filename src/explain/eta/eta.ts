import {
  ETA_SHARES,
  type Eta,
  type EtaContainer,
  type EtaFaster,
  type EtaQuantile,
  type EtaUnknown,
  type EtaWorkload,
} from "../answer/eta.ts";
import { distinct, podKeyOf } from "../observed/lookups.ts";
import { greatestOf } from "../observed/max-min.ts";
import type { Now } from "../observed/observation.ts";
import { replacesDeletedPods, replacesUnreadyPods } from "../rollout.ts";
import { windowOfAll } from "../triage.ts";
import { etaNeeds } from "./need-words.ts";
import { afterNeeds, type PlacedStart } from "./needs.ts";
import type { EtaPart } from "./parts.ts";
import { curveOf, quantilesOf } from "./quantiles.ts";

type EtaJobs = Partial<Pick<Eta, "failedJobs" | "waitingJobs">>;

export function etaOf(part: EtaPart, { atMs, atBasis }: Now, { failedJobs = [], waitingJobs = [] }: EtaJobs = {}): Eta {
  const placed = afterNeeds(part, atMs);
  const down = placed.down.toSorted(lastFirst);
  const starts = down.map((one) => one.starts);
  const containers = down.map(({ container }) => container);
  const quantilesOfDown = quantilesAmong(0, down, atMs);
  return {
    ...part,
    atMs,
    atBasis,
    total: part.up + down.length + part.overdue.length + placed.unknown.length,
    down: containers,
    overdue: part.overdue.toSorted((a, b) => (a.overdue?.expectedByMs ?? 0) - (b.overdue?.expectedByMs ?? 0)),
    unknown: byReason(placed.unknown),
    workloads: workloadsAmong(down),
    needs: etaNeeds(placed.needs, part),
    quantiles: quantilesAmong(part.up, down, atMs),
    quantilesOfDown,
    curve: curveOf(starts, atMs),
    bottleneck: bottleneckOf(containers),
    faster: fasterOf(down, (quantilesOfDown.at(-1)?.atMs ?? atMs) - atMs, atMs),
    failedJobs,
    waitingJobs,
  };
}

function quantilesAmong(
  up: number,
  down: readonly PlacedStart[],
  nowMs: number,
  shares: readonly number[] = ETA_SHARES,
): EtaQuantile[] {
  const starts = down.map((one) => one.starts);
  const endMs = greatestOf(
    down.map(({ container }) => container.upAgain?.likelyByMs ?? nowMs),
    nowMs,
  );
  return quantilesOf(up, starts, nowMs, shares).map((quantile) => {
    // Windows can allow for late starts that the distributions leave out (see `ownStarts` in starts.ts). So if a
    // quantile is of all containers, its `likelyByMs` is not before the end of the last window.
    const isAll = quantile.count === up + down.length;
    return isAll ? { ...quantile, likelyByMs: Math.max(quantile.likelyByMs, endMs) } : quantile;
  });
}

function lastFirst(a: PlacedStart, b: PlacedStart): number {
  const median = ({ starts }: PlacedStart): number => starts.quantile(0.5);
  const name = (one: PlacedStart): string => `${podKeyOf(one.container)}/${one.container.container}`;
  return median(b) - median(a) || (name(a) < name(b) ? -1 : 1);
}

function byReason(unknown: EtaPart["unknown"]): EtaUnknown[] {
  const groups = [...Map.groupBy(unknown, ({ reason }) => reason)].map(([reason, group]) => {
    return { reason, places: group.map(({ place }) => place) };
  });
  return groups.sort((a, b) => b.places.length - a.places.length);
}

function workloadsAmong(down: readonly PlacedStart[]): EtaWorkload[] {
  const groups = Map.groupBy(down, (one) => JSON.stringify(one.workload));
  const found = [...groups.values()].map((starts): EtaWorkload => {
    const [{ workload }] = starts as [PlacedStart];
    const { namespace, kind, name } = workload;
    const upAgain = windowOfAll(starts.flatMap(({ container }) => container.upAgain ?? []));
    const pods = new Set(starts.map(({ container: { pod } }) => pod)).size;
    return {
      namespace,
      kind,
      name,
      pods,
      upAgain,
      needs: distinct(starts.flatMap(({ container }) => container.needs)),
    };
  });
  return found.sort(
    (a, b) =>
      a.upAgain.likelyByMs - b.upAgain.likelyByMs || (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1),
  );
}

/**
 * A bottleneck is a node or an owner. It has most of the containers that start last, but at most half of all containers
 * that are still to start.
 */
const LATE_SHARE = 0.1;
const LEAST_LATE = 2;
const LEAST_SHARE_OF_LATE = 0.8;
const GREATEST_SHARE_OF_ALL = 0.5;

function bottleneckOf(containers: readonly EtaContainer[]): Eta["bottleneck"] {
  const late = containers.slice(0, Math.ceil(containers.length * LATE_SHARE));
  if (late.length < LEAST_LATE) return null;
  const common = (keyOf: (container: EtaContainer) => string | null) => {
    const counts = Map.groupBy(late, keyOf);
    const [key, most = []] = [...counts].sort((a, b) => b[1].length - a[1].length)[0] ?? [null];
    const [first] = most;
    const ofAll = containers.filter((container) => keyOf(container) === key).length / containers.length;
    const isOne = most.length >= late.length * LEAST_SHARE_OF_LATE && ofAll <= GREATEST_SHARE_OF_ALL;
    if (key === null || first === undefined || !isOne) return null;
    const count = most.length === late.length ? "The" : `${most.length} of the`;
    return { key, first, which: `${count} last ${late.length} to start` };
  };
  const node = common((container) => container.node);
  if (node !== null) return { node: node.key, sentence: `${node.which} are on ${node.key}.` };
  const ofOwner = common(({ owner, namespace }) => owner && `${owner.kind} ${namespace}/${owner.name}`);
  if (ofOwner === null || ofOwner.first.owner === null) return null;
  const { namespace, owner } = ofOwner.first;
  return { owner: { namespace, ...owner }, sentence: `${ofOwner.which} belong to ${ofOwner.key}.` };
}

/**
 * Shares of the containers that are still to start. For each share in turn, the program takes the containers that start
 * last, and considers the deletion of their pods.
 */
const DELETED_SHARES = [0.1, 0.25, 0.5];
const LEAST_GAIN_MS = 30_000;
const LEAST_GAIN = 0.2;

function fasterOf(down: readonly PlacedStart[], lastInMs: number, nowMs: number): EtaFaster {
  if (lastInMs < LEAST_GAIN_MS) return { deletion: null, rollout: null };
  const replaced = down.flatMap(({ container: { namespace, owner } }) =>
    owner !== null && replacesUnreadyPods(owner.kind) ? [{ ...owner, namespace }] : [],
  );
  return {
    deletion: deletionOf(down, lastInMs, nowMs),
    rollout: replaced.length === 0 ? null : { containers: replaced.length, owners: distinct(replaced) },
  };
}

function deletionOf(down: readonly PlacedStart[], lastInMs: number, nowMs: number): EtaFaster["deletion"] {
  for (const share of DELETED_SHARES) {
    const late = down
      .slice(0, Math.ceil(down.length * share))
      .filter(({ container: { owner } }) => owner !== null && replacesDeletedPods(owner.kind));
    if (late.length === 0) continue;
    const pods = distinct(late.map(({ container: { namespace, pod } }) => ({ namespace, pod })));
    const keys = new Set(pods.map(podKeyOf));
    const isDeleted = ({ container }: PlacedStart): boolean => keys.has(podKeyOf(container));
    const remaining = down.filter((one) => !isDeleted(one));
    const deleted = down.flatMap((one) =>
      isDeleted(one) && one.after !== null ? [{ ...one, starts: one.after }] : [],
    );
    const [others] = quantilesAmong(0, remaining, nowMs, [1]);
    const [last = others] = deleted.length === 0 ? [] : quantilesAmong(0, [...remaining, ...deleted], nowMs, [1]);
    const gainMs = lastInMs - ((last?.atMs ?? nowMs) - nowMs);
    if (others === undefined || gainMs < Math.max(LEAST_GAIN_MS, lastInMs * LEAST_GAIN)) continue;
    return { pods, after: distinct(deleted.flatMap(({ container }) => container.needs)), others };
  }
  return null;
}
