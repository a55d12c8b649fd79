import { delayAtStep } from "../../backoff/curve.ts";
import { delayMsInMessage, meaningOfEvent } from "../../kubelet/event-messages.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { statusOf, takenAtMs } from "../observed/lookups.ts";
import type { ContainerSpec, EventSnapshot, PodObservation, Probe } from "../observed/observation.ts";
import { areEventsComplete } from "./events.ts";
import { hasRoom } from "./lifetime.ts";
import { isOfStart, type SeenRun } from "./runs.ts";

/** A kill's event comes before the exit by at most the grace period and some seconds for the runtime. */
export const KILL_SLACK_MS = 10_000;
/** Instants are truncated to seconds. */
export const EXIT_SLACK_MS = 2_000;
/** Probes may begin early by their own jitter, and periods are counted from the worker's start. */
const PROBE_SLACK_MS = 2_500;

const KILLS = ["liveness-probe", "startup-probe", "spec-change", "post-start-hook"] as const;
/** A kill of a container by the kubelet. */
export type Kill = (typeof KILLS)[number];

/** The kill that a Killing event announces; null for any other event. */
export function killOf(event: EventSnapshot): Kill | null {
  const meaning = meaningOfEvent(event.reason, event.message);
  return KILLS.find((kill) => kill === meaning) ?? null;
}

/** What a probe, or a hook, makes the kubelet do. */
interface Suspect {
  readonly cause: "liveness-probe" | "startup-probe" | "post-start-hook";
  /** Null for a hook, which has no schedule. */
  readonly probe: Probe | null;
}

/** A kill that no event shows: how likely it is, and what speaks for it. */
interface SuspectedKill {
  readonly cause: Suspect["cause"];
  /** 0 to 1. */
  readonly chance: number;
  /** In words. */
  readonly grounds: readonly string[];
}

/** The likeliest kill whose event was held back or has expired; null where the run was too short for any. */
export function suspectedKill(
  run: SeenRun,
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): SuspectedKill | null {
  const own = observed.events.filter((event) => event.container === spec.name);
  const suspects = suspectsOf(run, spec, observed);
  const killedBefore = ({ cause }: Suspect) => own.some((event) => killOf(event) === cause);
  const likely = suspects.find(killedBefore) ?? suspects[0];
  if (likely === undefined) return null;
  const isComplete =
    areEventsComplete(observed.events, "Normal", policy.traits) && own.some((event) => isStartShown(event, run));
  return { cause: likely.cause, ...chanceOfKill(run, spec.name, likely, own, isComplete, observed, policy) };
}

/** Where the event of its start is still there, that of its kill has not expired. */
function isStartShown({ reason, lastAtMs }: EventSnapshot, { startedAtMs }: SeenRun): boolean {
  return isOfStart(reason) && (lastAtMs ?? 0) >= (startedAtMs ?? 0) - EXIT_SLACK_MS;
}

/** The probes that can have killed the run, and a hook that can have failed; a startup probe kills only before it succeeds. */
function suspectsOf(run: SeenRun, spec: ContainerSpec, observed: PodObservation): Suspect[] {
  const ranMs = (run.finishedAtMs ?? 0) - (run.startedAtMs ?? run.finishedAtMs ?? 0);
  const { livenessProbe, startupProbe, hasPostStart } = spec;
  const suspects: Suspect[] = [];
  const isLongEnough = (probe: Probe) => ranMs + PROBE_SLACK_MS >= shortestRunMs(probe);
  if (startupProbe !== null && isLongEnough(startupProbe) && failsFromStart(run, startupProbe, observed) !== null)
    suspects.push({ cause: "startup-probe", probe: startupProbe });
  if (livenessProbe !== null && isLongEnough(livenessProbe))
    suspects.push({ cause: "liveness-probe", probe: livenessProbe });
  if (hasPostStart) suspects.push({ cause: "post-start-hook", probe: null });
  // A program that has started once is more likely to start again than to stay healthy.
  const hasStarted = statusOf(observed.pod, spec.name)?.started === true;
  return hasStarted
    ? suspects.sort((a, b) => Number(b.cause === "liveness-probe") - Number(a.cause === "liveness-probe"))
    : suspects;
}

function shortestRunMs(probe: Probe): number {
  return probe.initialDelayMs + (probe.failureThreshold - 1) * probe.periodMs;
}

/** Run lengths vary by this factor, e^9: from a tenth of a second to a quarter of an hour. */
const LENGTHS_LOG = 9;
/** The share of probe kills in which the probe fails from the start on. */
const FROM_START = 0.6;

/**
 * How much a run of this length speaks for a probe that fails from the start on: it is killed within one period after the
 * earliest failure that counts, and gone within the grace period. Null if the run was longer.
 */
function failsFromStart(run: SeenRun, probe: Probe, { pod }: PodObservation): number | null {
  const ranMs = (run.finishedAtMs ?? 0) - (run.startedAtMs ?? run.finishedAtMs ?? 0);
  const leastMs = shortestRunMs(probe);
  const mostMs = leastMs + probe.periodMs + PROBE_SLACK_MS;
  const graceMs = probe.gracePeriodMs ?? pod.gracePeriodMs;
  const stoppingMs = run.exit?.exitCode === SIGKILLED && ranMs - graceMs >= leastMs - PROBE_SLACK_MS ? graceMs : 0;
  if (ranMs - stoppingMs > mostMs) return null;
  const width = Math.log((mostMs + stoppingMs) / Math.max(SHORTEST_MS, leastMs + stoppingMs - PROBE_SLACK_MS));
  return Math.max(1, (FROM_START * LENGTHS_LOG) / width);
}

