import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { excerpt } from "../answer/excerpt.ts";
import type { ContainerExplanation, Gap, PolicyExplanation } from "../answer/explanation.ts";
import { nodeNotReady } from "../answer/node-readiness.ts";
import { greatestOf } from "../observed/extremes.ts";
import type { Missing, Now, PodObservation, PodSnapshot, Reading } from "../observed/observation.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { VersionBySyncs } from "../replay/policy.ts";

const WHAT: Readonly<Record<Missing["what"], string>> = {
  events: "the pod's events",
  node: "the node",
  "node-events": "the node's events",
  "node-config": "the kubelet's configuration on the node",
};

/** Why something could not be seen, in words. */
export const WHY: Readonly<Record<Missing["why"], string>> = {
  forbidden: "no permission",
  "not-found": "not found",
  timeout: "no answer in time",
  unreachable: "not reachable",
  "not-asked": "not asked for",
  "not-in-input": "not in the input",
  ambiguous: "several in the input, none in the folder of the node",
};

/** What the windows rest on where the kubelet's version is not told. */
export interface VersionStandIn {
  readonly bySyncs: VersionBySyncs | null;
  /** A container has a window in which it restarts. */
  readonly hasWindow: boolean;
}

/** What could not be seen, worst first: a node whose kubelet does not answer makes every prediction void. */
export function gapsOf(observed: PodObservation, policy: PolicyExplanation, standIn: VersionStandIn): Gap[] {
  const notReady = nodeNotReady(observed);
  const missing = observed.missing.map(({ what, why }) => ({
    code: `${what}-${why}`,
    message: `Not seen: ${WHAT[what]} (${WHY[why]}). ${consequenceOf(what, observed, policy, standIn)}`,
  }));
  return [...(notReady === null ? [] : [notReady]), ...invalidFields(observed), ...cutSpec(observed.pod), ...missing];
}

/** The gap of a spec that lacks what the status shows to be there. */
function cutSpec({ containers, statuses, nodeName }: PodSnapshot): Gap[] {
  const unlisted = containers.filter(({ isFromStatus }) => isFromStatus === true).map(({ name }) => cut(name));
  const hasNoNode = nodeName === null && statuses.length > 0;
  const lacks = [
    ...(unlisted.length === 0 ? [] : [`the containers ${unlisted.slice(0, MOST_NAMED).join(", ")}`]),
    ...(hasNoNode ? ["the node"] : []),
  ];
  if (lacks.length === 0) return [];
  const taken =
    unlisted.length === 0
      ? "Which node it is on is unknown."
      : "They are taken from the status; restartPolicy Always and no probes are assumed.";
  return [{ code: "spec-incomplete", message: `The pod's spec lacks ${lacks.join(" and ")}. ${taken}` }];
}

/** The sign after the colon says by what a version is known. */
const SIGNS: Readonly<Record<VersionBySyncs["sign"], string>> = {
  "frequent-events": "a kubelet up to v1.34: BackOff events come more often than from a newer one.",
  "early-word": "a kubelet up to v1.34: a newer one would not show CrashLoopBackOff yet.",
  "late-word": "a kubelet newer than v1.34: an older one would show CrashLoopBackOff by now.",
};

function withoutVersion({ bySyncs, hasWindow }: VersionStandIn): string {
  if (bySyncs !== null && hasWindow) return `Windows are those of ${SIGNS[bySyncs.sign]}`;
  // Without a restart to come, CrashLoopBackOff does not show with any kubelet.
  if (bySyncs === null || bySyncs.sign === "late-word") {
    const newest = "The newest known kubelet is assumed";
    return hasWindow ? `${newest}; windows are as long as one up to v1.34 may take.` : `${newest}.`;
  }
  return `The syncs are those of ${SIGNS[bySyncs.sign]}`;
}

