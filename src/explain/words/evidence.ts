import { meaningOfEvent, probeAnswerIn } from "../../kubelet/event-messages.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { excessOf } from "../../kubelet/start-lateness.ts";
import { instantIn, quoted } from "../answer/excerpt.ts";
import type { Evidence } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import { likeliestEntry } from "../replay/beliefs.ts";
import { isDoubtful } from "../replay/current-wait.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { Findings } from "./findings.ts";

/** What each rule of the replay says to a person. */
const RULES: Readonly<Record<string, { readonly basis: Evidence["basis"]; readonly text: string }>> = {
  "message-names-the-delay": { basis: "seen", text: "the delay, in the kubelet's own message" },
  "gap-tells-the-delay": { basis: "inferred", text: "the delay, from the gap between the last exit and start" },
  "restart-count-names-the-step": { basis: "inferred", text: "the delay, from restartCount" },
  "starts-since-the-reset": {
    basis: "inferred",
    text: "the delay, from the starts that its events count since the last reset",
  },
  "earlier-reset": {
    basis: "inferred",
    text: "a reset at some earlier time: restartCount is higher than the delay explains",
  },
  "gap-fits-no-delay": {
    basis: "inferred",
    text: "a reset: it restarted sooner than any back-off allows",
  },
  "gap-exceeds-all-delays": {
    basis: "inferred",
    text: "a reset: it restarted later than any back-off allows, probably because the node or its kubelet was down",
  },
  "spec-change-fits-the-gap": {
    basis: "inferred",
    text: "a change of the pod's spec, which the pod has had: a gap is shorter than any delay allows",
  },
  "entry-dropped-during-the-wait": { basis: "inferred", text: "the back-off entry was dropped during an earlier wait" },
  "first-run-has-no-entry": { basis: "seen", text: "its first run: no back-off before it" },
  "restart-all-leaves-no-entry": {
    basis: "seen",
    text: "the record of a restart of all containers, which leaves no back-off",
  },
  "restart-alls-leave-the-step-open": {
    basis: "inferred",
    text: "the delay, from restartCount less the restarts of all containers, which may have outlasted an entry",
  },
  "restart-all-skips-the-wait": {
    basis: "seen",
    text: "a restart of all containers between its runs: it started without a wait, and the delay stayed",
  },
  "suspected-restart-all": {
    basis: "inferred",
    text: "a restart of all containers, or a reset: a gap is shorter than any delay allows",
  },
  "kubelet-restart": { basis: "seen", text: "a restart of the kubelet, which forgets every back-off" },
  "events-anew": { basis: "inferred", text: "a restart of the kubelet: its events are counted anew" },
  "node-stop": {
    basis: "inferred",
    text: "a stop of its node, container runtime or sandbox: the gap after it is no wait, and the kubelet forgot the back-off",
  },
  "image-change": { basis: "seen", text: "a change of the image, which starts a fresh curve" },
};

/** What the answer about a container rests on: records first, then what the replay made of them. */
export function evidenceOf(found: Findings): Evidence[] {
  return [...records(found), ...rulesUsed(found), ...kill(found), ...failedProbes(found), ...slowNode(found)];
}

const PROBES = ["liveness", "readiness", "startup"] as const;

/** What the probes were answered, whether or not that led to a kill. */
function failedProbes({ facts, observed }: Findings): Evidence[] {
  const own = observed.events.filter(({ container }) => container === facts.spec.name);
  return PROBES.flatMap((probe) => {
    const failures = own.filter(({ reason, message }) => meaningOfEvent(reason, message) === `${probe}-failure`);
    const [last] = failures.toSorted((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0));
    if (last === undefined) return [];
    const { count, firstAtMs, lastAtMs } = last;
    const since = count > 1 && firstAtMs !== null ? ` since ${instantIn(firstAtMs)}` : "";
    const until = lastAtMs === null ? "" : `, last at ${instantIn(lastAtMs)}`;
    const times = count === 1 ? "once" : `${count} times`;
    const text = `its ${probe} probe failed ${times}${since}${until}: ${quoted(probeAnswerIn(last.message))}`;
    return [{ basis: "seen", rule: "failed-probe", text }];
  });
}

