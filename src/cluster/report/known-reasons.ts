import type { NameBook } from "./name-book.ts";

/** The reasons that Kubernetes itself writes (v1.29 to v1.37) into statuses, conditions and the events of pods and nodes. */
const REASONS: ReadonlySet<string> = new Set(
  [
    // Containers: pkg/kubelet/container/sync_result.go, pkg/kubelet/images/types.go, pkg/kubelet/kubelet_pods.go
    "CrashLoopBackOff ErrImagePull ImagePullBackOff RegistryUnavailable SignatureValidationFailed ImageInspectError",
    "ErrImageNeverPull InvalidImageName CreateContainerConfigError CreateContainerError PreCreateHookError",
    "PreStartHookError RunContainerError PostStartHookError RestartingAllContainers ContainerCreating PodInitializing",
    "Completed Error OOMKilled StartError ContainerCannotRun ContainerStatusUnknown DeadlineExceeded",
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

/** A reason of Kubernetes' own as it is; any other may name a product, and says only whether it speaks of an error. */
export function anonymousReason(reason: string, book: NameBook): string {
  if (REASONS.has(reason)) return reason;
  const isError = /Err|Fail|Invalid/.test(reason);
  return book.replace("reason", reason, (number) => `${isError ? "OtherError" : "Other"}${number}`);
}
