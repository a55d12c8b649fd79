import type { Cause, Explanation, NextStep, PodExplanation } from "../answer/explanation.ts";
import { isFine } from "../groups.ts";
import { statusOf } from "../observed/lookups.ts";
import type { Observation, PodObservation } from "../observed/observation.ts";
import { changesOf, rolloutOf } from "./changes.ts";
import { podCommands, type Subject, subjectOf } from "./pod-commands.ts";

/** A reader follows no longer list. */
const MOST_STEPS = 4;

/** Whom the steps are for. */
export interface StepsRequest {
  /** The flags of kubectl by which the user has chosen the cluster. */
  readonly kubectlFlags?: readonly string[];
  /** The container that the user asks about; by default the one that the verdict is about. */
  readonly container?: string | undefined;
}

/** The explanation with what its readers may do next. */
export function withNextSteps(explanation: Explanation, observation: Observation, request: StepsRequest): Explanation {
  const pods = explanation.pods.map((pod, index) => {
    const observed = observation.pods[index];
    const nextSteps = observed === undefined ? [] : nextStepsOf(pod, observed, explanation.atMs, request);
    return nextSteps.length === 0 ? pod : { ...pod, nextSteps };
  });
  return { ...explanation, pods };
}

/** Up to four commands, those first that only read. None where all is well. */
function nextStepsOf(
  pod: PodExplanation,
  observed: PodObservation,
  atMs: number,
  { kubectlFlags = [], container: asked }: StepsRequest,
): NextStep[] {
  const container = pod.containers.find(({ name }) => name === asked) ?? subjectOf(pod);
  const owners = [...(pod.owners ?? []), ...(pod.owner === null ? [] : [pod.owner])];
  const names = [pod.namespace, pod.name, pod.node, container?.name, ...owners.map(({ name }) => name)];
  // No API server has such a name, and kubectl would take it for a flag, "--all" among them.
  if (isFine(pod) || names.some((name) => name?.startsWith("-"))) return [];
  const subject = { pod, observed, container, atMs, commands: podCommands(pod, kubectlFlags) };
  const changes = changesOf(subject);
  return [...readsOf(subject).slice(0, MOST_STEPS - changes.length), ...changes];
}

function readsOf(subject: Subject): NextStep[] {
  const { pod, commands } = subject;
  const describe = (what: string): NextStep => commands.read(what, "describe", "pod", pod.name);
  const node = nodeSteps(subject);
  switch (pod.verdict) {
    case "terminating":
      return [
        describe("see what holds it up"),
        commands.read("wait until it is gone", "wait", "--for=delete", `pod/${pod.name}`, "--timeout=60s"),
        ...node,
      ];
    case "unknown":
      return [...node, describe("see its events")];
    case "failed":
      return [...node, ...logSteps(subject), describe("see why it failed"), ...jobSteps(subject)];
    case "image-pull-back-off":
      return [...node, describe("see why the pull fails"), ...stepsAroundStart(subject)];
    case "start-failing":
    case "pending":
      return [...obstacleSteps(subject), describe("see its events"), ...stepsAroundStart(subject)];
    default:
      return [...node, ...crashSteps(subject, describe), ...jobSteps(subject), ...rolloutSteps(subject)];
  }
}

/** The causes that the pod's description tells more of than the container's log and this page. */
const DESCRIBED: Partial<Readonly<Record<Cause, string>>> = {
  "post-start-hook": "see the hook's error",
  "start-error": "see the start error",
};

function crashSteps(subject: Subject, describe: (what: string) => NextStep): NextStep[] {
  const { lastExit } = subject.container ?? {};
  const what = lastExit == null ? undefined : DESCRIBED[lastExit.cause];
  const steps = [...logSteps(subject), ...stepsAroundStart(subject)];
  return what === undefined ? [...steps, describe("see its events")] : [describe(what), ...steps];
}

/** A container that could not be started has printed nothing, and RestartAllContainers removes the logs, too. */
const WITHOUT_LOG: readonly (Cause | undefined)[] = ["start-error", "restart-all"];

