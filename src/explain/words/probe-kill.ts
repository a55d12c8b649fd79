import { meaningOfEvent, withoutAggregation } from "../../kubelet/event-messages.ts";
import { SIGKILL_EXIT_CODE } from "../../kubelet/exit-codes.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { type KillingProbe, probeName } from "../../kubelet/killing-probe.ts";
import { lastClause, shortened } from "../answer/excerpt.ts";
import { withoutSecrets } from "../answer/secret-values.ts";
import { newestOf } from "../observed/lookups.ts";
import type { PodObservation, Probe, TerminatedState } from "../observed/observation.ts";
import { probeOf } from "../prediction/kills.ts";
import type { Prediction } from "../prediction/prediction.ts";

export function probeKill(
  exit: TerminatedState,
  cause: KillingProbe,
  probably: string,
  { facts: { spec, events }, observed }: Prediction,
): string {
  const name = probeName(cause);
  const probe = probeOf(spec, cause);
  const code = `exit code ${exit.exitCode}`;
  if (probe === null) return `The kubelet ${probably}killed it: its ${name} probe failed (${code}).`;
  const { request, failureThreshold, periodMs } = probe;
  const asks = request === undefined ? "" : ` (${shortened(withoutSecrets(request))})`;
  const often =
    failureThreshold === 1
      ? "failed"
      : `failed ${failureThreshold} times in a row, ${formatBriefDuration(periodMs)} apart`;
  const answer = lastAnswer(exit, `${name}-failure`, events, probe);
  const killed = `The kubelet ${probably}killed it: its ${name} probe${asks} ${often}${answer}`;
  const graceMs = probe.gracePeriodMs ?? observed.pod.gracePeriodMs;
  return exit.exitCode === SIGKILL_EXIT_CODE
    ? `${killed}. It did not stop within its grace period of ${formatBriefDuration(graceMs)}, so SIGKILL followed (${code}).`
    : `${killed}; ${code}.`;
}

/** Assumed tolerance between the times of a run and of events about it: the API truncates times to seconds. */
const PROBE_EVENT_SLACK_MS = 2_000;

/** The newest event may be about an earlier run, because the kubelet can hold back later events. */
function lastAnswer(
  { startedAtMs, finishedAtMs }: TerminatedState,
  meaning: "liveness-failure" | "startup-failure",
  ownEvents: PodObservation["events"],
  probe: Probe,
): string {
  const event = newestOf(
    ownEvents.filter(
      ({ reason, message, firstAtMs }) =>
        meaningOfEvent(reason, message) === meaning && (firstAtMs ?? 0) <= (finishedAtMs ?? 0) + PROBE_EVENT_SLACK_MS,
    ),
  );
  const answer = event === undefined ? null : answerIn(event.message, probe.timeoutMs);
  if (event === undefined || answer === null) return "";
  const isOfThisRun = (event.lastAtMs ?? 0) >= (startedAtMs ?? 0) - PROBE_EVENT_SLACK_MS;
  return isOfThisRun ? ` (last answer: ${answer})` : ` (answer in an earlier run: ${answer})`;
}

/** See `probe` (pkg/kubelet/prober/prober.go, v1.37.1) and pkg/probe for the messages. */
function answerIn(message: string, timeoutMs: number): string | null {
  const [, said = ""] = /^\w+ probe (?:failed|errored)[^:]*: (.*)$/s.exec(withoutAggregation(message)) ?? [];
  const [, status] = /^HTTP probe failed with statuscode: (\d{3})/.exec(said) ?? [];
  if (status !== undefined) return `HTTP ${status}`;
  if (/context deadline exceeded|Client\.Timeout exceeded|i\/o timeout|timed out/.test(said))
    return `none within ${formatBriefDuration(timeoutMs)}`;
  const isDialled = /^(Get "|dial tcp )/.test(said);
  const words = (isDialled ? lastClause(said) : said).replaceAll(/\s+/g, " ").trim();
  return words === "" ? null : shortened(words);
}
