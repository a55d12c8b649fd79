import { parseGoDuration } from "../kubelet/go-duration.ts";
import type { NameBook } from "./names.ts";

/** The reasons that Kubernetes (v1.29 to v1.37) writes into statuses, conditions and the events of pods and nodes. */
const REASONS: ReadonlySet<string> = new Set(
  [
    // Containers: pkg/kubelet/container/sync_result.go, pkg/kubelet/images/types.go, pkg/kubelet/kubelet_pods.go
    "CrashLoopBackOff ErrImagePull ImagePullBackOff RegistryUnavailable SignatureValidationFailed ImageInspectError",
    "ErrImageNeverPull InvalidImageName CreateContainerConfigError CreateContainerError PreCreateHookError",
    "PreStartHookError RunContainerError PostStartHookError RestartingAllContainers ContainerCreating PodInitializing",
    "Completed Error Unknown OOMKilled StartError ContainerCannotRun ContainerStatusUnknown DeadlineExceeded",
    // Pods and their conditions
    "Evicted NodeAffinity NodeLost NodeShutdown Terminated Preempting UnexpectedAdmissionError Shutdown OutOfcpu OutOfmemory",
    "OutOfpods ContainersNotReady ContainersNotInitialized PodCompleted PodFailed PodSandboxNotReady Unschedulable",
    "SchedulingGated ReadinessGatesNotReady RestartAllContainersStarted RestartAllContainersCompleted",
    "TerminationByKubelet EvictionByEvictionAPI DeletionByTaintManager PreemptionByScheduler",
    // Events: pkg/kubelet/events/event.go and the scheduler's
    "BackOff Created Started Failed Killing Preempting ExceededGracePeriod Pulling Pulled Unhealthy ProbeWarning",
    "FailedPostStartHook FailedPreStopHook InspectFailed ErrImageNeverPull Scheduled FailedScheduling FailedMount",
    "FailedAttachVolume SuccessfulAttachVolume FailedCreatePodSandBox SandboxChanged FailedSync FailedValidation",
    "FailedKillPod NetworkNotReady HostPortConflict TaintManagerEviction Starting KubeletSetupFailed NodeReady",
    "NodeNotReady NodeSchedulable NodeNotSchedulable NodeRebooted RegisteredNode RemovingNode InvalidDiskCapacity",
    "NodeHasSufficientMemory NodeHasNoDiskPressure NodeHasSufficientPID NodeAllocatableEnforced CgroupV1 Rebooted",
    // Nodes
    "KubeletReady KubeletNotReady NodeStatusUnknown NodeStatusNeverUpdated",
    // Workloads
    "ProgressDeadlineExceeded NewReplicaSetAvailable NewReplicaSetCreated ReplicaSetUpdated FoundNewReplicaSet",
    "MinimumReplicasAvailable MinimumReplicasUnavailable BackoffLimitExceeded PodFailurePolicy CompletionsReached",
    "FailedIndexes MaxFailedIndexesExceeded FailedCreate",
  ].flatMap((line) => line.split(" ")),
);

/** Keeps a reason of Kubernetes. Makes any other one, which can name a product, "OtherError1" or "Other1". */
export function anonymousReason(reason: string, book: NameBook): string {
  if (REASONS.has(reason)) return reason;
  return book.word(reason, /Err|Fail|Invalid/.test(reason) ? "OtherError" : "Other");
}

/**
 * The messages of Kubernetes that the explanation reads or prints (sources: src/kubelet/event-messages.ts). A report
 * keeps such a message but replaces its named groups. The group `rest` is free text.
 */
const MESSAGES: readonly RegExp[] = [
  /^(?:Starting kubelet\.|kubelet is posting ready status|Kubelet stopped posting node status\.)$/d,
  /^(?:Container created|Container started|PostStartHook failed|killing)$/d,
  /^Error: (?:ErrImagePull|ImagePullBackOff|ErrImageNeverPull|InvalidImageName)$/d,
  /^The container is removed because RestartAllContainers in place$/d,
  /^[Bb]ack-off (?<delay>\S+) restarting failed container(?:=(?<container>[^\s:]+))?(?: pod=(?<pod>[^\s:]+))?(?<rest>.*)$/ds,
  /^Back-off restarting failed container (?<container>\S+) in pod (?<pod>\S+)$/d,
  /^(?:Container|Init container) (?<container>\S+) (?:failed liveness probe|failed startup probe|definition changed)(?:, will be restarted)?(?<rest>.*)$/ds,
  /^(?:Created container:?|Started container|Stopping container) (?<container>\S+)$/d,
  /^Container image "(?<image>[^"]*)" (?:already present on machine(?: and can be accessed by the pod)?|is not present with pull policy of Never)$/d,
  /^(?:Pulling image|Back-off pulling image|Successfully pulled image|Failed to pull image) "(?<image>[^"]*)"(?<rest>.*)$/ds,
  /^(?:(?:Liveness|Readiness|Startup) probe (?:failed|errored)|FailedPostStartHook)(?<rest>.*)$/ds,
];

const REPLACEMENTS: Readonly<Record<string, (part: string, book: NameBook) => string>> = {
  delay: (delay, book) => (parseGoDuration(delay) === null ? book.remove(delay) : delay),
  container: (name, book) => book.replace("container", name),
  image: (name, book) => book.replace("image", name),
  pod: podWord,
  rest: (rest, book) => (rest === "" ? "" : ` ${book.remove(rest)}`),
};

/** Replaces the names in `NAME_NAMESPACE(UID)`, the form of `format.Pod` (pkg/kubelet/util/format/pod.go, v1.37.1). */
function podWord(word: string, book: NameBook): string {
  const [, name, namespace = "", uid = ""] = /^([^_\s]+)_([^_\s(]+)\(([^()\s]+)\)$/.exec(word) ?? [];
  if (name === undefined) return book.remove(word);
  return `${book.replace("name", name, "pod")}_${book.replace("namespace", namespace)}(${book.uid(uid)})`;
}

/** Replaces the names in a message of Kubernetes. Replaces any other message as a whole. */
export function anonymousMessage(message: string, book: NameBook): string {
  const match = MESSAGES.map((known) => known.exec(message)).find((found) => found !== null);
  if (match === undefined) return book.remove(message);
  let [made, end] = ["", 0];
  for (const [name, range] of Object.entries(match.indices?.groups ?? {})) {
    if (range === undefined) continue;
    const [from, to] = range;
    made += message.slice(end, from) + (REPLACEMENTS[name]?.(message.slice(from, to), book) ?? "");
    end = to;
  }
  return made + message.slice(end);
}
