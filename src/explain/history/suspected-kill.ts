import type { CrashLoopPolicy } from "../../kubelet/crash-loop-policy.ts";
import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import { SIGKILL_EXIT_CODE, SIGTERM_EXIT_CODE } from "../../kubelet/exit-codes.ts";
import type { KillingProbe } from "../../kubelet/killing-probe.ts";
import { containerEvents, oldestStartAtMs, statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, EventSnapshot, PodObservation, Probe } from "../observed/observation.ts";
import { EVENTS_SURELY_KEPT_MS, hasAllEvents } from "./events.ts";
import { isOfStart, type ObservedRun, runLengthMs } from "./runs.ts";
import { hasTimeForWaits } from "./unobserved-period.ts";

/** Assumed: the event of a kill comes at most the grace period plus this time before the exit. */
export const KILL_SLACK_MS = 10_000;
/** Assumed tolerance for comparing an event with an exit or a start: the API truncates instants to seconds. */
export const EXIT_SLACK_MS = 2_000;
/** Assumed tolerance for the length of a run that a probe killed: the API truncates instants to seconds. */
const EARLY_PROBE_MS = 2_500;

const KILLS = ["liveness-probe", "startup-probe", "spec-change", "post-start-hook"] as const;
export type Kill = (typeof KILLS)[number];

export function killOf(event: EventSnapshot): Kill | null {
  const meaning = meaningOfEvent(event.reason, event.message);
  return KILLS.find((kill) => kill === meaning) ?? null;
}

interface Suspect {
  readonly cause: KillingProbe | "post-start-hook";
  readonly probe: Probe | null;
}

interface SuspectedKill extends Pick<Suspect, "cause"> {
  readonly chance: number;
  readonly grounds: readonly string[];
}

export function suspectedKill(
  run: ObservedRun,
  spec: ContainerSpec,
  observed: PodObservation,
  policy: CrashLoopPolicy,
): SuspectedKill | null {
  const own = containerEvents(spec.name, observed);
  const suspects = suspectsOf(run, spec, observed);
  const killsBy = ({ cause }: Suspect) => own.filter((event) => killOf(event) === cause);
  const suspect = suspects.find((one) => killsBy(one).length > 0) ?? suspects[0];
  if (suspect === undefined) return null;
  const { cause, probe } = suspect;
  const isSoon = ({ lastAtMs }: EventSnapshot) => (lastAtMs ?? 0) - (run.finishedAtMs ?? 0) < EVENTS_SURELY_KEPT_MS;
  const starts = own.filter((event) => isStartSince(event, run));
  const isComplete = hasAllEvents(observed, "Normal", policy.traits) && starts.length > 0;
  const kills = killsBy(suspect);
  if (kills.length > 0) {
    const isLater = kills.some((event) => (event.lastAtMs ?? 0) > (run.finishedAtMs ?? 0));
    return { cause, chance: isLater ? 0.9 : isComplete ? 0.02 : 0.95, grounds: ["earlier kills"] };
  }
  if (isComplete && starts.some(isSoon)) return { cause, chance: 0.01, grounds: [] };
  const signs = probe === null ? [] : signsOf(run, probe, observed, policy);
  const odds = signs.reduce((product, { ratio }) => product * ratio, oddsByCode(run, own.some(isSoon)));
  const telling = signs.filter(({ ratio }) => ratio > 1).sort((a, b) => b.ratio - a.ratio);
  const grounds = telling.length > 0 ? telling.map(({ ground }) => ground) : ["its exit code"];
  return { cause, chance: odds / (1 + odds), grounds };
}

/** Assumed: if the API has an event of the run's start or of a later start, it would have the event of a kill, too. */
function isStartSince({ reason, lastAtMs }: EventSnapshot, { startedAtMs }: ObservedRun): boolean {
  return isOfStart(reason) && (lastAtMs ?? 0) >= (startedAtMs ?? 0) - EXIT_SLACK_MS;
}

