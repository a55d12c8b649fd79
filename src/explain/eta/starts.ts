import { SECOND_MS } from "../../kubelet/go-duration.ts";
import { FLAT_RETRY, longestLatenessMs } from "../../kubelet/retry-rule.ts";
import { CONFIDENCE, StartDistribution, windowFrom } from "../../kubelet/start-distribution.ts";
import { usualRangeOf } from "../../kubelet/start-lateness.ts";
import { delayAfterPulls } from "../../kubelet/start-obstacles.ts";
import type { EtaContainer, EtaUnknown } from "../answer/eta.ts";
import type { Window } from "../answer/explanation.ts";
import { acceptedAtMs } from "../observed/lookups.ts";
import type { PodCase } from "../pod-case.ts";
import { nextPull } from "../prediction/next-attempt.ts";
import { nextRestartOf, startWithoutSiblings } from "../prediction/next-restart.ts";
import { isNodeMissing, nodeOutage } from "../prediction/obstacle.ts";
import type { ContainerCase, PodContext } from "../prediction/pod-context.ts";
import { delayOf } from "../prediction/prediction.ts";
import { holdingSidecar } from "../prediction/sibling-starts.ts";
import { isRecovering } from "../prediction/start-pace.ts";
import { type NextStart, startOfEither, windowOf } from "../prediction/start-window.ts";
import { awaitsRestart } from "../triage.ts";
import { type Restarts, restartsOf } from "./restarts.ts";

/** Times are by the node's clock. "over": the container has completed. */
export type StartForecast =
  | { readonly kind: "up" | "over" }
  | (Waiting & {
      readonly kind: "predicted";
      readonly next: NextStart;
      /** Can lack rare late starts that `next` allows for (`ownStarts`). */
      readonly starts: StartDistribution;
      readonly restarts: Restarts | null;
    })
  | (Waiting & { readonly kind: "overdue"; readonly next: NextStart })
  | { readonly kind: "unknown"; readonly reason: EtaUnknown["reason"] };

type Waiting = Pick<EtaContainer, "delayMs" | "waitsFor">;

/** Assumed: the time from one container's start to the start of the pod's next container (relist, sync, start). */
const NEXT_CONTAINER_MS = 2_000;

/** Assumed: no container crashes again after its next start. The forecasts are in the order of `context.containers`. */
export function startForecastsOf({ context, underV134 }: PodCase): StartForecast[] {
  const other = underV134 === null ? [] : startForecastsIn(underV134);
  return startForecastsIn(context).map((forecast, index) => eitherOf(forecast, other[index] ?? forecast, context.atMs));
}

/** Assumed: an init container ends right after its start, because it is unknown how long a successful run takes. */
function startForecastsIn(context: PodContext): StartForecast[] {
  let blocker: StartForecast = { kind: "up" };
  return context.containers.map((one) => {
    const own = one.state === "blocked" ? afterBlocker(blocker, context.atMs) : startForecastOf(one, context);
    if (one.facts.spec.type === "init" || one.facts.spec.type === "sidecar") blocker = blockerAfter(blocker, one, own);
    return own;
  });
}

function blockerAfter(before: StartForecast, { facts, state }: ContainerCase, own: StartForecast): StartForecast {
  const { name, type } = facts.spec;
  if (own.kind === "over" || (type === "sidecar" && own.kind === "up")) return before;
  if (type === "init" && state === "running") return { kind: "unknown", reason: "init-running" };
  return own.kind === "predicted" || own.kind === "overdue" ? { ...own, waitsFor: own.waitsFor ?? name } : own;
}

function afterBlocker(blocker: StartForecast, atMs: number): StartForecast {
  if (blocker.kind === "predicted") {
    const starts = blocker.starts.later(NEXT_CONTAINER_MS);
    return { ...blocker, starts, next: startIn(starts, atMs) };
  }
  return blocker.kind === "overdue" || blocker.kind === "unknown" ? blocker : { kind: "unknown", reason: "starting" };
}

function startIn(starts: StartDistribution, atMs: number): NextStart {
  return { nextRestart: windowOf(starts, atMs), overdue: null, starts };
}

function evenlyIn({ notBeforeMs, likelyByMs }: Window): StartDistribution {
  return StartDistribution.evenly(notBeforeMs, notBeforeMs + (likelyByMs - notBeforeMs) / CONFIDENCE);
}