/** The log of the last exit. */
function logSteps({ observed, container, commands }: Subject): NextStep[] {
  const status = container === undefined ? null : statusOf(observed.pod, container.name);
  if (status === null || WITHOUT_LOG.includes(container?.lastExit?.cause)) return [];
  // "Previous" is the instance before, as long as the status still says that this one has ended.
  if (status.state?.kind === "terminated")
    return [
      commands.logs("read the crash", status.name, [], "without -p: the crashed instance is still the current one"),
    ];
  return status.lastState === null ? [] : [commands.logs("read the crash", status.name, ["-p"])];
}

/** A wait of five minutes is the longest that any kubelet makes; the limit leaves some room above what is expected. */
const SHORT_MS = 4 * 60_000;

function stepsAroundStart({ container, atMs, commands }: Subject): NextStep[] {
  if (container === undefined) return [];
  const { name, state, nextRestart } = container;
  if (state === "running") return [commands.logs("follow its log", name, ["-f"])];
  if (nextRestart === null) return [];
  const timeout = nextRestart.likelyByMs - atMs < SHORT_MS ? "5m" : "10m";
  const what = state === "starting" ? "catch the start" : "catch the restart";
  return [commands.catchStart(what, name, timeout)];
}

/** Where a restart is late, or cannot come, the node is what to look at. */
function nodeSteps({ pod: { node, gaps, ending, verdict }, container, commands }: Subject): NextStep[] {
  const isSuspect =
    verdict === "unknown" ||
    ending?.reason === "Evicted" ||
    (container?.overdue ?? null) !== null ||
    gaps.some(({ code }) => code === "node-not-ready");
  return node === null || !isSuspect ? [] : [commands.describeNode(node)];
}

function jobSteps({ pod: { owner }, commands }: Subject): NextStep[] {
  return owner?.kind === "Job" ? [commands.read("see the Job's limit", "describe", `job/${owner.name}`)] : [];
}

/** Which revisions there are, unless a step that undoes the newest says it. */
function rolloutSteps(subject: Subject): NextStep[] {
  const rollout = rolloutOf(subject);
  if (rollout === null || rollout.revisionCount === 1 || rollout.undoTo !== null) return [];
  return [subject.commands.read("see its revisions", "rollout", "history", rollout.target)];
}

/** The kinds of objects that a kubelet misses by name, in its words and in kubectl's. */
const MISSED: readonly { readonly words: RegExp; readonly type: string }[] = [
  { words: /\bconfigmap "[^"]+" not found/i, type: "configmaps" },
  { words: /\bsecret "[^"]+" not found/i, type: "secrets" },
  { words: /\bpersistentvolumeclaim "[^"]+" (is )?not found/i, type: "pvc" },
  { words: /\bserviceaccount "[^"]+" not found/i, type: "serviceaccounts" },
];

/** A key that a ConfigMap or Secret lacks ("couldn't find key url in ConfigMap shop/settings"). */
const LACKS_KEY = /couldn't find key \S+ in (?<kind>ConfigMap|Secret) [^\s/]+\/(?<name>[a-z0-9][a-z0-9.-]*)/;

/** The steps that tell more of what keeps a pod from starting than the answer does. */
function obstacleSteps({ pod, container, commands }: Subject): NextStep[] {
  const obstacle = container?.obstacle ?? null;
  if (obstacle === null) return [];
  const { kind, message } = obstacle;
  if (kind === "node" && pod.node !== null) return [commands.describeNode(pod.node)];
  const lacking = LACKS_KEY.exec(message)?.groups;
  if (lacking !== undefined) {
    const { kind: type = "", name = "" } = lacking;
    // Of a Secret it shows the keys without their values.
    return [commands.read("see its keys", "describe", type.toLowerCase(), name)];
  }
  const type = MISSED.find(({ words }) => words.test(message))?.type;
  if (type !== undefined) return [commands.read(`list the ${type} there are`, "get", type)];
  return kind === "volume" || kind === "attach" ? [commands.read("see its claims", "get", "pvc")] : [];
}
