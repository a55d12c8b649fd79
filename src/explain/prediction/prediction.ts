import type { BackoffEntry } from "../../backoff/backoff.ts";
import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { liveAt } from "../../kubelet/do-backoff.ts";
import { type RestartPolicy, restartPolicyInForce } from "../../kubelet/restart-policy.ts";
import type { Lateness } from "../../kubelet/start-distribution.ts";
import type { ContainerExplanation, Reset } from "../answer/explanation.ts";
import { restartSpecOf } from "../history/restart-rules.ts";
import type { PodObservation } from "../observed/observation.ts";
import { totalOf } from "../replay/beliefs.ts";
import { type ReplayedContainer, runningEntry } from "../replay/replayed-container.ts";
import { awaitsRestart } from "../triage.ts";
import { expectedKill, type PendingKill, pendingKill } from "./kills.ts";
import { type DetectedBug, knownBug } from "./known-bug.ts";
import { nextPull } from "./next-attempt.ts";
import { nextExits } from "./next-exit.ts";
import { endOfPodBeforeRestart, nextRestartOf } from "./next-restart.ts";
import type { ContainerCase, PodContext } from "./pod-context.ts";
import { type DelayChance, type PossibleDelays, possibleDelays } from "./possible-delays.ts";
import { holdingSidecar, type RestartAllCycle, restartAllCycle } from "./sibling-starts.ts";
import type { NextStart } from "./start-window.ts";
import { isCrashLooping, isOver } from "./state.ts";

type Delay = Pick<ContainerExplanation, "delayMs" | "otherDelaysMs" | "delayBasis">;

export interface Prediction
  extends ContainerCase,
    Delay,
    NextStart,
    Pick<ContainerExplanation, "expectedKill" | "ifItExits" | "reset" | "imagePull"> {
  readonly observed: PodObservation;
  readonly policy: CrashLoopPolicy;
  readonly isCrashLooping: boolean;
  readonly kill: PendingKill | null;
  readonly podEndsAtMs: ContainerExplanation["podEndsAtMs"];
  /** The name of the sidecar that is down, and without which the kubelet does not start this container. */
  readonly heldBackBy: string | null;
  readonly restartAll: RestartAllCycle | null;
  readonly runtimeLateness: Lateness;
  readonly bug: DetectedBug | null;
}

export function restartPolicyOf({ facts: { spec }, observed, policy }: Prediction): RestartPolicy {
  return restartPolicyInForce(restartSpecOf(spec, observed.pod), policy.traits);
}

export function predict(container: ContainerCase, context: PodContext): Prediction {
  const { observed, policy, atMs } = context;
  const { facts, state, wait } = container;
  const isDone = isOver(observed.pod);
  const restarts = state === "running" && facts.restartingExits !== "none";
  const entry = isDone || !restarts ? null : runningEntry(facts, policy, atMs);
  const own = entry === null ? null : delaysIfItExits(facts, entry, context);
  const kill = pendingKill(facts, observed);
  const ifItExits = own === null ? null : nextExits(facts, kill, own, context);
  const pull = state === "starting" && facts.waiting === "image-pull" ? nextPull(facts, context) : null;
  const sidecar = wait === null ? null : holdingSidecar(container, context);
  const { imagePull, ...next } = pull ?? { ...nextRestartOf(container, context), imagePull: null };
  return {
    ...container,
    observed,
    policy,
    isCrashLooping: isCrashLooping(container, context),
    ...(isDone ? UNKNOWN_DELAY : delayOf(container, ifItExits)),
    ...next,
    ifItExits,
    reset: isDone ? null : resetOf(container, entry?.lastUpdateMs ?? null, policy.resetAfterMs),
    imagePull,
    kill,
    podEndsAtMs: isDone ? null : endOfPodBeforeRestart(container, observed),
    expectedKill: restarts && kill === null ? expectedKill(facts, observed, atMs) : null,
    heldBackBy: sidecar === null || sidecar.facts.isRunning ? null : sidecar.facts.spec.name,
    restartAll: wait === null && state !== "running" ? null : restartAllCycle(container, context),
    runtimeLateness: context.runtimeLateness,
    bug: knownBug(container, next.overdue !== null, context),
  };
}

const UNKNOWN_DELAY: Delay = { delayMs: null, delayBasis: null };

export function delayOf({ facts, state, wait }: ContainerCase, ifItExits: ContainerExplanation["ifItExits"]): Delay {
  if (awaitsRestart({ state })) {
    if (facts.decision === "restart-all") return { delayMs: 0, delayBasis: "inferred" };
    if (wait !== null) {
      const chances = wait.byDelay.map(({ wait: { delayMs }, share }) => ({ delayMs, share }));
      return { ...possibleDelays(chances, wait.likeliest.delayMs), delayBasis: wait.basis };
    }
    return { delayMs: facts.messageDelayMs, delayBasis: facts.messageDelayMs === null ? null : "observed" };
  }
  if (ifItExits?.[0] !== undefined) {
    const { delayMs, otherDelaysMs } = ifItExits[0];
    return { delayMs, ...(otherDelaysMs !== undefined && { otherDelaysMs }), delayBasis: "inferred" };
  }
  const isFirstStart = state === "starting" && facts.lastExit === null;
  if (isFirstStart && facts.spec.type !== "ephemeral") return { delayMs: 0, delayBasis: "inferred" };
  return UNKNOWN_DELAY;
}

function delaysIfItExits(
  facts: ReplayedContainer,
  entry: BackoffEntry | undefined,
  { policy, rivals, atMs }: PodContext,
): PossibleDelays {
  if (entry === undefined) return { delayMs: 0 };
  const under = (own: ReplayedContainer, ofPolicy: CrashLoopPolicy, policyShare: number): DelayChance[] =>
    own.beliefs.map((belief) => {
      const delayMs = liveAt(belief.entry, atMs, ofPolicy)?.delayMs ?? 0;
      return { delayMs, share: belief.share * policyShare };
    });
  const chances = rivals.flatMap((rival) => {
    const own = rival.facts.find(({ spec }) => spec.name === facts.spec.name);
    return own === undefined ? [] : under(own, rival.policy, rival.share);
  });
  const likeliest = under(facts, policy, 1 - totalOf(rivals));
  return possibleDelays([...likeliest, ...chances], entry.delayMs);
}

function resetOf({ state, wait }: ContainerCase, lastUpdateMs: number | null, resetAfterMs: number): Reset | null {
  if (state === "backing-off" && wait?.likeliest.isDropped === true)
    return { atMs: wait.likeliest.readyAtMs, how: "during-the-wait" };
  return lastUpdateMs === null ? null : { atMs: lastUpdateMs + resetAfterMs, how: "if-it-keeps-running" };
}