function startForecastOf(one: ContainerCase, context: PodContext): StartForecast {
  const { facts, state } = one;
  if (state === "running")
    return isOnlyStarted(one, context) ? { kind: "unknown", reason: "starting" } : { kind: "up" };
  if (state === "completed") return { kind: "over" };
  if (state === "failed") return { kind: "unknown", reason: "stays-down" };
  if (isNodeMissing(context.observed)) return { kind: "unknown", reason: "node-not-found" };
  if (nodeOutage(context.observed) !== null) return { kind: "unknown", reason: "node-not-ready" };
  if (facts.waiting === "image-pull" && state === "starting") return pullForecast(one, context);
  const next = nextRestartOf(one, context);
  const { nextRestart, overdue } = next;
  const waiting = { delayMs: delayOf(one, null).delayMs, waitsFor: null };
  if (overdue !== null) return { kind: "overdue", next, ...waiting };
  if (nextRestart === null) return { kind: "unknown", reason: reasonOf(one) };
  const own = ownStarts(one, context) ?? evenlyIn(nextRestart);
  const restarts = restartsOf(one, context);
  const sidecar = holdingSidecar(one, context);
  const held = sidecar === null ? null : sidecarStarts(sidecar, context);
  if (held === null) return { kind: "predicted", starts: own, next, restarts, ...waiting };
  const starts = own.withBoth(held.later(NEXT_CONTAINER_MS));
  return { kind: "predicted", starts, next: startIn(starts, context.atMs), restarts, ...waiting };
}

/** A container that has just restarted and is not ready may exit again immediately. */
function isOnlyStarted({ facts: { status, runs } }: ContainerCase, { atMs }: PodContext): boolean {
  const startedAtMs = runs.at(-1)?.startedAtMs ?? null;
  const hasCrashed = status !== null && status.restartCount > 0 && !status.ready;
  return hasCrashed && startedAtMs !== null && atMs - startedAtMs < SECOND_MS;
}

function sidecarStarts(sidecar: ContainerCase, context: PodContext): StartDistribution | null {
  if (sidecar.facts.isRunning) return null;
  const forecast = startForecastOf(sidecar, context);
  return forecast.kind === "predicted" ? forecast.starts : null;
}

function ownStarts(one: ContainerCase, context: PodContext): StartDistribution | null {
  const { facts, wait } = one;
  if (wait === null || facts.decision !== "restart" || !awaitsRestart(one)) return null;
  // Starts usually count as on time: the model treats starts as independent, but late starts on one node may not be.
  // The exceptions are a node that seems slow, and a container that stopped with its node.
  const isSlow = usualRangeOf(context.runtimeLateness) !== null || isRecovering(facts);
  return startWithoutSiblings(one, wait, context, isSlow ? undefined : []).starts ?? null;
}

/** If the next pull is not predicted, e.g. without events, allows for any delay that fits the pod's age. */
function pullForecast({ facts }: ContainerCase, context: PodContext): StartForecast {
  const { nextRestart, overdue, imagePull } = nextPull(facts, context);
  const waiting = { delayMs: imagePull.delayMs, waitsFor: null };
  if (overdue !== null) return { kind: "overdue", next: { nextRestart, overdue }, ...waiting };
  const window = nextRestart ?? windowOfAnyPull(context);
  const next = { nextRestart: window, overdue };
  return { kind: "predicted", starts: evenlyIn(window), next, restarts: null, ...waiting };
}

function windowOfAnyPull({ observed, atMs }: PodContext): Window {
  const ageMs = atMs - (acceptedAtMs(observed.pod) ?? 0);
  let [pulls, waitedMs] = [1, 0];
  while (delayAfterPulls(pulls) < delayAfterPulls(pulls + 1) && waitedMs + delayAfterPulls(pulls) <= ageMs)
    waitedMs += delayAfterPulls(pulls++);
  const longestMs = delayAfterPulls(pulls) + longestLatenessMs(FLAT_RETRY, 0);
  return windowFrom(atMs, atMs + longestMs);
}

function reasonOf({ state, obstacle }: ContainerCase): EtaUnknown["reason"] {
  if (obstacle?.kind === "scheduling" || obstacle?.kind === "gates") return "unscheduled";
  if (obstacle !== null) return "held-up";
  return state === "starting" ? "starting" : "no-data";
}

function eitherOf(one: StartForecast, other: StartForecast, atMs: number): StartForecast {
  if (one === other || one.kind !== "predicted" || other.kind !== "predicted")
    return one.kind === "overdue" ? other : one;
  const starts = StartDistribution.mixed([one, other].map((each) => ({ starts: each.starts, weight: 1 })));
  return { ...one, starts, next: startOfEither(one.next, other.next, atMs) };
}
