import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { type ContainerHistory, historyOf } from "../history/container-history.ts";
import { lifetimeBefore, lifetimeSinceCounted } from "../history/lifetime.ts";
import { startsBefore } from "../history/resets.ts";
import { hasRestartedAll, restartAllsOf } from "../history/restart-rules.ts";
import { takenAtMs } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation } from "../observed/observation.ts";
import { agreeingWith, type Replayed, replay } from "./replay.ts";

/** A container's history, and what the kubelet may remember of it. */
export interface ContainerFacts extends ContainerHistory, Replayed {}

/** Gathers the history of one container and replays it; traced, the beliefs say where they came from. */
export function factsOf(
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
  isTraced = false,
): ContainerFacts {
  const history = historyOf(spec, observed, policy);
  return { ...history, ...replayed(history, observed, policy, isTraced) };
}

function replayed(
  history: ContainerHistory,
  observed: PodObservation,
  policy: CrashLoopPolicy,
  isTraced: boolean,
): Replayed {
  const { spec, status, runs, resets, messageDelayMs } = history;
  const { pod, events, missing } = observed;
  const restartAlls = restartAllsOf(observed, policy);
  const [first] = runs;
  const lifetime = restartAlls.count > 0 ? null : lifetimeBefore(runs, pod);
  const imageChanges = resets.filter(({ kind }) => kind === "image-change").length;
  const before = {
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
  // After a BackOff event there may be an entry, which RestartAllContainers leaves alone.
  const isAlone = hasRestartedAll(status) && !hasBackedOff(spec, observed);
  const all = replay(runs, resets, before, isAlone, policy, isTraced);
  const lastRun = runs.at(-1);
  return messageDelayMs === null || lastRun === undefined
    ? all
    : agreeingWith(messageDelayMs, all, lastRun, resets, policy);
}

/** Once its burst of events is used up, the kubelet sends one BackOff event in this time. */
const EVENT_PERIOD_MS = 330_000;

/** A BackOff event says that it has exited by itself, and waited. */
function hasBackedOff(
  { name }: ContainerSpec,
  { events }: PodObservation,
  sinceMs = Number.NEGATIVE_INFINITY,
): boolean {
  return events.some(({ container, reason, type, lastAtMs }) => {
    return container === name && reason === "BackOff" && type === "Warning" && (lastAtMs ?? 0) >= sinceMs;
  });
}