function consequenceOf(
  what: Missing["what"],
  observed: PodObservation,
  policy: PolicyExplanation,
  standIn: VersionStandIn,
): string {
  switch (what) {
    case "events":
      return "Starts, kills and syncs are inferred from the status alone.";
    case "node":
      return policy.kubeletVersion === null ? withoutVersion(standIn) : `Kubelet ${policy.kubeletVersion} is assumed.`;
    case "node-events":
      return "A restart of the kubelet would not be noticed.";
    case "node-config":
      if (policy.isInferred === true) {
        const curve = `${formatBriefDuration(policy.initialMs)}, doubling up to ${formatBriefDuration(policy.maxMs)}`;
        return `The pod's own waits contradict the defaults; they fit ${curve}, which is assumed.`;
      }
      return observed.node?.kubeletVersion != null
        ? `The defaults of kubelet ${observed.node.kubeletVersion} are assumed.`
        : "The defaults are assumed.";
  }
}

/** So many are named; whoever corrects those finds the others. */
const MOST_NAMED = 5;

/** A path can hold keys and names that somebody made up. */
const MOST_LENGTH = 100;

/** The gap that names what was present and could not be used; none if all could be. */
function invalidFields(observed: PodObservation): Gap[] {
  const names = [...new Set(unusableOf(observed))];
  if (names.length === 0) return [];
  const named = names.slice(0, MOST_NAMED).map(cut).join(", ");
  const more = names.length > MOST_NAMED ? `, and ${names.length - MOST_NAMED} more` : "";
  const message = `Of pod ${cut(observed.pod.name)} these could not be used, and count as not there: ${named}${more}.`;
  return [{ code: "invalid-fields", message }];
}

function unusableOf({ pod, earlier, events, node, nodeEvents, kubeletConfig, owners }: PodObservation): string[] {
  const inside = (whose: string, { unusable = [] }: Reading): string[] => unusable.map((path) => `${whose} ${path}`);
  return [
    ...(pod.unusable ?? []),
    ...earlier.flatMap(({ unusable = [] }) => unusable),
    ...events.flatMap((event) => inside(`event ${cut(event.name)}`, event)),
    ...(node === null ? [] : inside(`node ${node.name}`, node)),
    ...nodeEvents.flatMap((event) => inside(`event ${cut(event.name)}`, event)),
    ...(kubeletConfig === null ? [] : inside("kubelet configuration", kubeletConfig)),
    ...(owners?.unusable ?? []),
  ];
}

function cut(text: string): string {
  return excerpt(text, MOST_LENGTH);
}

/**
 * The gap of a crash loop that only a running container makes, where now is the newest timestamp of a file: it may have run for
 * any time since.
 */
export function openEnded(containers: readonly ContainerExplanation[], { atBasis }: Now): Gap[] {
  const looping = containers.filter(({ isCrashLooping }) => isCrashLooping);
  const names = looping.map(({ name }) => name).join(", ");
  const isOpen = atBasis === "newest-input" && looping.length > 0 && looping.every(({ state }) => state === "running");
  if (!isOpen) return [];
  const message = `The input does not show how long ${names} has run since its newest timestamp: if for longer than the reset takes, the crash loop is over. Pass --at with the time at which the pod was read.`;
  return [{ code: "age-unknown", message }];
}

/** Truncation and clocks account for this much. */
const SLACK_MS = 2_000;

/** The gap of a moment that lies before what was seen: the state then is not known, only the later one. */
export function askedTooEarly(facts: readonly ContainerFacts[], atMs: number): Gap[] {
  const seen = facts.flatMap(({ runs }) =>
    runs.flatMap(({ startedAtMs, finishedAtMs }) => [startedAtMs ?? 0, finishedAtMs ?? 0]),
  );
  const laterMs = greatestOf(seen, 0) - atMs;
  if (laterMs <= SLACK_MS) return [];
  const message = `The moment asked for is ${formatBriefDuration(Math.round(laterMs / 1000) * 1000)} before the newest thing seen of the pod: what it was like then is not known, so the answer takes the later state for it.`;
  return [{ code: "asked-before-seen", message }];
}
