import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { type Obstacle, type State, VERDICTS, type Verdict } from "../answer/explanation.ts";
import type { PodSnapshot } from "../observed/observation.ts";
import type { ContainerFacts } from "../replay/facts.ts";

/** A container with its state, which the verdict is made of. */
export interface JudgedContainer {
  readonly facts: ContainerFacts;
  readonly state: State;
  readonly obstacle: Obstacle | null;
}

/** The pod's verdict: the first of VERDICTS that applies. */
export function verdictOf(
  pod: PodSnapshot,
  containers: readonly JudgedContainer[],
  policy: CrashLoopPolicy,
  atMs: number,
): Verdict {
  const applies: Readonly<Record<Verdict, () => boolean>> = {
    terminating: () => pod.deletionAtMs !== null,
    failed: () => pod.phase === "Failed",
    completed: () => pod.phase === "Succeeded",
    unknown: () => pod.phase === null || pod.phase === "Unknown",
    "crash-looping": () => containers.some((container) => isCrashLooping(container, policy, atMs)),
    "image-pull-back-off": () => containers.some(({ facts }) => facts.waiting === "image-pull"),
    "start-failing": () => containers.some(isStartFailing),
    pending: () => pod.phase === "Pending",
    running: () => true,
  };
  return VERDICTS.find((verdict) => applies[verdict]()) ?? "unknown";
}

/** Whether this container makes its pod "crash-looping": two exits, and down or in a run that has not outlived its entry. */
export function isCrashLooping({ facts, state }: JudgedContainer, policy: CrashLoopPolicy, atMs: number): boolean {
  if (exitCount(facts) < 2) return false;
  if (state === "backing-off" || state === "restarting") return true;
  if (state !== "running") return false;
  const startedAtMs = facts.runs.at(-1)?.startedAtMs ?? null;
  return startedAtMs === null || atMs - startedAtMs < policy.resetAfterMs;
}

/** At least: every restart but the first start follows an exit. */
function exitCount(facts: ContainerFacts): number {
  const restartCount = facts.status?.restartCount ?? 0;
  const isUp =
    facts.status?.state?.kind === "running" || facts.waiting === "restart-all" || facts.waiting === "pending";
  return Math.max(
    facts.runs.filter((run) => run.exit !== null).length,
    isUp ? restartCount : restartCount + countOfLast(facts),
  );
}

function countOfLast(facts: ContainerFacts): number {
  return facts.lastExit === null ? 0 : 1;
}

/** A scheduling gate is set on purpose: nothing fails. */
function isStartFailing({ obstacle }: JudgedContainer): boolean {
  return obstacle !== null && obstacle.kind !== "gates";
}
