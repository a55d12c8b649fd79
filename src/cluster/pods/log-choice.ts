import { troubleInStatus } from "../../explain/triage.ts";
import { controllerOf } from "../objects/owner-reference.ts";
import type { ChosenPod } from "./target-choice.ts";

/** The maximum number of pods whose logs the program reads although the user has not asked for logs. */
const MOST_UNASKED = 3;

/**
 * Chooses the pods whose logs to read if the user has not asked for logs: the most urgent pod of each controller, because
 * its other pods usually fail in the same way. A pod with a container that awaits its restart comes before one that
 * runs again. `chosen`: the most urgent pods first.
 */
export function podsToLog(chosen: readonly ChosenPod[], atMs: number, most = MOST_UNASKED): ReadonlySet<ChosenPod> {
  if (chosen.length <= 1) return new Set(chosen);
  const failing = chosen.filter(({ isFine }) => !isFine);
  const byController = Map.groupBy(failing, ({ raw, pod }) => {
    const { kind, name, uid } = controllerOf(raw) ?? {};
    return JSON.stringify(kind === undefined ? [pod.namespace, pod.name] : [pod.namespace, kind, name, uid]);
  });
  const first = [...byController.values()].flatMap(
    (pods) => pods.find((pod) => hasContainerToRestart(pod, atMs)) ?? pods[0] ?? [],
  );
  return new Set(first.slice(0, most));
}

function hasContainerToRestart({ pod }: ChosenPod, atMs: number): boolean {
  return pod.statuses.some((status) => troubleInStatus(status, pod, atMs) === "awaiting-restart");
}
