import { type Pace, paceOf } from "../../kubelet/start-lateness.ts";
import { areEventsComplete } from "../history/exit-cause.ts";
import { greatestOf } from "../observed/extremes.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { PodContext } from "./pod-context.ts";

/** The kubelet gives up what takes the runtime longer (`runtimeRequestTimeout`): a longer gap has another reason. */
const LONGEST_MS = 120_000;

/** How late the node's starts are, as this pod's own starts and exits show. */
export function nodePace(pod: readonly ContainerFacts[], context: PodContext): Pace {
  return paceOf([...pod.flatMap((facts) => startsTook(facts, context)), ...exitTook(pod, context.observed)]);
}

/** How long the last starts took, from the sync's first event of them to `startedAt`. */
function startsTook({ spec, runs }: ContainerFacts, { observed, policy }: PodContext): number[] {
  const isComplete = areEventsComplete(observed.events, "Normal", policy.traits);
  return runs.flatMap(({ startedAtMs }, index) => {
    if (startedAtMs === null) return [];
    const exitedAtMs = runs[index - 1]?.finishedAtMs ?? (isComplete ? startedAtMs - LONGEST_MS : startedAtMs);
    const sync = observed.events
      .filter(({ container, reason }) => container === spec.name && (reason === "Pulled" || reason === "Created"))
      .map(({ lastAtMs }) => lastAtMs ?? 0)
      .filter((atMs) => atMs > exitedAtMs && atMs <= startedAtMs);
    return sync.length === 0 ? [] : [startedAtMs - Math.min(...sync)];
  });
}

/** How long it took the kubelet to notice the last exit: the status has been without ContainersReady since that sync. */
function exitTook(pod: readonly ContainerFacts[], { pod: { conditions } }: PodObservation): number[] {
  const ready = conditions.find(({ type }) => type === "ContainersReady");
  if (ready?.status !== "False" || ready.lastTransitionAtMs === null) return [];
  const noticedAtMs = ready.lastTransitionAtMs;
  const exits = pod.flatMap(({ runs }) => runs.flatMap(({ finishedAtMs }) => finishedAtMs ?? []));
  const tookMs = noticedAtMs - greatestOf(exits.filter((atMs) => atMs <= noticedAtMs));
  return tookMs <= LONGEST_MS ? [tookMs] : [];
}
