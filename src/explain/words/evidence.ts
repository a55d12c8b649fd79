import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { excessOf } from "../../kubelet/start-lateness.ts";
import type { Evidence } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import { likeliestEntry } from "../replay/beliefs.ts";
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
    text: "a reset that nothing else tells of: a gap is shorter than any delay allows",
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
  "image-change": { basis: "seen", text: "a change of the image, which starts a fresh curve" },
};

/** What the answer about a container rests on: records first, then what the replay made of them. */
export function evidenceOf(found: Findings): Evidence[] {
  return [...records(found), ...rulesUsed(found), ...kill(found), ...slowNode(found)];
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

function rulesUsed({ facts, wait, delayMs }: Findings): Evidence[] {
  if (delayMs === null) return [];
  const names = wait?.rules ?? likeliestEntry(facts.beliefs)?.rules ?? [];
  const known = withoutPrior(names).flatMap((rule) => {
    const text = RULES[rule];
    return text === undefined ? [] : [{ rule, ...text }];
  });
  const doubtful = wait !== null && wait.share < 0.9;
  if (!doubtful) return known;
  const share = `${Math.round(wait.share * 100)} %`;
  return [
    ...known,
    {
      basis: "assumed",
      rule: "likeliest-of-several",
      text: `${formatBriefDuration(delayMs)} is the likeliest of several delays (${share})`,
    },
  ];
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
  const isSeen = facts.runs.findLast((run) => run.exit !== null)?.cause.basis === "observed";
  const probe = cause === "liveness-probe" ? "liveness" : "startup";
  return [
    isSeen
      ? {
          basis: "seen",
          rule: "killing-event",
          text: `the kubelet's event of the kill after the ${probe} probe failed`,
        }
      : {
          basis: "inferred",
          rule: "suspected-probe-kill",
          text: `the kill by the ${probe} probe, from the runs' length and earlier kills${orSpecChange(observed)}`,
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
