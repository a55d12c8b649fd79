import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Evidence } from "../answer/explanation.ts";
import type { PodObservation } from "../observed/observation.ts";
import { likeliestEntry } from "../replay/beliefs.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { Findings } from "./findings.ts";

/** What each rule of the replay says to a person. */
const RULES: Readonly<Record<string, { readonly basis: Evidence["basis"]; readonly text: string }>> = {
  "message-names-the-delay": { basis: "seen", text: "the delay (the kubelet's back-off message)" },
  "gap-tells-the-delay": { basis: "inferred", text: "the delay (from the pause before the last restart)" },
  "restart-count-names-the-step": { basis: "inferred", text: "the delay (from the restart count)" },
  "starts-since-the-reset": {
    basis: "inferred",
    text: "the delay (from the event counts since the last reset)",
  },
  "earlier-reset": {
    basis: "inferred",
    text: "an earlier reset (more restarts than this delay implies)",
  },
  "gap-fits-no-delay": {
    basis: "inferred",
    text: "a reset (it restarted sooner than any back-off allows)",
  },
  "spec-change-fits-the-gap": {
    basis: "inferred",
    text: "a change of the pod's spec (it restarted sooner than any back-off allows)",
  },
  "entry-dropped-during-the-wait": { basis: "inferred", text: "the back-off expired during an earlier wait" },
  "first-run-has-no-entry": { basis: "seen", text: "first run, so no back-off" },
  "restart-all-leaves-no-entry": {
    basis: "seen",
    text: "a RestartAllContainers record, which clears the back-off",
  },
  "restart-alls-leave-the-step-open": {
    basis: "inferred",
    text: "the delay (from the restart count without RestartAllContainers, during which a back-off may have expired)",
  },
  "restart-all-skips-the-wait": {
    basis: "seen",
    text: "a RestartAllContainers between its runs: it restarted without a wait, and the delay stayed",
  },
  "suspected-restart-all": {
    basis: "inferred",
    text: "a RestartAllContainers or a reset (it restarted sooner than any back-off allows)",
  },
  "kubelet-restart": { basis: "seen", text: "a kubelet restart, which clears every back-off" },
  "events-anew": { basis: "inferred", text: "a kubelet restart (its event counts started over)" },
  "image-change": { basis: "seen", text: "an image change, which resets the back-off" },
};

/** What the answer about a container rests on: records first, then what the replay made of them. */
export function evidenceOf(found: Findings): Evidence[] {
  return [...records(found), ...rulesUsed(found), ...kill(found)];
}

function records({ facts }: Findings): Evidence[] {
  const seen = facts.runs.length;
  const earlier = facts.runs[0]?.start ?? 0;
  const restartCount = facts.status?.restartCount ?? 0;
  const list: Evidence[] = [];
  if (seen > 0 && restartCount > 0) {
    const runs = seen === 1 ? "the last" : `the last ${seen}`;
    list.push({ basis: "seen", rule: "status-records", text: `${runs} of ${earlier + seen} runs` });
  }
  if (earlier > 0) {
    const runs = earlier === 1 ? "1 earlier run" : `${earlier} earlier runs`;
    list.push({ basis: "inferred", rule: "restart-count", text: `${runs} (from the restart count)` });
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
  const share = `${Math.round(wait.share * 100)}%`;
  return [
    ...known,
    {
      basis: "assumed",
      rule: "likeliest-of-several",
      text: `most likely ${formatBriefDuration(delayMs)} (${share})`,
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
          text: `the kubelet's event: failed ${probe} probe, will be restarted`,
        }
      : {
          basis: "inferred",
          rule: "suspected-probe-kill",
          text: `the ${probe} probe kill (from the run length and earlier kills)${orSpecChange(observed)}`,
        },
  ];
}

/** The generation counts changes of the spec: 1 is the pod as it was created. */
function orSpecChange({ pod }: PodObservation): string {
  return (pod.generation ?? 1) > 1 ? " (or a spec change: the pod has had one)" : "";
}

function specChange({ runs }: ContainerFacts): Evidence[] {
  const isSeen = runs.findLast(({ exit }) => exit !== null)?.cause.basis === "observed";
  return isSeen
    ? [{ basis: "seen", rule: "killing-event", text: "the kubelet's event: its definition changed, will be restarted" }]
    : [
        {
          basis: "inferred",
          rule: "suspected-spec-change",
          text: "the kill after a spec change (nothing else restarts a container with restartPolicy Never)",
        },
      ];
}
