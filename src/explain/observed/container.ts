import type { ContainerType, RestartPolicy, RestartRule } from "../../kubelet/restart-policy.ts";

export interface ContainerSpec {
  readonly name: string;
  readonly type: ContainerType;
  readonly image: string;
  readonly imagePullPolicy: string | null;
  /** The policy in the container's own spec, not that of the pod. */
  readonly restartPolicy: RestartPolicy | null;
  readonly restartPolicyRules: readonly RestartRule[];
  readonly livenessProbe: Probe | null;
  readonly startupProbe: Probe | null;
  readonly readinessProbe: Probe | null;
  readonly hasPostStart: boolean;
  /** The spec's `command` and `args`, at most 500 characters; left out if the spec sets no `command`. */
  readonly command?: string;
  /** Set only if the spec sets no `command`. */
  readonly args?: string;
  readonly memoryLimit: string | null;
  readonly cpuLimit?: string;
  readonly variables?: readonly Variable[];
  readonly variableSources?: readonly ConfigSource[];
  readonly mounts?: readonly Mount[];
  /** The distinct ConfigMaps and Secrets of `env` and `envFrom`. */
  readonly sources?: readonly ConfigSource[];
  /** Set if the pod's spec lacks the container. The container's settings are then unknown. */
  readonly isFromStatus?: true;
}

export interface ConfigSource {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly isOptional: boolean;
}

export interface Variable {
  readonly name: string;
  /** May be secret. */
  readonly value: string | null;
  /** E.g. "secret db key password". */
  readonly source: string | null;
}

export interface Mount {
  readonly volume: string;
  readonly path: string;
  readonly isReadOnly: boolean;
}

export interface Probe {
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly failureThreshold: number;
  /** The probe's own grace period; null if the pod's grace period applies. */
  readonly gracePeriodMs: number | null;
  /** E.g. "GET :8080/healthz", "TCP :5432", "cat /tmp/healthy". */
  readonly request?: string;
}

export interface ContainerStatus {
  readonly name: string;
  readonly restartCount: number;
  readonly containerID: string | null;
  readonly image: string | null;
  readonly imageID: string | null;
  readonly started: boolean | null;
  readonly ready: boolean;
  readonly state: ContainerState | null;
  /** Can be the same instance as `state`. */
  readonly lastState: TerminatedState | null;
}

export type ContainerState =
  | { readonly kind: "waiting"; readonly reason: string | null; readonly message: string | null }
  | { readonly kind: "running"; readonly startedAtMs: number | null }
  | TerminatedState;

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