const SIGKILLED = 137;
const SIGTERMED = 143;
const SHORTEST_MS = 1_000;

/**
 * How likely it is that the kubelet killed this run although no event of that kill was seen, and what speaks for it. Rough
 * figures: a missing event says next to nothing once events are held back or gone, and nearly all while none are.
 */
function chanceOfKill(
  run: SeenRun,
  name: string,
  suspect: Suspect,
  own: readonly EventSnapshot[],
  isComplete: boolean,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): { readonly chance: number; readonly grounds: readonly string[] } {
  const kills = own.filter((event) => killOf(event) === suspect.cause);
  if (kills.length > 0) {
    const isLater = kills.some((event) => (event.lastAtMs ?? 0) > (run.finishedAtMs ?? 0));
    return { chance: isLater ? 0.9 : isComplete ? 0.02 : 0.95, grounds: ["earlier kills"] };
  }
  if (isComplete) return { chance: 0.01, grounds: [] };
  const isProbe = suspect.probe !== null;
  const signs = isProbe ? [...signsOf(run, suspect, own, observed), ...signsOfLag(run, name, observed, policy)] : [];
  const odds = signs.reduce((product, { ratio }) => product * ratio, oddsByCode(run, own.length > 0));
  const telling = signs.filter(({ ratio }) => ratio > 1).sort((a, b) => b.ratio - a.ratio);
  const grounds = telling.length > 0 ? telling.map(({ ground }) => ground) : ["its exit code"];
  return { chance: odds / (1 + odds), grounds };
}

/** By its exit code alone; where there are events of the container, one of the kill is likely to be among them. */
function oddsByCode({ exit }: SeenRun, hasEvents: boolean): number {
  if (exit?.exitCode === SIGKILLED || exit?.exitCode === SIGTERMED) return hasEvents ? 0.11 : 1.5;
  // A service that is asked to stop reports success; one that is healthy seldom ends.
  if (exit?.exitCode === 0) return hasEvents ? 0.2 : 0.5;
  return hasEvents ? 0.11 : 0.06;
}

/** Something that speaks for a kill, by as much as it is likelier with one than without. */
interface Sign {
  readonly ratio: number;
  readonly ground: string;
}

/** What the probe's schedule and its failures say of the run. */
function signsOf(
  run: SeenRun,
  { cause, probe }: Suspect,
  own: readonly EventSnapshot[],
  observed: PodObservation,
): Sign[] {
  if (probe === null) return [];
  const length = { ratio: failsFromStart(run, probe, observed) ?? 1, ground: "a run as long as the probe allows" };
  const meaning = cause === "liveness-probe" ? "liveness-failure" : "startup-failure";
  const failed = own.filter((event) => meaningOfEvent(event.reason, event.message) === meaning);
  const count = failed.reduce((sum, event) => sum + Math.max(1, event.count), 0);
  if (count < probe.failureThreshold) return [length];
  const endMs = run.finishedAtMs ?? 0;
  const beforeMs = probe.periodMs + KILL_SLACK_MS + (probe.gracePeriodMs ?? observed.pod.gracePeriodMs);
  const isAtEnd = failed.some(({ lastAtMs }) => lastAtMs !== null && lastAtMs <= endMs && lastAtMs >= endMs - beforeMs);
  // The failures that earlier runs need are there as well.
  const isEnough = count >= MOST_FAILURES * probe.failureThreshold * (run.start + 1);
  const restarts = run.start === 0 ? "" : ` for ${run.start} restarts`;
  const ground = `${count} failures of the probe${restarts}`;
  return [length, { ratio: isEnough ? 50 : isAtEnd ? 30 : 3, ground }];
}

/** Events are counted with gaps: this share of the failures is enough. */
const MOST_FAILURES = 0.7;

/** A kill leaves the back-off one exit behind: so does the delay, and more restarts fit into the pod's age. */
function signsOfLag(run: SeenRun, container: string, { pod }: PodObservation, policy: CrashLoopPolicy): Sign[] {
  const signs: Sign[] = [];
  const { state, restartCount } = statusOf(pod, container) ?? {};
  const delayMs = state?.kind === "waiting" && restartCount === run.start ? delayMsInMessage(state.message) : null;
  if (delayMs !== null && run.start >= 2 && delayMs < policy.maxMs) {
    const isBehind = delayMs === delayAtStep(run.start - 2, policy);
    const isAsCounted = delayMs === delayAtStep(run.start - 1, policy);
    if (isBehind) signs.push({ ratio: 20, ground: "a delay one step behind restartCount" });
    if (isAsCounted) signs.push({ ratio: 0.1, ground: "" });
  }
  const bornAtMs = takenAtMs(pod);
  if (bornAtMs !== null && run.startedAtMs !== null && !hasRoom(run.startedAtMs - bornAtMs, run.start, policy))
    signs.push({ ratio: 30, ground: "more restarts than its own exits leave time for" });
  return signs;
}
