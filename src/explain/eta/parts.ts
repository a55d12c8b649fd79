import type { StartDistribution } from "../../kubelet/start-distribution.ts";
import type { ContainerPlace, Eta, EtaContainer, EtaUnknown } from "../answer/eta.ts";
import { likenessOf, statusOf, workloadOf } from "../observed/lookups.ts";
import { greatestOf } from "../observed/max-min.ts";
import type {
  NeedObservation,
  Now,
  Observation,
  OwnerReference,
  PodObservation,
  PodSnapshot,
} from "../observed/observation.ts";
import { podCaseOf } from "../pod-case.ts";
import { startByServerClock } from "../prediction/by-server-clock.ts";
import { isCrashLooping, isOver } from "../prediction/state.ts";
import type { PolicyOverrides } from "../replay/policy-of-pod.ts";
import { distinctGaps, gapsOf } from "../words/gaps.ts";
import type { Restarts } from "./restarts.ts";
import { type StartForecast, startForecastsOf } from "./starts.ts";

/** The containers of some pods, sorted by whether and when they are up. `joinedParts` joins the parts of more pods. */
export interface EtaPart extends Pick<Eta, "pods" | "up" | "notReady" | "crashLooping" | "overdue" | "gaps"> {
  readonly down: readonly EtaStart[];
  readonly unknown: readonly { readonly reason: EtaUnknown["reason"]; readonly place: ContainerPlace }[];
  readonly needs: readonly ContainersNeed[];
}

export interface EtaStart {
  readonly container: EtaContainer;
  readonly starts: StartDistribution;
  /** The times between its next starts if the container crashes again; null if they are unknown. */
  readonly restarts: Restarts | null;
  /** The {@link likenessOf} key of the container, or of the container that it waits for. */
  readonly likeness: string;
  readonly workload: OwnerReference | null;
  /** The time from a start until the pod can be Ready: the longest initial delay of a startup or readiness probe. */
  readonly readyAfterMs: number;
}

/** What the containers with the same `likeness` need: they belong to one controller and have ended alike. */
interface ContainersNeed {
  readonly likeness: string;
  readonly need: NeedObservation;
  /** The pods that the Service selects, without pods that are over. */
  readonly pods: EtaPart;
}

/** Sorts the containers of the observed pods by whether and when they are up. Leaves out pods that are over. */
export function etaPart({ pods, atMs, atBasis }: Observation, options: PolicyOverrides): EtaPart {
  const now = { atMs, atBasis };
  const parts = pods.filter(({ pod }) => !isOver(pod)).map((pod) => partOf(pod, options, now));
  return { ...joinedParts(parts), needs: needsIn(pods, options, now) };
}

/** Returns what `pods` need, each address once for all containers of one controller that have ended alike. */
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
  const { pod } = observed;
  const podCase = podCaseOf(observed, options, now);
  const { context, skewMs, policy, bySyncs } = podCase;
  const forecasts = startForecastsOf(podCase);
  const parts = pod.containers.flatMap(({ name, type }, index) => {
    const forecast = forecasts[index];
    const isMeant = forecast !== undefined && (type === "app" || type === "sidecar");
    return isMeant ? [containerPart(observed, name, forecast, skewMs)] : [];
  });
  const isUp = (index: number): boolean => forecasts[index]?.kind === "up";
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
  needs: [],
  gaps: [],
};

function containerPart(observed: PodObservation, name: string, forecast: StartForecast, skewMs: number): EtaPart {
  const { pod } = observed;
  const place = { namespace: pod.namespace, pod: pod.name, container: name };
  switch (forecast.kind) {
    case "up":
      return { ...NOTHING, up: 1, notReady: statusOf(pod, name)?.ready === true ? [] : [place] };
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
      const of = { restarts, likeness, workload: workloadOf(observed), readyAfterMs: readyAfterMs(pod) };
      return { ...NOTHING, down: [{ container, starts: forecast.starts.later(-skewMs), ...of }] };
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
