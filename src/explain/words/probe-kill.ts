import { meaningOfEvent } from "../../kubelet/event-messages.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { lastClause, shortened } from "../answer/excerpt.ts";
import type { ExitCause } from "../history/exit-cause.ts";
import type { ContainerSpec, PodObservation, Probe, TerminatedState } from "../observed/observation.ts";

/** An exit that a failed probe has led to. */
interface ProbeKill {
  readonly exit: TerminatedState;
  readonly cause: "liveness-probe" | "startup-probe";
  readonly basis: ExitCause["basis"];
  readonly spec: ContainerSpec;
  readonly observed: PodObservation;
}

/** Which probe killed it, what it asked and was answered, and whether the program stopped when it was told to. */
export function probeKill(kill: ProbeKill): string {
  const { exit, cause, basis, spec } = kill;
  const name = cause === "liveness-probe" ? "liveness" : "startup";
  const probe = cause === "liveness-probe" ? spec.livenessProbe : spec.startupProbe;
  const code = `exit code ${exit.exitCode}`;
  const probably = basis === "inferred" ? "probably " : "";
  if (probe === null) return `The kubelet ${probably}killed it: its ${name} probe failed (${code}).`;
  const { request, failureThreshold, periodMs } = probe;
  const asks = request === undefined ? "" : ` (${shortened(request)})`;
  const often =
    failureThreshold === 1
      ? "failed"
      : `failed ${failureThreshold} times in a row, ${formatBriefDuration(periodMs)} apart`;
  const killed = `The kubelet ${probably}killed it: its ${name} probe${asks} ${often}${lastAnswer(kill, probe)}`;
  const graceMs = probe.gracePeriodMs ?? kill.observed.pod.gracePeriodMs;
  return exit.exitCode === 137
    ? `${killed}. It did not stop within its grace period of ${formatBriefDuration(graceMs)}, so SIGKILL followed (${code}).`
    : `${killed}; ${code}.`;
}

/** Events are sent, and instants cut, within this much of the exit. */
const SLACK_MS = 2_000;

/**
 * What the probe was told, from the newest Unhealthy event before the exit; empty without one. It may be of an earlier run:
 * the kubelet's limit drops the events of a long crash loop.
 */
function lastAnswer({ exit, cause, spec, observed }: ProbeKill, probe: Probe): string {
  const meaning = cause === "liveness-probe" ? "liveness-failure" : "startup-failure";
  const { startedAtMs, finishedAtMs } = exit;
  const [event] = observed.events
    .filter(
      ({ reason, message, container, firstAtMs }) =>
        container === spec.name &&
        meaningOfEvent(reason, message) === meaning &&
        (firstAtMs ?? 0) <= (finishedAtMs ?? 0) + SLACK_MS,
    )
    .toSorted((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0));
  const answer = event === undefined ? null : answerIn(event.message, probe.timeoutMs);
  if (event === undefined || answer === null) return "";
  const isOfThisRun = (event.lastAtMs ?? 0) >= (startedAtMs ?? 0) - SLACK_MS;
  return isOfThisRun ? ` (last answer: ${answer})` : ` (answer in an earlier run: ${answer})`;
}

/** Mirrors the texts of pkg/probe (http, tcp, exec, grpc) after `prober.go`'s "Liveness probe failed: ", v1.34.4 and v1.37.1. */
function answerIn(message: string, timeoutMs: number): string | null {
  const [, said = ""] = /^\w+ probe (?:failed|errored)[^:]*: (.*)$/s.exec(message) ?? [];
  const [, status] = /^HTTP probe failed with statuscode: (\d{3})/.exec(said) ?? [];
  if (status !== undefined) return `HTTP ${status}`;
  if (/context deadline exceeded|Client\.Timeout exceeded|i\/o timeout|timed out/.test(said))
    return `none within ${formatBriefDuration(timeoutMs)}`;
  const isDialled = /^(Get "|dial tcp )/.test(said);
  const words = (isDialled ? lastClause(said) : said).replaceAll(/\s+/g, " ").trim();
  return words === "" ? null : shortened(words);
}
