import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { excerpt } from "../answer/excerpt.ts";
import type { ContainerExplanation, Gap, PolicyExplanation } from "../answer/explanation.ts";
import { greatestOf } from "../observed/extremes.ts";
import type {
  ContainerLog,
  LogMissing,
  Missing,
  Now,
  PodObservation,
  PodSnapshot,
  Reading,
} from "../observed/observation.ts";
import { nodeNotReady } from "../prediction/obstacle.ts";
import type { ContainerFacts } from "../replay/facts.ts";
import type { VersionBySyncs } from "../replay/policy.ts";

/** What was to be read, and the right that this takes. */
const WHAT: Readonly<Record<Missing["what"], readonly [what: string, right: string]>> = {
  events: ["the pod's events", "list events"],
  node: ["the node", "get nodes"],
  "node-events": ["the node's events", "list events"],
  "node-config": ["the kubelet's configuration", "get nodes/proxy"],
};

/** That something could not be read, by the reason: "No permission to read the node (get nodes)". */
export const NOT_READ: Readonly<Record<Missing["why"], (what: string, right: string) => string>> = {
  forbidden: (what, right) => `No permission to read ${what} (${right})`,
  "not-found": (what) => `The server does not have ${what}`,
  timeout: (what) => `Reading ${what} took too long`,
  unreachable: (what) => `The server could not be reached for ${what}`,
  "not-asked": (what) => `Did not read ${what}`,
  "not-in-input": (what) => `The input does not have ${what}`,
  ambiguous: (what) => `The input has ${what} more than once, and none in the folder of the node`,
};

/** What the windows rest on where nothing says the kubelet's version. */
interface VersionStandIn {
  readonly bySyncs: VersionBySyncs | null;
  /** A container has a window in which it restarts. */
  readonly hasWindow: boolean;
}

/** What could not be seen, worst first: a node whose kubelet does not answer makes every prediction void. */
export function gapsOf(observed: PodObservation, policy: PolicyExplanation, standIn: VersionStandIn): Gap[] {
  const notReady = nodeNotReady(observed);
  const missing = observed.missing.map(({ what, why }) => ({
    code: `${what}-${why}`,
    message: `${NOT_READ[why](...WHAT[what])}${consequenceOf(what, observed, policy, standIn)}`,
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

/** What the pod shows of its kubelet's version. */
const SIGNS: Readonly<Record<VersionBySyncs["sign"], string>> = {
  "frequent-events": "BackOff events are too frequent for a newer kubelet, so v1.34 or older is assumed",
  "early-word": "a newer kubelet would not show CrashLoopBackOff yet, so v1.34 or older is assumed",
  "late-word": "v1.34 or older would show CrashLoopBackOff by now, so a newer kubelet is assumed",
};

function withoutVersion({ bySyncs, hasWindow }: VersionStandIn): string {
  if (bySyncs !== null && hasWindow) return SIGNS[bySyncs.sign];
  // Without a restart to come, CrashLoopBackOff does not show with any kubelet.
  if (bySyncs === null || bySyncs.sign === "late-word") {
    const newest = "assuming the newest known kubelet";
    return hasWindow ? `${newest}, with windows wide enough for v1.34 and older` : newest;
  }
  return SIGNS[bySyncs.sign];
}

function consequenceOf(
  what: Missing["what"],
  observed: PodObservation,
  policy: PolicyExplanation,
  standIn: VersionStandIn,
): string {
  switch (what) {
    case "events":
      return "; restarts and kills are inferred from the pod's status alone.";
    case "node":
      return `; ${policy.kubeletVersion === null ? withoutVersion(standIn) : `assuming kubelet ${policy.kubeletVersion}`}.`;
    case "node-events":
      return ", so a kubelet restart would go unnoticed.";
    case "node-config":
      if (policy.isInferred === true) {
        const curve = `${formatBriefDuration(policy.initialMs)}, doubling to ${formatBriefDuration(policy.maxMs)}`;
        return `; the pod's waits don't fit the defaults but fit ${curve}, which is assumed.`;
      }
      return observed.node?.kubeletVersion != null
        ? `; assuming the ${observed.node.kubeletVersion} defaults.`
        : "; assuming the defaults.";
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
  const message = `Ignored invalid fields of pod ${cut(observed.pod.name)}: ${named}${more}.`;
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
  const message = `--at is ${formatBriefDuration(Math.round(laterMs / 1000) * 1000)} before the newest state of the pod that was read; its state then is unknown, so the newest one is used.`;
  return [{ code: "asked-before-seen", message }];
}

/** One gap for each reason, because without a right no log of the pod can be read. */
export function logGaps(logs: readonly ContainerLog[]): Gap[] {
  const missing = logs.flatMap(({ container, text }) => ("why" in text ? [{ container, ...text }] : []));
  return [...Map.groupBy(missing, ({ why }) => why)].map(([why, those]) => {
    return { code: `logs-${why}`, message: `${sentenceOn(why, those)}; nothing else depends on it.` };
  });
}

function sentenceOn(why: LogMissing["why"], logs: readonly { container: string; message: string }[]): string {
  const said = why === "not-found" ? `: ${logs.map(({ message }) => message).join("; ")}` : "";
  return NOT_READ[why](`the log of ${logs.map(({ container }) => container).join(", ")}`, "get pods/log") + said;
}
