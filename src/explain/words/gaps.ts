import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { ageIn, excerpt } from "../answer/excerpt.ts";
import type { ContainerExplanation, Gap, PolicyExplanation } from "../answer/explanation.ts";
import { firstOf, joinedWords } from "../answer/prose.ts";
import { greatestOf } from "../observed/max-min.ts";
import type { ContainerLog, Missing, Now, PodObservation, PodSnapshot, Reading } from "../observed/observation.ts";
import { nodeOutage } from "../prediction/obstacle.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { isScheduled } from "../prediction/state.ts";
import type { InferredVersion } from "../replay/policy-of-pod.ts";

const WHAT: Readonly<Record<Missing["what"], readonly [what: string, right: string]>> = {
  events: ["the pod's events", "list events"],
  node: ["the node", "get nodes"],
  "node-events": ["the node's events", "list events"],
  "node-config": ["the kubelet's configuration", "get nodes/proxy"],
};

export const NOT_READ: Readonly<Record<Missing["why"], (what: string, right: string) => string>> = {
  forbidden: (what, right) => `No permission to read ${what} (${right})`,
  "not-found": (what) => `The server does not have ${what}`,
  timeout: (what) => `Reading ${what} took too long`,
  unreachable: (what) => `The server could not be reached for ${what}`,
  "not-asked": (what) => `Did not read ${what}`,
  "not-in-input": (what) => `The input does not have ${what}`,
  ambiguous: (what) => `The input has ${what} more than once, and none in the folder of the node`,
};

/**
 * If the kubelet's configuration is "unreachable", the kubelet may be down, because the API server forwards the
 * request to the kubelet.
 */
const KUBELET_SILENT =
  "The kubelet could not be reached for its configuration: if it is down, it restarts nothing until it is back";

/** `hasWindow`: whether a start of one of the containers is predicted. */
export function gapsOf(
  observed: PodObservation,
  policy: PolicyExplanation,
  inferredVersion: InferredVersion | null,
  hasWindow: boolean,
): Gap[] {
  const outage = nodeOutage(observed);
  const { kubeletVersion } = policy;
  const version =
    kubeletVersion === null ? withoutVersion(inferredVersion, hasWindow) : `assuming kubelet ${kubeletVersion}`;
  const consequences = {
    events: isScheduled(observed.pod)
      ? "; restarts and kills are inferred from the pod's status alone."
      : "; only its status says why it is not scheduled.",
    node: `; ${version}.`,
    "node-events": ", so a kubelet restart would go unnoticed.",
    "node-config": `; ${assumedConfig(observed, policy)}.`,
  };
  // If the program chose not to request the node, the node's missing data is no gap.
  const isNodeMeant = !observed.missing.some(({ what, why }) => what === "node" && why === "not-asked");
  const meant = observed.missing.filter(
    ({ what, why }) => (isNodeMeant || what === "events") && `${what}-${why}` !== outage?.code,
  );
  const missing = meant.map(({ what, why }) => {
    const isKubeletSilent = what === "node-config" && why === "unreachable";
    const notRead = isKubeletSilent ? KUBELET_SILENT : NOT_READ[why](...WHAT[what]);
    return { code: `${what}-${why}`, message: notRead + consequences[what] };
  });
  return [...(outage === null ? [] : [outage]), ...invalidFields(observed), ...cutSpec(observed.pod), ...missing];
}

function cutSpec({ containers, statuses, nodeName }: PodSnapshot): Gap[] {
  const unlisted = containers.filter(({ isFromStatus }) => isFromStatus === true).map(({ name }) => cut(name));
  const hasNoNode = nodeName === null && statuses.length > 0;
  const lacks = [
    ...(unlisted.length === 0 ? [] : [`the containers ${firstOf(unlisted, MOST_NAMED)}`]),
    ...(hasNoNode ? ["the node"] : []),
  ];
  if (lacks.length === 0) return [];
  const taken =
    unlisted.length === 0
      ? "Which node it is on is unknown."
      : "They are taken from the status; restartPolicy Always and no probes are assumed.";
  return [{ code: "spec-incomplete", message: `The pod's spec lacks ${lacks.join(" and ")}. ${taken}` }];
}

const SIGNS: Readonly<Record<InferredVersion["sign"], string>> = {
  date: "v1.35 was not released yet, so v1.34 or older is assumed",
  "frequent-events": "BackOff events are too frequent for a newer kubelet, so v1.34 or older is assumed",
  "early-word": "a newer kubelet would not show CrashLoopBackOff yet, so v1.34 or older is assumed",
  "late-word": "v1.34 or older would show CrashLoopBackOff by now, so a newer kubelet is assumed",
};

function withoutVersion(inferredVersion: InferredVersion | null, hasWindow: boolean): string {
  // Assumed: without a predicted start, a missing CrashLoopBackOff ("late-word") says nothing about the version.
  if (inferredVersion !== null && (hasWindow || inferredVersion.sign !== "late-word"))
    return SIGNS[inferredVersion.sign];
  const newest = "assuming the newest known kubelet";
  return hasWindow ? `${newest}, with windows wide enough for v1.34 and older` : newest;
}

