import { meaningOfEvent, probeAnswerIn } from "../../kubelet/event-messages.ts";
import { formatBriefDuration, roundToSecond } from "../../kubelet/go-duration.ts";
import { probeName } from "../../kubelet/killing-probe.ts";
import { usualRangeOf } from "../../kubelet/start-lateness.ts";
import { quoted } from "../answer/excerpt.ts";
import type { Evidence } from "../answer/explanation.ts";
import { formatPercent, type Prose, prose, timesWords } from "../answer/prose.ts";
import { hasAllEvents } from "../history/events.ts";
import { specChangesOf } from "../history/spec-change.ts";
import { newestOf } from "../observed/lookups.ts";
import { leastOf } from "../observed/max-min.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { likeliestBelief } from "../replay/beliefs.ts";
import { isDoubtful } from "../replay/current-wait.ts";
import { bugEvidence } from "./known-bug.ts";
import { killerEvidence } from "./out-of-memory.ts";

const SEEN: Readonly<Record<string, string>> = {
  "message-names-the-delay": "the delay (the kubelet's back-off message)",
  "first-run-has-no-entry": "its first run, which began without a back-off",
  "restart-all-leaves-no-entry": "a RestartAllContainers record, and no sign of a back-off before it",
  "restart-all-skips-the-wait":
    "a RestartAllContainers between its runs: it restarted without a wait, and the delay stayed",
  "kubelet-restart": "a kubelet restart, which clears every back-off",
  "image-change": "an image change, which resets the back-off",
};

const INFERRED: Readonly<Record<string, string>> = {
  "gap-tells-the-delay": "the delay (from the pause before the last restart)",
  "restart-count-names-the-step": "the delay (from the restart count)",
  "starts-since-the-reset": "the delay (from the event counts since the last reset)",
  "earlier-reset": "an earlier reset (more restarts than this delay implies)",
  "gap-fits-no-delay": "a reset (it restarted sooner than any back-off allows)",
  "gap-exceeds-all-delays":
    "a reset (it restarted later than any back-off allows: the node or its kubelet was probably down)",
  "spec-change-fits-the-gap": "a change of the pod's spec (it restarted sooner than any back-off allows)",
  "entry-dropped-during-the-wait": "the back-off expired during an earlier wait",
  "restart-alls-leave-the-step-open":
    "the delay (from the restart count without RestartAllContainers, during which a back-off may have expired)",
  "suspected-restart-all": "a RestartAllContainers or a reset (it restarted sooner than any back-off allows)",
  "events-anew": "a kubelet restart (its event counts started over)",
  "node-stop": "a stop of its node, container runtime or sandbox, in which the kubelet lost the back-off",
};

export function stated(rule: string, text: Prose): Evidence {
  return { basis: "observed", rule, text };
}

export function concluded(rule: string, text: Prose): Evidence {
  return { basis: "inferred", rule, text };
}

export function evidenceOf(prediction: Prediction): Evidence[] {
  return [
    ...records(prediction),
    ...rulesUsed(prediction),
    ...kill(prediction),
    ...failedProbes(prediction),
    ...slowNode(prediction),
    ...killerEvidence(prediction),
    ...bugEvidence(prediction),
  ];
}

const PROBES = ["liveness", "readiness", "startup"] as const;

function failedProbes({ facts, observed, policy }: Prediction): Evidence[] {
  const isComplete = hasAllEvents(observed, "Warning", policy.traits);
  return PROBES.flatMap((probe) => {
    const failures = facts.events.filter(
      ({ reason, message }) => meaningOfEvent(reason, message) === `${probe}-failure`,
    );
    const last = newestOf(failures);
    if (last === undefined) return [];
    const count = failures.reduce((sum, failure) => sum + failure.count, 0);
    const firstAtMs = leastOf(failures.flatMap((failure) => failure.firstAtMs ?? []));
    const since = count > 1 && Number.isFinite(firstAtMs) ? prose` since ${{ atMs: firstAtMs }}` : "";
    const reported = isComplete ? "last at" : "last reported at";
    const until = last.lastAtMs === null ? "" : prose`, ${reported} ${{ atMs: last.lastAtMs }}`;
    const answer = quoted(probeAnswerIn(last.message));
    const text = prose`its ${probe} probe failed ${timesWords(count, !isComplete)}${since}${until}${answer === "" ? "" : `: ${answer}`}`;
    return [probe === "readiness" ? stated("failed-readiness-probe", text) : stated("failed-probe", text)];
  });
}

