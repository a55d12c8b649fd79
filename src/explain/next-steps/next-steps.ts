import { isStatusUnknown } from "../../kubelet/exit-codes.ts";
import { MINUTE_MS } from "../../kubelet/go-duration.ts";
import type { NextStep, PodExplanation } from "../answer/explanation.ts";
import { isNodeDown, isWithoutNode } from "../answer/node-outage.ts";
import { onlyTriggerOf } from "../history/restart-rules.ts";
import { statusOf } from "../observed/lookups.ts";
import type { ConfigSource, PodObservation } from "../observed/observation.ts";
import { awaitsRestart, isCrash, isFine, mainContainer, USUAL_REMOVAL_MS } from "../triage.ts";
import { isSilent, lookInside, newPodsOf, rolloutOf, undoneRevision } from "./changes.ts";
import { podCommands, type Subject } from "./pod-commands.ts";

const MOST_STEPS = 4;

export interface StepsRequest {
  readonly kubectlFlags?: readonly string[];
  readonly container?: string | undefined;
}

export function nextStepsOf(
  pod: PodExplanation,
  observed: PodObservation,
  atMs: number,
  request: StepsRequest,
): NextStep[] {
  const container = pod.containers.find(({ name }) => name === request.container) ?? mainContainer(pod);
  const owners = [...(pod.owners ?? []), ...(pod.owner === null ? [] : [pod.owner])];
  const { sources = [], claims = [] } = observed.pod;
  const needed = (pod.needs ?? []).flatMap(({ service, pods }) => [service, ...pods.map(({ name }) => name)]);
  const named = [...owners, ...sources].map(({ name }) => name);
  const names = [pod.namespace, pod.name, pod.node, container?.name, ...named, ...claims, ...needed];
  // kubectl would parse a name that begins with "-" as a flag. A file can contain such a name. A pod in a cluster can,
  // too: the API server accepts any claimName of a volume (`validatePersistentClaimVolumeSource`,
  // pkg/apis/core/validation/validation.go, v1.37.1).
  if (isFine(pod) || names.some((name) => name?.startsWith("-"))) return [];
  const subject = { pod, observed, container, atMs, commands: podCommands(pod, request.kubectlFlags ?? []) };
  const newPods = newPodsOf(subject);
  const changes = [...lookInside(subject), ...newPods];
  return [...readOnlySteps(subject, newPods.length > 0).slice(0, MOST_STEPS - changes.length), ...changes];
}

/** `isReplaced`: whether a later step makes new pods. */
function readOnlySteps(subject: Subject, isReplaced: boolean): NextStep[] {
  const { pod, commands } = subject;
  const node = nodeSteps(subject);
  switch (pod.verdict) {
    case "terminating":
      return [
        commands.describePod("see what holds it up"),
        commands.read("wait until it is gone", "wait", "--for=delete", `pod/${pod.name}`, deletionTimeout(subject)),
        ...node,
      ];
    case "unknown":
      return [...node, commands.describePod("see its events")];
    case "failed":
      return [...node, ...logSteps(subject), commands.describePod("see why it failed"), ...jobSteps(subject)];
    case "completed":
      return [...node, commands.describePod("see its events")];
    case "image-pull-back-off":
      return [...node, commands.describePod("see why the pull fails"), ...stepsAroundStart(subject, isReplaced)];
    case "pending":
    case "start-failing":
      // Assumed: a container that awaits a restart and has no obstacle has run before.
      if (subject.container?.obstacle === null && awaitsRestart(subject.container)) break;
      return [
        ...obstacleSteps(subject),
        ...needSteps(subject),
        commands.describePod("see its events"),
        ...stepsAroundStart(subject, isReplaced),
      ];
  }
  return [...node, ...crashSteps(subject, isReplaced), ...jobSteps(subject), ...rolloutSteps(subject)];
}

function deletionTimeout({ pod: { deletion }, atMs }: Subject): string {
  const leftMs = (deletion?.dueAtMs ?? atMs) - atMs;
  const minutes = Math.max(1, Math.ceil((leftMs + USUAL_REMOVAL_MS) / MINUTE_MS));
  return minutes === 1 ? "--timeout=60s" : `--timeout=${minutes}m`;
}