function assumedConfig({ node }: PodObservation, policy: PolicyExplanation): string {
  if (policy.isInferred === true) {
    const curve = `${formatBriefDuration(policy.initialMs)}, doubling to ${formatBriefDuration(policy.maxMs)}`;
    return `the pod's waits don't fit the defaults but fit ${curve}, which is assumed`;
  }
  if (policy.isKubeadm === true) return KUBEADM;
  return node?.kubeletVersion == null ? "assuming the defaults" : `assuming the ${node.kubeletVersion} defaults`;
}

const KUBEADM =
  "assuming kubeadm's configuration for the whole cluster (ConfigMap kube-system/kubelet-config), which a node may override";

const MOST_NAMED = 5;

function invalidFields(observed: PodObservation): Gap[] {
  const names = [...new Set(invalidFieldPaths(observed))];
  if (names.length === 0) return [];
  const named = firstOf(names.map(cut), MOST_NAMED);
  const message = `Ignored invalid fields of pod ${cut(observed.pod.name)}: ${named}.`;
  return [{ code: "invalid-fields", message }];
}

function invalidFieldPaths({
  pod,
  earlier,
  events,
  node,
  nodeEvents,
  kubeletConfig,
  owners,
}: PodObservation): string[] {
  const inside = (whose: string, { unusable = [] }: Reading): string[] => unusable.map((path) => `${whose} ${path}`);
  const ofEvents = (list: PodObservation["events"]) => list.flatMap((one) => inside(`event ${cut(one.name)}`, one));
  return [
    ...[pod, ...earlier].flatMap(({ unusable = [] }) => unusable),
    ...ofEvents(events),
    ...(node === null ? [] : inside(`node ${node.name}`, node)),
    ...ofEvents(nodeEvents),
    ...(kubeletConfig === null ? [] : inside("kubelet configuration", kubeletConfig)),
    ...(owners?.unusable ?? []),
  ];
}

function cut(text: string): string {
  return excerpt(text, 100);
}

export function openEnded(containers: readonly ContainerExplanation[], { atBasis }: Now): Gap[] {
  const looping = containers.filter(({ isCrashLooping }) => isCrashLooping);
  const names = looping.map(({ name }) => name);
  const have = `${joinedWords(names, "and")} ${names.length === 1 ? "has" : "have"}`;
  const isOpen = atBasis === "newest-input" && looping.length > 0 && looping.every(({ state }) => state === "running");
  if (!isOpen) return [];
  const message = `The input does not show how long ${have} run since its newest timestamp: if for longer than the reset takes, the crash loop is over. kubectl backoff explain --at takes the time at which the pod was read.`;
  return [{ code: "age-unknown", message }];
}

/** Assumed tolerance, because timestamps are truncated and clocks can differ. */
const NEWEST_STATE_SLACK_MS = 2_000;

export function askedTooEarly(containers: readonly Prediction[], atMs: number): Gap[] {
  const seen = containers.flatMap(({ facts }) =>
    facts.runs.flatMap(({ startedAtMs, finishedAtMs }) => [startedAtMs ?? 0, finishedAtMs ?? 0]),
  );
  const laterMs = greatestOf(seen, 0) - atMs;
  if (laterMs <= NEWEST_STATE_SLACK_MS) return [];
  const message = `--at is ${ageIn(laterMs)} before the newest state of the pod that was read; its state then is unknown, so the newest one is used.`;
  return [{ code: "asked-before-seen", message }];
}

export function skewGap(skewMs: number): Gap[] {
  if (skewMs === 0) return [];
  const by = formatBriefDuration(Math.abs(skewMs));
  const message = `The node's clock is about ${by} ${skewMs > 0 ? "ahead of" : "behind"} the API server's: past times are in node time, predictions in server time.`;
  return [{ code: "clock-skew", message }];
}

export function logGaps(logs: readonly ContainerLog[]): Gap[] {
  const missing = logs.flatMap(({ container, text }) => ("why" in text ? [{ container, ...text }] : []));
  return [...Map.groupBy(missing, ({ why }) => why)].map(([why, those]) => {
    const whose = those.map(({ container }) => container).join(", ");
    const answers = why === "not-found" ? `: ${those.map(({ message }) => message).join("; ")}` : "";
    const sentence = NOT_READ[why](`the log of ${whose}`, "get pods/log") + answers;
    return { code: `logs-${why}`, message: `${sentence}; nothing else depends on it.` };
  });
}

const MISSING_CODES = new Set(
  Object.keys(WHAT).flatMap((what) => Object.keys(NOT_READ).map((why) => `${what}-${why}`)),
);

export function distinctGaps(gaps: readonly Gap[]): Gap[] {
  const found = new Map<string, Gap>();
  for (const gap of gaps) {
    if (gap.code.endsWith("-not-asked")) continue;
    const key = MISSING_CODES.has(gap.code) ? gap.code : gap.message;
    if (gap.message.length > (found.get(key)?.message.length ?? -1)) found.set(key, gap);
  }
  return [...found.values()];
}
