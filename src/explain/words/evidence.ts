import { meaningOfEvent, probeAnswerIn } from "../../kubelet/event-messages.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { excessOf } from "../../kubelet/start-lateness.ts";
import { instantIn, quoted } from "../answer/excerpt.ts";
import type { Evidence } from "../answer/explanation.ts";
import { newestOf } from "../observed/lookups.ts";
import type { PodObservation } from "../observed/observation.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { likeliestEntry } from "../replay/beliefs.ts";
import { isDoubtful } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";

/** What the rules of the replay say to a person that rest on what the API says. */
const SEEN: Readonly<Record<string, string>> = {
  "message-names-the-delay": "the delay (the kubelet's back-off message)",
  "first-run-has-no-entry": "first run, so no back-off",
  "restart-all-leaves-no-entry": "a RestartAllContainers record, which clears the back-off",
  "restart-all-skips-the-wait":
    "a RestartAllContainers between its runs: it restarted without a wait, and the delay stayed",
  "kubelet-restart": "a kubelet restart, which clears every back-off",
  "image-change": "an image change, which resets the back-off",
};

/** The same of the rules that conclude. */
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

/** Something that an object says itself. */
export function stated(rule: string, text: string): Evidence {
  return { basis: "seen", rule, text };
}

/** Something that follows from what objects say and from what their controllers are known to do. */
export function concluded(rule: string, text: string): Evidence {
  return { basis: "inferred", rule, text };
}

/** What the answer about a container rests on: records first, then what the replay made of them. */
export function evidenceOf(found: Prediction): Evidence[] {
  return [...records(found), ...rulesUsed(found), ...kill(found), ...failedProbes(found), ...slowNode(found)];
}

const PROBES = ["liveness", "readiness", "startup"] as const;

/** What the probes were answered, whether or not that led to a kill. */
function failedProbes({ facts, observed }: Prediction): Evidence[] {
  const own = observed.events.filter(({ container }) => container === facts.spec.name);
  return PROBES.flatMap((probe) => {
    const failures = own.filter(({ reason, message }) => meaningOfEvent(reason, message) === `${probe}-failure`);
    const last = newestOf(failures);
    if (last === undefined) return [];
    const { count, firstAtMs, lastAtMs } = last;
    const since = count > 1 && firstAtMs !== null ? ` since ${instantIn(firstAtMs)}` : "";
    const until = lastAtMs === null ? "" : `, last at ${instantIn(lastAtMs)}`;
    const times = count === 1 ? "once" : `${count} times`;
    const answer = quoted(probeAnswerIn(last.message));
    const text = `its ${probe} probe failed ${times}${since}${until}${answer === "" ? "" : `: ${answer}`}`;
    return [stated("failed-probe", text)];
  });
}

/** Only while it is down: then the window allows for it. */
function slowNode({ wait, runtime }: Prediction): Evidence[] {
  const excess = wait === null ? null : excessOf(runtime);
  if (excess === null) return [];
  const [least, most] = [excess.leastMs, excess.mostMs].map((ms) =>
    formatBriefDuration(Math.round(ms / 1_000) * 1_000),
  );
  return [concluded("slow-starts", `this node starts containers late (by ${least} to ${most})`)];
}

function records({ facts }: Prediction): Evidence[] {
  const seen = facts.runs.length;
  const earlier = facts.runs[0]?.start ?? 0;
  const restartCount = facts.status?.restartCount ?? 0;
  const list: Evidence[] = [];
  if (seen > 0 && restartCount > 0) {
    const runs = seen === 1 ? "the last" : `the last ${seen}`;
    list.push(stated("status-records", `${runs} of ${earlier + seen} runs`));
  }
  if (earlier > 0) {
    const runs = earlier === 1 ? "1 earlier run" : `${earlier} earlier runs`;
    list.push(concluded("restart-count", `${runs} (from the restart count)`));
  }
  return list;
}

function rulesUsed({ facts, wait, delayMs, ifItExits }: Prediction): Evidence[] {
  if (delayMs === null) return [];
  const names = wait?.rules ?? likeliestEntry(facts.beliefs)?.rules ?? [];
  const known = withoutPrior(names).flatMap((rule) => [
    ...(SEEN[rule] === undefined ? [] : [stated(rule, SEEN[rule])]),
    ...(INFERRED[rule] === undefined ? [] : [concluded(rule, INFERRED[rule])]),
  ]);
  const share = shareOfDelay(wait, facts, ifItExits);
  if (!isDoubtful(share)) return known;
  const delay = delayMs === 0 ? "no delay" : formatBriefDuration(delayMs);
  const text = `most likely ${delay} (${Math.round(share * 100)}%)`;
  return [...known, { basis: "assumed", rule: "likeliest-of-several", text }];
}

/** How likely the delay is, 0 to 1; of a kill to come only the kill is doubtful. */
function shareOfDelay(
  wait: Prediction["wait"],
  { beliefs }: ContainerFacts,
  ifItExits: Prediction["ifItExits"],
): number {
  if (wait !== null) return wait.share;
  const [likely] = ifItExits ?? [];
  const entry = likeliestEntry(beliefs);
  const isOfEntry = likely?.how === "exits" && likely.delayMs === (entry?.entry?.delayMs ?? 0);
  return isOfEntry ? (entry?.share ?? 1) : 1;
}

/** Where a gap tells the delay, what it had to start from is no news. */
function withoutPrior(names: readonly string[]): string[] {
  const isTold = names.includes("gap-tells-the-delay");
  const isPrior = (name: string) => name === "restart-count-names-the-step" || name === "starts-since-the-reset";
  return [...new Set(names)].filter((name) => !(isTold && isPrior(name)));
}

function kill({ facts, observed }: Prediction): Evidence[] {
  const cause = facts.lastCause?.cause;
  if (cause === "spec-change") return specChange(facts);
  if (cause !== "liveness-probe" && cause !== "startup-probe") return [];
  const { basis, grounds = [] } = facts.runs.findLast((run) => run.exit !== null)?.cause ?? {};
  const probe = cause === "liveness-probe" ? "liveness" : "startup";
  if (basis === "observed")
    return [stated("killing-event", `the kubelet's event: failed ${probe} probe, will be restarted`)];
  const text = `the ${probe} probe kill (from ${grounds.join(", ")})${orSpecChange(observed)}`;
  return [concluded("suspected-probe-kill", text)];
}

/** The generation counts changes of the spec: 1 is the pod as it was created. */
function orSpecChange({ pod }: PodObservation): string {
  return (pod.generation ?? 1) > 1 ? " (or a spec change: the pod has had one)" : "";
}

function specChange({ runs }: ContainerFacts): Evidence[] {
  const isSeen = runs.findLast(({ exit }) => exit !== null)?.cause.basis === "observed";
  if (isSeen) return [stated("killing-event", "the kubelet's event: its definition changed, will be restarted")];
  const text = "the kill after a spec change (nothing else restarts a container with restartPolicy Never)";
  return [concluded("suspected-spec-change", text)];
}