function crashSteps(subject: Subject, isReplaced: boolean): NextStep[] {
  const { container, commands } = subject;
  const cause = container?.lastExit?.cause;
  const steps = [
    ...logSteps(subject),
    ...needSteps(subject),
    ...stepsOutsideTemplate(subject),
    ...stepsAroundStart(subject, isReplaced),
  ];
  // `kubectl describe pod` can show more about a failed hook or a failed start than the container's log.
  if (cause === "post-start-hook") return [commands.describePod("see the hook's error"), ...steps];
  if (cause === "start-error") return [commands.describePod("see the start error"), ...steps];
  return [...steps, commands.describePod("see its events")];
}

function logSteps(subject: Subject): NextStep[] {
  const { observed, container, commands } = subject;
  if (container?.lastExit?.cause === "restart-all") return removedLogSteps(subject);
  const status = container === undefined ? null : statusOf(observed.pod, container.name);
  if (status === null || container === undefined || isSilent(container)) return [];
  // The kubelet can remove an evicted pod's containers (`cleanUpContainersInPod`, pkg/kubelet/kubelet.go, v1.37.1).
  if (subject.pod.ending?.reason === "Evicted") return [];
  if (container.lastExit?.cause === "start-error" || isStatusUnknown(container.lastExit)) return [];
  const hasCrashed = container.lastExit !== null && isCrash(container.lastExit);
  const what = hasCrashed ? "read the crash" : "read the log";
  // While the status says "terminated", `kubectl logs -p` can show an instance before the one that has ended.
  const note = `without -p: the ${hasCrashed ? "crashed" : "last"} instance is still the current one`;
  if (status.state?.kind === "terminated") return [commands.logs(what, status.name, [], note)];
  return status.lastState === null ? [] : [commands.logs(what, status.name, ["-p"])];
}

/** The folder that a kubelet can serve at /logs (`nodeLogDir`, pkg/kubelet/kubelet_server_journal.go, v1.37.1). */
const SERVED_DIR = "/var/log/";
/** `DefaultPodLogsDir` (pkg/kubelet/apis/config/v1beta1/defaults.go, v1.37.1). */
const POD_LOGS_DIR = "/var/log/pods";

function removedLogSteps({ pod, observed, container, commands }: Subject): NextStep[] {
  const { podLogsDir = POD_LOGS_DIR, servesLogs = true } = observed.kubeletConfig ?? {};
  const trigger = onlyTriggerOf(observed.pod);
  const { lastExit = null, name = "" } = pod.containers.find((one) => one.name === trigger?.name) ?? container ?? {};
  const { namespace, name: podName, uid, node } = pod;
  if (lastExit?.removedRun === undefined || uid === null || node === null) return [];
  if (!servesLogs || !podLogsDir.startsWith(SERVED_DIR)) return [];
  const folder = `${podLogsDir.slice(SERVED_DIR.length)}/${namespace}_${podName}_${uid}/${name}`;
  const path = `/api/v1/nodes/${node}/proxy/logs/${folder}/${lastExit.removedRun}.log`;
  return [commands.raw("read the crash", path, "the log is on the node only; needs get on nodes/proxy")];
}

const SHORT_WAIT_MS = 4 * 60_000;

function stepsAroundStart({ container, atMs, commands }: Subject, isReplaced: boolean): NextStep[] {
  if (container === undefined) return [];
  const { name, state, nextRestart } = container;
  if (state === "running") return [commands.logs("follow its log", name, ["-f"])];
  if (nextRestart === null || isReplaced) return [];
  const timeout = nextRestart.likelyByMs - atMs < SHORT_WAIT_MS ? "5m" : "10m";
  const what = state === "starting" ? "see it start" : "see it restart";
  return [commands.followStart(what, name, timeout)];
}

function nodeSteps({ pod, container, commands }: Subject): NextStep[] {
  const { node, ending, verdict } = pod;
  const isSuspect =
    verdict === "unknown" ||
    // See `nodeLowMessageFmt` and `nodeConditionMessageFmt` (pkg/kubelet/eviction/helpers.go, v1.37.1). `rejectPod`
    // (pkg/kubelet/kubelet.go) begins the message with "Pod " in v1.22.17, "Pod was rejected: " in v1.37.1.
    (ending?.reason === "Evicted" && /^(Pod (was rejected: )?)?The node /.test(ending.message)) ||
    container?.overdue != null ||
    isNodeDown(pod);
  if (node === null || !isSuspect) return [];
  return [isWithoutNode(pod) ? commands.nodes() : commands.describeNode(node)];
}

function jobSteps({ pod: { owner }, commands }: Subject): NextStep[] {
  return owner?.kind === "Job" ? [commands.read("see the Job's limit", "describe", `job/${owner.name}`)] : [];
}

