import { type StartDistribution, windowFrom } from "../../kubelet/start-distribution.ts";
import type { EtaNeed } from "../answer/eta.ts";
import type { Window } from "../answer/explanation.ts";
import { whyNothingAnswers } from "../needed-service.ts";
import { isLongNotReady } from "../not-ready.ts";
import { distinct, podKey, podKeyOf } from "../observed/lookups.ts";
import { greatestOf } from "../observed/max-min.ts";
import { windowOf } from "../prediction/start-window.ts";
import { byStart } from "../triage.ts";
import type { ContainersNeed, EtaPart, EtaStart } from "./parts.ts";

/**
 * The assumed start after which a container stays up. `after`: when the Services that the container waits for are up;
 * null if it waits for none.
 */
export interface PlacedStart extends EtaStart {
  readonly after: StartDistribution | null;
}

/** A pod that is not up. If `starts` is empty, the program cannot predict when the pod is up. */
export interface DownPod {
  readonly name: string;
  readonly starts: readonly EtaStart[];
}

interface NeedWithEffect extends ContainersNeed {
  readonly effect: EtaNeed["effect"];
  /**
   * Those pods of the Service whose starts are predicted. The container waits until one of these pods is up. Empty
   * unless `effect` is "waits".
   */
  readonly awaited: readonly DownPod[];
}

export interface PlacedNeed extends NeedWithEffect {
  readonly window: Window | null;
}

/** Assumed: a container crashes until the Services that it waits for are up, and stays up from its next start on. */
export function afterNeeds(part: EtaPart, atMs: number): Pick<EtaPart, "unknown"> & PlacedNeeds {
  let { down, unknown } = part;
  for (;;) {
    const needs = withEffects({ ...part, down, unknown }, atMs);
    const lost = down.filter((one) => needsOf(one, needs).some(({ effect }) => effect === "no-forecast"));
    if (lost.length === 0) return { unknown, ...placedBy(needs, down, atMs) };
    down = down.filter((one) => !lost.includes(one));
    const places = lost.map(({ container: { namespace, pod, container } }) => ({ namespace, pod, container }));
    unknown = [...unknown, ...places.map((place) => ({ reason: "needs-unknown", place }) as const)];
  }
}

interface PlacedNeeds {
  readonly down: readonly PlacedStart[];
  readonly needs: readonly PlacedNeed[];
}

function needsOf({ likeness }: EtaStart, needs: readonly NeedWithEffect[]): NeedWithEffect[] {
  return needs.filter((need) => need.likeness === likeness);
}

/** Containers of workloads that need each other, directly or through other workloads, do not wait for each other. */
function withEffects(part: EtaPart, atMs: number): NeedWithEffect[] {
  const pods = downPods(part);
  const needs = part.needs.map((need) => withEffect(need, pods, atMs));
  const workloads = new Map(part.down.map((start) => [start.likeness, JSON.stringify(start.workload)]));
  const neededBy = Map.groupBy(needs, ({ likeness }) => workloads.get(likeness));
  return needs.map((need) => {
    const isLoop = reachedFrom(need, neededBy).has(workloads.get(need.likeness) ?? "");
    return need.effect === "waits" && isLoop ? { ...need, effect: "loop", awaited: [] } : need;
  });
}

function reachedFrom(need: NeedWithEffect, neededBy: ReadonlyMap<string | undefined, NeedWithEffect[]>): Set<string> {
  const awaitedBy = ({ awaited }: NeedWithEffect): string[] =>
    awaited.flatMap(({ starts }) => starts.map(({ workload }) => JSON.stringify(workload)));
  const reached = new Set(awaitedBy(need));
  for (const one of reached) for (const next of (neededBy.get(one) ?? []).flatMap(awaitedBy)) reached.add(next);
  return reached;
}