/** Only while it is down: then the window allows for it. */
function slowNode({ wait, runtime }: Findings): Evidence[] {
  const excess = wait === null ? null : excessOf(runtime);
  if (excess === null) return [];
  const [least, most] = [excess.leastMs, excess.mostMs].map((ms) =>
    formatBriefDuration(Math.round(ms / 1_000) * 1_000),
  );
  return [
    { basis: "inferred", rule: "slow-starts", text: `this node starts containers late (by ${least} to ${most})` },
  ];
}

function records({ facts }: Findings): Evidence[] {
  const seen = facts.runs.length;
  const restartCount = facts.status?.restartCount ?? 0;
  const list: Evidence[] = [];
  if (seen > 0 && restartCount > 0) {
    const runs = seen === 1 ? "the last run" : `the last ${seen} runs`;
    list.push({ basis: "seen", rule: "status-records", text: `${runs}, restartCount ${restartCount}` });
  }
  const earlier = facts.runs[0]?.start ?? 0;
  if (earlier > 0) {
    const runs = earlier === 1 ? "the run before" : `the ${earlier} runs before`;
    list.push({ basis: "inferred", rule: "restart-count", text: `${runs}, from restartCount` });
  }
  return list;
}

function rulesUsed({ facts, wait, delayMs, ifItExits }: Findings): Evidence[] {
  if (delayMs === null) return [];
  const names = wait?.rules ?? likeliestEntry(facts.beliefs)?.rules ?? [];
  const known = withoutPrior(names).flatMap((rule) => {
    const text = RULES[rule];
    return text === undefined ? [] : [{ rule, ...text }];
  });
  const share = shareOfDelay(wait, facts, ifItExits);
  if (!isDoubtful(share)) return known;
  const delay = delayMs === 0 ? "no delay" : formatBriefDuration(delayMs);
  const text = `${delay} is the likeliest of several delays (${Math.round(share * 100)} %)`;
  return [...known, { basis: "assumed", rule: "likeliest-of-several", text }];
}

/** How likely the delay is, 0 to 1; of a kill to come only the kill is doubtful. */
function shareOfDelay(wait: Findings["wait"], { beliefs }: ContainerFacts, ifItExits: Findings["ifItExits"]): number {
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

function kill({ facts, cause, observed }: Findings): Evidence[] {
  if (cause === "spec-change") return specChange(facts);
  if (cause !== "liveness-probe" && cause !== "startup-probe") return [];
  const { basis, grounds = [] } = facts.runs.findLast((run) => run.exit !== null)?.cause ?? {};
  const probe = cause === "liveness-probe" ? "liveness" : "startup";
  return [
    basis === "observed"
      ? {
          basis: "seen",
          rule: "killing-event",
          text: `the kubelet's event of the kill after the ${probe} probe failed`,
        }
      : {
          basis: "inferred",
          rule: "suspected-probe-kill",
          text: `the kill by the ${probe} probe, from ${grounds.join(", ")}${orSpecChange(observed)}`,
        },
  ];
}

/** The generation counts changes of the spec: 1 is the pod as it was created. */
function orSpecChange({ pod }: PodObservation): string {
  return (pod.generation ?? 1) > 1 ? "; or by a change of its spec, which the pod has had" : "";
}

function specChange({ runs }: ContainerFacts): Evidence[] {
  const isSeen = runs.findLast(({ exit }) => exit !== null)?.cause.basis === "observed";
  return isSeen
    ? [{ basis: "seen", rule: "killing-event", text: "the kubelet's event of the kill after its spec changed" }]
    : [
        {
          basis: "inferred",
          rule: "suspected-spec-change",
          text: "the kill after a change of its spec: nothing else restarts a container under restartPolicy Never",
        },
      ];
}
