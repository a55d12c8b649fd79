import { explain } from "../../src/explain/explain.ts";
import { conditionFor, type ExplainedPod, type WaitGoal, type WaitState } from "../../src/explain/follow/wait-for.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aPod, aStatus, observationOf, running, S, T0_MS, terminated } from "./builders.ts";

export function look(second: number, pod: Partial<PodSnapshot> = {}, seen: Partial<PodObservation> = {}): ExplainedPod {
  const atMs = T0_MS + second * S;
  const observation = observationOf(aPod(pod), { atMs, ...seen });
  const [observed] = observation.pods;
  const [explained] = explain(observation, {}).pods;
  if (observed === undefined || explained === undefined) throw new Error("nothing was seen");
  return { observed, explained, atMs };
}

export function states(goal: WaitGoal, looks: readonly ExplainedPod[], container?: string): WaitState[] {
  const condition = conditionFor(goal, container);
  return looks.map(condition);
}

export const kinds = (...args: Parameters<typeof states>): string[] => states(...args).map(({ kind }) => kind);

export function statusOfRun(start: number, began: number, ended: number | null = null, name = "app") {
  const containerID = `containerd://${name}-${start}`;
  const state =
    ended === null ? running(T0_MS + began * S) : terminated(T0_MS + began * S, T0_MS + ended * S, { containerID });
  return aStatus({ name, restartCount: start, containerID, state });
}
