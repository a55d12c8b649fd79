export type WaitingKind =
  | "crash-loop"
  | "image-pull"
  | "start-failure"
  | "failed-start-with-exit"
  | "restart-all"
  | "pending";

const KINDS: Readonly<Record<string, WaitingKind>> = {
  // pkg/kubelet/container/sync_result.go, v1.37.1
  CrashLoopBackOff: "crash-loop",
  // pkg/kubelet/images/types.go, v1.37.1, and cri-api v0.37.1, pkg/errors/errors.go: image pulls have a back-off of
  // their own
  ErrImagePull: "image-pull",
  ImagePullBackOff: "image-pull",
  RegistryUnavailable: "image-pull",
  SignatureValidationFailed: "image-pull",
  // pkg/kubelet/images/types.go, v1.34.4 and v1.37.1: before a pull (`imagePullPrecheck`), and so without its back-off
  ImageInspectError: "start-failure",
  ErrImageNeverPull: "start-failure",
  InvalidImageName: "start-failure",
  // pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1
  CreateContainerConfigError: "start-failure",
  CreateContainerError: "start-failure",
  PreCreateHookError: "start-failure",
  PreStartHookError: "start-failure",
  // pkg/kubelet: container/sync_result.go and kuberuntime/kuberuntime_container.go, v1.37.1: the failed instance may
  // leave an exit record
  RunContainerError: "failed-start-with-exit",
  PostStartHookError: "failed-start-with-exit",
  // pkg/kubelet/kubelet_pods.go; RestartingAllContainers since v1.35
  RestartingAllContainers: "restart-all",
  ContainerCreating: "pending",
  PodInitializing: "pending",
};

export function kindOfWaiting(reason: string | null): WaitingKind {
  if (reason === null) return "pending";
  if (Object.hasOwn(KINDS, reason)) return KINDS[reason] ?? "pending";
  return /Err|Fail|Invalid/.test(reason) ? "start-failure" : "pending";
}
