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
  // pkg/kubelet/images/types.go, v1.37.1, and cri-api v0.37.1, pkg/errors/errors.go
  ErrImagePull: "image-pull",
  ImagePullBackOff: "image-pull",
  RegistryUnavailable: "image-pull",
  SignatureValidationFailed: "image-pull",
  // pkg/kubelet/images/types.go, v1.37.1: errors before a pull, so without the back-off of pulls
  ImageInspectError: "start-failure",
  ErrImageNeverPull: "start-failure",
  InvalidImageName: "start-failure",
  // pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.37.1
  CreateContainerConfigError: "start-failure",
  CreateContainerError: "start-failure",
  PreCreateHookError: "start-failure",
  PreStartHookError: "start-failure",
  // container/sync_result.go and kuberuntime/kuberuntime_container.go in pkg/kubelet, v1.37.1
  RunContainerError: "failed-start-with-exit",
  PostStartHookError: "failed-start-with-exit",
  // pkg/kubelet/kubelet_pods.go, v1.37.1
  RestartingAllContainers: "restart-all",
  ContainerCreating: "pending",
  PodInitializing: "pending",
};

export function kindOfWaiting(reason: string | null): WaitingKind {
  if (reason === null) return "pending";
  if (Object.hasOwn(KINDS, reason)) return KINDS[reason] ?? "pending";
  return /Err|Fail|Invalid/.test(reason) ? "start-failure" : "pending";
}
