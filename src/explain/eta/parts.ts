import type { StartDistribution } from "../../kubelet/start-distribution.ts";
import type { ContainerPlace, Eta, EtaContainer, EtaUnknown, NamespacedOwner } from "../answer/eta.ts";
import { countsForReady, likenessOf, workloadOf } from "../observed/lookups.ts";
import { greatestOf } from "../observed/max-min.ts";
import type { NeedObservation, Now, Observation, PodObservation, PodSnapshot } from "../observed/observation.ts";
import { type PodCase, podCaseOf } from "../pod-case.ts";
import { startByServerClock } from "../prediction/by-server-clock.ts";
import type { ContainerCase } from "../prediction/pod-context.ts";
import { isCrashLooping, isOver } from "../prediction/state.ts";
import type { PolicyOverrides } from "../replay/policy-of-pod.ts";
import { distinctGaps, gapsOf } from "../words/gaps.ts";
import type { Restarts } from "./restarts.ts";
import { type StartForecast, startForecastsOf } from "./starts.ts";

export interface EtaPart extends Pick<Eta, "pods" | "up" | "notReady" | "crashLooping" | "overdue" | "gaps"> {
  readonly down: readonly EtaStart[];
  readonly unknown: readonly { readonly reason: EtaUnknown["reason"]; readonly place: ContainerPlace }[];
  readonly needs: readonly ContainersNeed[];
}

export interface EtaStart {
  readonly container: EtaContainer;
  readonly starts: StartDistribution;
  readonly restarts: Restarts | null;
  /** The {@link likenessOf} key of the container, or of the container that it waits for. */
  readonly likeness: string;
  /** The pod itself if it has no workload. */
  readonly workload: NamespacedOwner;
  /**
   * The assumed time from a start until the pod is Ready: the longest initial delay of a startup or readiness probe.
   */
  readonly readyAfterMs: number;
}

export interface ContainersNeed {
  readonly likeness: string;
  readonly need: NeedObservation;
  readonly pods: EtaPart;
}

export function etaPart({ pods, atMs, atBasis }: Observation, options: PolicyOverrides): EtaPart {
  const now = { atMs, atBasis };
  const parts = pods.filter(({ pod }) => !isOver(pod)).map((pod) => partOf(pod, options, now));
  return { ...joinedParts(parts), needs: needsIn(pods, options, now) };
}

export function needsIn(pods: readonly PodObservation[], options: PolicyOverrides, now: Now): ContainersNeed[] {
  const found = new Map<string, ContainersNeed>();
  for (const { pod, needs = [] } of pods)
    for (const need of needs)
      for (const container of need.containers) {
        const likeness = likenessOf(pod, container);
        const key = JSON.stringify([likeness, need.address.host, need.address.port]);
        if (!found.has(key)) found.set(key, { likeness, ...withPods(need, options, now) });
      }
  return [...found.values()];
}

function withPods(need: ContainersNeed["need"], options: PolicyOverrides, now: Now): Omit<ContainersNeed, "likeness"> {
  const pods = need.pods?.filter(({ pod }) => !isOver(pod)) ?? null;
  return { need: { ...need, pods }, pods: joinedParts((pods ?? []).map((pod) => partOf(pod, options, now))) };
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
    needs: parts.flatMap(({ needs }) => needs),
    gaps: distinctGaps(parts.flatMap(({ gaps }) => gaps)),
  };
}

function partOf(observed: PodObservation, options: PolicyOverrides, now: Now): EtaPart {
  const podCase = podCaseOf(observed, options, now);
  const { context, policy, inferredVersion } = podCase;
  const forecasts = startForecastsOf(podCase);
  const parts = context.containers.flatMap((one, index) => {
    const forecast = forecasts[index];
    const isMeant = forecast !== undefined && countsForReady(one.facts.spec);
    return isMeant ? [containerPart(one, forecast, podCase)] : [];
  });
  const all = joinedParts(parts);
  const gaps = all.down.length === 0 ? [] : gapsOf(observed, policy, inferredVersion, true);
  return { ...all, pods: 1, gaps };
}

const NOTHING = joinedParts([]);

function containerPart(one: ContainerCase, forecast: StartForecast, { context, skewMs }: PodCase): EtaPart {
  const { pod } = context.observed;
  const { name } = one.facts.spec;
  const place = { namespace: pod.namespace, pod: pod.name, container: name };
  switch (forecast.kind) {
    case "up":
      return {
        ...NOTHING,
        up: 1,
        notReady: one.facts.status?.ready === true ? [] : [place],
        crashLooping: isCrashLooping(one, context) ? [place] : [],
      };
    case "over":
      return NOTHING;
    case "predicted":
    case "overdue": {
      const { delayMs, waitsFor } = forecast;
      const start = startByServerClock(forecast.next, skewMs);
      const expected = { ...start, delayMs, waitsFor, upAgain: start.nextRestart, needs: [] };
      const container = { ...place, node: pod.nodeName, owner: pod.owner, ...expected };
      if (forecast.kind === "overdue") return { ...NOTHING, overdue: [container] };
      const { restarts } = forecast;
      const likeness = likenessOf(pod, waitsFor ?? name);
      const { kind, name: workloadName } = workloadOf(context.observed) ?? { kind: "Pod", name: pod.name };
      const workload = { kind, name: workloadName, namespace: pod.namespace };
      const starts = forecast.starts.later(-skewMs);
      return {
        ...NOTHING,
        down: [{ container, starts, restarts, likeness, workload, readyAfterMs: readyAfterMs(pod) }],
      };
    }
    case "unknown":
      return { ...NOTHING, unknown: [{ reason: forecast.reason, place }] };
  }
}

function readyAfterMs({ containers }: PodSnapshot): number {
  const probes = containers.flatMap(({ startupProbe, readinessProbe }) => [startupProbe, readinessProbe]);
  return greatestOf(
    probes.map((probe) => probe?.initialDelayMs ?? 0),
    0,
  );
}
