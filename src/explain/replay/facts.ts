import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { type ContainerHistory, historyOf } from "../history/container-history.ts";
import { lifetimeBefore, lifetimeSinceCounted } from "../history/lifetime.ts";
import { startsBefore } from "../history/resets.ts";
import { hasRestartedAll, restartAllsOf } from "../history/restart-rules.ts";
import { takenAtMs } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation } from "../observed/observation.ts";
import type { Replayed } from "./beliefs.ts";
import type { Before } from "./prior-beliefs.ts";
import { agreeingWith, replay } from "./replay.ts";

/** A container's history, and what the kubelet may remember of it. */
export interface ContainerFacts extends ContainerHistory, Replayed {}

/** Gathers the history of one container and replays it. */
export function factsOf(spec: ContainerSpec, observed: PodObservation, policy: CrashLoopPolicy): ContainerFacts {
  const history = historyOf(spec, observed, policy);
  const { status, runs, messageDelayMs } = history;
  // After a BackOff event there may be an entry, which RestartAllContainers does not change.
  const hasNoEntry = hasRestartedAll(status) && !hasBackedOff(spec, observed);
  const all = replay(runs, knownBefore(history, observed, policy), hasNoEntry, policy);
  const last = runs.at(-1);
  const isNamed = messageDelayMs !== null && last !== undefined;
  return { ...history, ...(isNamed ? agreeingWith(messageDelayMs, all, last, policy) : all) };
}

function knownBefore(
  { spec, runs, resets }: ContainerHistory,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): Before {
  const { pod, events, missing } = observed;
  const restartAlls = restartAllsOf(observed, policy);
  const [first] = runs;
  const lifetime = restartAlls.count > 0 ? null : lifetimeBefore(runs, pod);
  const imageChanges = resets.filter(({ kind }) => kind === "image-change").length;
  return {
    starts: startsBefore(observed, spec, resets, runs),
    lifetime,
    sinceCounted:
      lifetime === null || first === undefined ? null : lifetimeSinceCounted(lifetime, spec.name, first, events),
    restartAlls,
    bornAtMs: takenAtMs(pod),
    wasInBackOff: hasBackedOff(spec, observed, (first?.startedAtMs ?? 0) - EVENT_PERIOD_MS),
    // 1 is the generation of a pod as it was created.
    specChanges: Math.max(0, (pod.generation ?? 1) - 1 - imageChanges),
    areKubeletStartsSeen: !missing.some(({ what }) => what === "node-events"),
  };
}

/** Once its burst of events is used up, the kubelet sends one BackOff event in this time. */
const EVENT_PERIOD_MS = 330_000;

/** Whether a BackOff event shows that the container has exited by itself and waited. */
function hasBackedOff(
  { name }: ContainerSpec,
  { events }: PodObservation,
  sinceMs = Number.NEGATIVE_INFINITY,
): boolean {
  return events.some(({ container, reason, type, lastAtMs }) => {
    return container === name && reason === "BackOff" && type === "Warning" && (lastAtMs ?? 0) >= sinceMs;
  });
}