function slowNode({ wait, runtimeLateness }: Prediction): Evidence[] {
  const late = wait === null ? null : usualRangeOf(runtimeLateness);
  if (late === null) return [];
  const seconds = (ms: number): string => formatBriefDuration(roundToSecond(ms));
  const range = `${seconds(late.leastMs)}-${seconds(late.mostMs)}`;
  return [concluded("slow-starts", `this node starts containers late (by ${range})`)];
}

function records({ facts: { runs, status } }: Prediction): Evidence[] {
  const seen = runs.length;
  const earlier = runs[0]?.start ?? 0;
  const isCounted = seen > 0 && (status?.restartCount ?? 0) > 0;
  const last = seen === 1 ? "the last" : `the last ${seen}`;
  const before = earlier === 1 ? "1 earlier run" : `${earlier} earlier runs`;
  return [
    ...(isCounted ? [stated("status-records", `${last} of ${earlier + seen} runs`)] : []),
    ...(earlier > 0 ? [concluded("restart-count", `${before} (from the restart count)`)] : []),
  ];
}

function rulesUsed(prediction: Prediction): Evidence[] {
  const { facts, wait, delayMs } = prediction;
  if (delayMs === null) return [];
  const rules = new Set(wait?.rules ?? likeliestBelief(facts.beliefs)?.rules ?? []);
  const isMeasured = rules.has("gap-tells-the-delay");
  const told = [...rules].filter((rule) => !isMeasured || !ESTIMATES.includes(rule));
  const known = told.flatMap((rule) => [
    ...(SEEN[rule] === undefined ? [] : [stated(rule, SEEN[rule])]),
    ...(INFERRED[rule] === undefined ? [] : [concluded(rule, INFERRED[rule])]),
  ]);
  if (!isDelayDoubtful(prediction)) return known;
  const delay = delayMs === 0 ? "no delay" : formatBriefDuration(delayMs);
  const text = `most likely ${delay} (${formatPercent(shareOfDelay(prediction))})`;
  return [...known, { basis: "assumed", rule: "likeliest-of-several", text }];
}

export function isDelayDoubtful(prediction: Prediction): boolean {
  return prediction.delayMs !== null && isDoubtful(shareOfDelay(prediction));
}

/** Returns 1 also if the likeliest exit is a kill by a probe. */
function shareOfDelay({ wait, facts, ifItExits }: Prediction): number {
  if (wait !== null) return wait.share;
  const [likely] = ifItExits ?? [];
  const entry = likeliestBelief(facts.beliefs);
  const isOfEntry = likely?.probe === null && likely.delayMs === (entry?.entry?.delayMs ?? 0);
  return isOfEntry ? (entry?.share ?? 1) : 1;
}

const ESTIMATES: readonly string[] = ["restart-count-names-the-step", "starts-since-the-reset"];

function kill({ facts, observed }: Prediction): Evidence[] {
  const cause = facts.lastCause?.cause;
  const { basis, stoppedWith, grounds = [] } = facts.runs.findLast((run) => run.exit !== null)?.cause ?? {};
  if (stoppedWith === "sandbox")
    return [stated("new-sandbox", "the kubelet's event: pod sandbox changed, it will be killed and re-created")];
  if (cause === "spec-change")
    return basis === "observed"
      ? [stated("killing-event", "the kubelet's event: its definition changed, will be restarted")]
      : [concluded("suspected-spec-change", `the kill after a spec change (${grounds.join(", ")})`)];
  if (cause !== "liveness-probe" && cause !== "startup-probe") return [];
  const probe = probeName(cause);
  if (basis === "observed")
    return [stated("killing-event", `the kubelet's event: failed ${probe} probe, will be restarted`)];
  const orSpecChange = specChangesOf(observed.pod) > 0 ? " (or a spec change: the pod has had one)" : "";
  return [concluded("suspected-probe-kill", `the ${probe} probe kill (from ${grounds.join(", ")})${orSpecChange}`)];
}