/** If a pod is down both in `part` and among the pods that were read for a need, the pod of `part` counts. */
function downPods(part: EtaPart): ReadonlyMap<string, DownPod> {
  const pods = new Map<string, DownPod>();
  for (const { down, overdue, unknown } of [...part.needs.map((need) => need.pods), part]) {
    const ofPods = Map.groupBy(down, ({ container }) => podKeyOf(container));
    for (const [key, starts] of ofPods) {
      const [{ container }] = starts as [EtaStart];
      pods.set(key, { name: container.pod, starts });
    }
    for (const place of [...overdue, ...unknown.map((one) => one.place)])
      pods.set(podKeyOf(place), { name: place.pod, starts: [] });
  }
  return pods;
}

function withEffect(one: ContainersNeed, pods: ReadonlyMap<string, DownPod>, atMs: number): NeedWithEffect {
  const { need } = one;
  const { service, endpoints } = need;
  const without = (effect: EtaNeed["effect"]): NeedWithEffect => ({ ...one, effect, awaited: [] });
  const isFaulty = service !== null && endpoints?.total !== 0 && whyNothingAnswers(need) !== null;
  if (service === null || service.externalName !== null || isFaulty) return without("none");
  if (need.pods === null) return without(endpoints?.total === 0 ? "no-forecast" : "none");
  const named = need.pods.filter(({ pod }) => pod.name === need.address.host.split(".")[0]);
  const isServed = named.length === 0 && (endpoints?.ready ?? 0) > 0;
  if (isServed) return without("none");
  const own = (named.length > 0 ? named : need.pods).map(({ pod }) => pod);
  const up = own.filter((pod) => !pods.has(podKey(pod)));
  if (up.length > 0) return without(up.every((pod) => isLongNotReady(pod, atMs)) ? "taken-as-ready" : "none");
  const awaited = own.flatMap((pod) => pods.get(podKey(pod)) ?? []).filter(({ starts }) => starts.length > 0);
  return awaited.length === 0 ? without("no-forecast") : { ...one, effect: "waits", awaited };
}

function placedBy(needs: readonly NeedWithEffect[], down: readonly EtaStart[], atMs: number): PlacedNeeds {
  const readyOf = ({ starts }: DownPod): StartDistribution => {
    const all = starts.map((start) => placed(start).starts).reduce((one, other) => one.withBoth(other));
    return all.later(greatestOf(starts.map(({ readyAfterMs }) => readyAfterMs)));
  };
  const answers = memoized((need: NeedWithEffect) =>
    need.awaited.map(readyOf).reduce((one, other) => one.withEither(other)),
  );
  const placed = memoized((start: EtaStart): PlacedStart => {
    const waits = needsOf(start, needs).filter(({ effect }) => effect === "waits");
    if (waits.length === 0) return { ...start, after: null };
    const after = waits.map(answers).reduce((one, other) => one.withBoth(other));
    const { restarts } = start;
    const starts = restarts === null ? start.starts.withBoth(after) : start.starts.firstAfter(after, restarts);
    const services = waits.flatMap(({ need: { service } }) => {
      return service === null ? [] : [{ namespace: service.namespace, service: service.name }];
    });
    const [own, next] = [windowOf(starts, atMs), start.container.nextRestart];
    // `starts` can leave out late starts that the window of the next restart allows for (see `ownStarts`, starts.ts).
    const upAgain = windowFrom(
      Math.max(own.notBeforeMs, next?.notBeforeMs ?? 0),
      Math.max(own.likelyByMs, next?.likelyByMs ?? 0),
    );
    const container = { ...start.container, upAgain, needs: distinct(services) };
    return { ...start, container, starts, after };
  });
  const windowOfPod = ({ starts }: DownPod): Window => {
    const windows = starts.flatMap((start) => placed(start).container.upAgain ?? []);
    const laterMs = greatestOf(starts.map(({ readyAfterMs }) => readyAfterMs));
    const notBeforeMs = greatestOf(windows.map((window) => window.notBeforeMs)) + laterMs;
    return windowFrom(notBeforeMs, greatestOf(windows.map(({ likelyByMs }) => likelyByMs)) + laterMs);
  };
  const withWindows = needs.map((need) => ({
    ...need,
    window: need.awaited.map(windowOfPod).toSorted(byStart)[0] ?? null,
  }));
  return { down: down.map(placed), needs: withWindows };
}

function memoized<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
