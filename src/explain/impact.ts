import type { ContainerExplanation, PodExplanation, StartObstacle } from "./answer/explanation.ts";
import { availabilityOf } from "./history/availability.ts";
import { containerEvents, newestOf } from "./observed/lookups.ts";
import type { PodObservation } from "./observed/observation.ts";
import { failuresToStart, newestFailedPull } from "./prediction/obstacle.ts";
import { byUrgency, isFailing, isFine, mainContainer } from "./triage.ts";

export type Impact = Pick<PodExplanation, "availability" | "obstacle">;

export function impactOf(pod: Omit<PodExplanation, keyof Impact>, observed: PodObservation, nodeNowMs: number): Impact {
  if (isFine(pod)) return { availability: null, obstacle: null };
  const obstacle = obstacleIn(pod, observed);
  const main = mainContainer(pod);
  if (main === undefined || !isFailing(main)) return { availability: null, obstacle };
  const { failingSince, history } = main;
  const sinceMs = failingSince === null || failingSince.isUpperBound === true ? null : failingSince.atMs;
  return { availability: availabilityOf(history, sinceMs, nodeNowMs, pod.policy), obstacle };
}

function obstacleIn(pod: Pick<PodExplanation, "containers">, observed: PodObservation): StartObstacle | null {
  const stopped = byUrgency(pod.containers).find(({ obstacle, imagePull }) => obstacle !== null || imagePull !== null);
  if (stopped === undefined) return null;
  const { obstacle } = stopped;
  if (obstacle === null) return pullObstacle(stopped, observed);
  const { kind, reason, message } = obstacle;
  const {
    repeated = kind === "container" ? newestOf(failuresToStart(containerEvents(stopped.name, observed))) : undefined,
  } = obstacle;
  return { reason, message, count: repeated?.count ?? null, sinceMs: repeated?.firstAtMs ?? null };
}

function pullObstacle({ name, reported, imagePull }: ContainerExplanation, observed: PodObservation): StartObstacle {
  const { count = null, firstAtMs = null } = newestFailedPull(containerEvents(name, observed)) ?? {};
  return { reason: reported ?? "ErrImagePull", message: imagePull?.cause ?? "", count, sinceMs: firstAtMs };
}