function suspectsOf(run: ObservedRun, spec: ContainerSpec, observed: PodObservation): Suspect[] {
  const { livenessProbe, startupProbe, hasPostStart } = spec;
  const isLongEnough = (probe: Probe) => runLengthMs(run) + EARLY_PROBE_MS >= shortestRunMs(probe);
  const suspects: Suspect[] = [];
  if (
    startupProbe !== null &&
    isLongEnough(startupProbe) &&
    ratioIfFailingFromStart(run, startupProbe, observed) !== null
  )
    suspects.push({ cause: "startup-probe", probe: startupProbe });
  if (livenessProbe !== null && isLongEnough(livenessProbe))
    suspects.push({ cause: "liveness-probe", probe: livenessProbe });
  if (hasPostStart) suspects.push({ cause: "post-start-hook", probe: null });
  // Assumed: a program that has started once starts again, so the liveness probe is the likeliest cause.
  const hasStarted = statusOf(observed.pod, spec.name)?.started === true;
  return hasStarted
    ? suspects.sort((a, b) => Number(b.cause === "liveness-probe") - Number(a.cause === "liveness-probe"))
    : suspects;
}

export function shortestRunMs(probe: Probe): number {
  return probe.initialDelayMs + (probe.failureThreshold - 1) * probe.periodMs;
}

/**
 * About ln(900 s / 0.1 s): assumes that without a kill, runs last 0.1 s to 15 min, evenly spread on a logarithmic
 * scale.
 */
const LENGTHS_LOG = 9;
/** The assumed share of probe kills whose probe failed from the container's start on. */
const FROM_START = 0.6;
const SHORTEST_MS = 1_000;

/**
 * Returns how many times likelier a kill by the probe makes a run of this length, at least 1. Null if the run lasted
 * too long for a probe that failed from the container's start on.
 */
function ratioIfFailingFromStart(run: ObservedRun, probe: Probe, { pod }: PodObservation): number | null {
  const ranMs = runLengthMs(run);
  const leastMs = shortestRunMs(probe);
  const mostMs = leastMs + probe.periodMs + EARLY_PROBE_MS;
  const graceMs = probe.gracePeriodMs ?? pod.gracePeriodMs;
  const stoppingMs =
    run.exit?.exitCode === SIGKILL_EXIT_CODE && ranMs - graceMs >= leastMs - EARLY_PROBE_MS ? graceMs : 0;
  if (ranMs - stoppingMs > mostMs) return null;
  const width = Math.log((mostMs + stoppingMs) / Math.max(SHORTEST_MS, leastMs + stoppingMs - EARLY_PROBE_MS));
  return Math.max(1, (FROM_START * LENGTHS_LOG) / width);
}

function oddsByCode({ exit }: ObservedRun, hasEvents: boolean): number {
  if (exit?.exitCode === SIGKILL_EXIT_CODE || exit?.exitCode === SIGTERM_EXIT_CODE) return hasEvents ? 0.11 : 1.5;
  // Assumed: a service often exits with 0 when it is stopped, and a healthy service seldom ends by itself.
  if (exit?.exitCode === 0) return hasEvents ? 0.2 : 0.5;
  return hasEvents ? 0.11 : 0.06;
}

/** An observation that is `ratio` times as likely with a kill as without. */
interface Sign {
  readonly ratio: number;
  readonly ground: string;
}

function signsOf(run: ObservedRun, probe: Probe, observed: PodObservation, policy: CrashLoopPolicy): Sign[] {
  const signs = [
    { ratio: ratioIfFailingFromStart(run, probe, observed) ?? 1, ground: "a run as long as the probe allows" },
  ];
  const bornAtMs = oldestStartAtMs(observed.pod);
  // After a kill, the kubelet can restart a container without a wait. So a kill is likelier if the pod is too young for
  // a wait before each restart.
  if (bornAtMs !== null && run.startedAtMs !== null && !hasTimeForWaits(run.startedAtMs - bornAtMs, run.start, policy))
    signs.push({ ratio: 30, ground: "more restarts than its own exits leave time for" });
  return signs;
}
