/** Whether the kubelet starts a container again that has exited: always, after a failure, or never. */
export type RestartPolicy = "Always" | "OnFailure" | "Never";

/** sidecar: an init container with restartPolicy Always. */
export type ContainerType = "app" | "init" | "sidecar" | "ephemeral";

/** A container as the pod's spec describes it. */
export interface ContainerSpec {
  readonly name: string;
  readonly type: ContainerType;
  readonly image: string;
  readonly imagePullPolicy: string | null;
  /** The container's own restart policy, where it has one (ContainerRestartRules; Always on sidecars). */
  readonly restartPolicy: RestartPolicy | null;
  readonly restartPolicyRules: readonly RestartRule[];
  readonly livenessProbe: Probe | null;
  readonly startupProbe: Probe | null;
  readonly hasPostStart: boolean;
}

/** `restartPolicyRules[]`: the first rule whose exit codes match decides. */
export interface RestartRule {
  readonly action: "Restart" | "RestartAllContainers";
  readonly operator: "In" | "NotIn";
  readonly exitCodes: readonly number[];
}

/** A probe with the API's defaults filled in. */
export interface Probe {
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly failureThreshold: number;
  /** The probe's own grace period, where it overrides the pod's. */
  readonly gracePeriodMs: number | null;
}

/** A container as the pod's status reports it. */
export interface ContainerStatus {
  readonly name: string;
  readonly restartCount: number;
  /** The id of the instance that `state` is about; null if there is none yet. */
  readonly containerID: string | null;
  readonly imageID: string | null;
  readonly started: boolean | null;
  readonly ready: boolean;
  readonly state: ContainerState | null;
  /** The instance before, as far as the kubelet still reports it; on ≥ 1.36 it may be the same instance as `state`. */
  readonly lastState: TerminatedState | null;
}

/** What a container is doing, as the status says it: exactly one of three. */
export type ContainerState = WaitingState | RunningState | TerminatedState;

/** No instance runs, and the reason is not an exit that is reported here. */
export interface WaitingState {
  readonly kind: "waiting";
  readonly reason: string | null;
  readonly message: string | null;
}

/** An instance runs. */
export interface RunningState {
  readonly kind: "running";
  readonly startedAtMs: number | null;
}

/** How one instance ended. */
export interface TerminatedState {
  readonly kind: "terminated";
  readonly exitCode: number;
  readonly signal: number | null;
  readonly reason: string | null;
  readonly message: string | null;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly containerID: string | null;
}