function needSteps({ pod: { needs = [], namespace }, commands }: Subject): NextStep[] {
  const down = needs.find((need) => need.readyEndpoints === 0 && need.namespace === namespace);
  if (down === undefined || down.service === null) return [];
  const [first] = down.pods;
  const what = "see what it needs";
  return [
    first === undefined ? commands.read(what, "describe", "service", down.service) : commands.explain(what, first.name),
  ];
}

function rolloutSteps(subject: Subject): NextStep[] {
  const rollout = rolloutOf(subject);
  if (rollout === null) return [];
  const history = ["rollout", "history", rollout.target];
  if (rollout.revisionCount === 0) return [subject.commands.read("see its revisions", ...history)];
  const before = undoneRevision(subject);
  return before === null ? [] : [subject.commands.read(`see revision ${before}`, ...history, `--revision=${before}`)];
}

function stepsOutsideTemplate({ pod, observed, commands }: Subject): NextStep[] {
  const { sources = [], claims = [] } = observed.pod;
  const written = (pod.changes ?? []).flatMap(({ kind, name }) => {
    if (kind === "secret") return [commands.secretKeys(name)];
    return kind === "configmap" ? [commands.config("see what is in it", "ConfigMap", [name])] : [];
  });
  if (written.length > 0) return written.slice(0, 1);
  const names = (kind: ConfigSource["kind"]): string[] =>
    sources.flatMap((source) => (source.kind === kind ? [source.name] : [])).slice(0, MOST_NAMED);
  if (pod.since?.kind === "restart") {
    const kind = (["ConfigMap", "Secret"] as const).find((one) => names(one).length > 0);
    if (kind === undefined) return [];
    return [commands.config("see what it reads", kind, names(kind))];
  }
  if (pod.since?.kind !== "healthy-peers" || pod.since.isOtherImage) return [];
  const node = pod.node === null ? [] : [commands.describeNode(pod.node)];
  const volumes = claims.slice(0, MOST_NAMED);
  return [...(volumes.length === 0 ? [] : [commands.read("see its volumes", "describe", "pvc", ...volumes)]), ...node];
}

const MOST_NAMED = 3;

const MISSING_OBJECTS: readonly { readonly words: RegExp; readonly type: string }[] = [
  { words: /\bconfigmap "[^"]+" not found/i, type: "configmaps" },
  { words: /\bsecret "[^"]+" not found/i, type: "secrets" },
  { words: /\bpersistentvolumeclaim "[^"]+" (is )?not found/i, type: "pvc" },
  { words: /\bserviceaccount "[^"]+" not found/i, type: "serviceaccounts" },
];

/** See the messages of the scheduler's volume plugins (v1.37.1, pkg/scheduler/framework/plugins/volume*). */
const NO_VOLUME = /\bPersistentVolume|\bpersistent volumes?\b|\bvolume (node affinity|zone)\b|\bprovisioning\b/i;

/** See `typeMatchedOrError` (v1.37.1, pkg/volume/hostpath/host_path.go). */
const HOST_PATH = /\bhostPath type check failed\b/;

const LACKS_KEY = /couldn't find key \S+ in (ConfigMap|Secret) [^\s/]+\/([a-z0-9][a-z0-9.-]*)/;

function obstacleSteps({ pod, observed, container, commands }: Subject): NextStep[] {
  if (container?.obstacle == null) return [];
  const { kind, message } = container.obstacle;
  if (kind === "node" && pod.node !== null)
    return [isWithoutNode(pod) ? commands.nodes() : commands.describeNode(pod.node)];
  const [, source, name] = LACKS_KEY.exec(message) ?? [];
  if (name !== undefined)
    return [source === "Secret" ? commands.secretKeys(name) : commands.config("see its keys", "ConfigMap", [name])];
  const type = MISSING_OBJECTS.find(({ words }) => words.test(message))?.type;
  if (type !== undefined) return [commands.read(`list the ${type} there are`, "get", type)];
  const { claims = [] } = observed.pod;
  const isMount = (kind === "volume" || kind === "attach") && !HOST_PATH.test(message);
  const isOfVolume = isMount || (kind === "scheduling" && NO_VOLUME.test(message));
  if (!isOfVolume || claims.length === 0) return [];
  const what = claims.length === 1 ? "see its claim" : "see its claims";
  return [commands.read(what, "describe", "pvc", ...claims.slice(0, MOST_NAMED))];
}
