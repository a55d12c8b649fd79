import { type Curve, delayAtStep } from "../backoff/curve.ts";
import { parseGoDuration } from "./go-duration.ts";

export type ObstacleKind = "node" | "scheduling" | "gates" | "network" | "attach" | "volume" | "devices" | "sandbox";

/**
 * Reasons of Warning events that explain why no container of a pod starts, in Kubernetes v1.37.1. Rows without a source
 * are the kubelet's (pkg/kubelet/events/event.go): its `SyncPod` (pkg/kubelet/kubelet.go), its volume manager
 * (pkg/volume/util/operationexecutor) and the runtime manager's `SyncPod`
 * (pkg/kubelet/kuberuntime/kuberuntime_manager.go) send these events.
 */
export const OBSTACLE_KINDS: ReadonlyMap<string, ObstacleKind> = new Map([
  // node lifecycle controller: pkg/controller/util/node/controller_utils.go, MarkPodsNotReady
  ["NodeNotReady", "node"],
  ["NetworkNotReady", "network"],
  // attach/detach controller: pkg/controller/volume/attachdetach/reconciler, pkg/volume/util/operationexecutor
  ["FailedAttachVolume", "attach"],
  ["FailedMount", "volume"],
  ["FailedMapVolume", "volume"],
  ["FailedPrepareDynamicResources", "devices"],
  ["FailedCreatePodSandBox", "sandbox"],
]);

/** The kubelet reports the cause in another event, about the failed mount. */
export function saysOnlyThatVolumesAreMissing(message: string): boolean {
  return message.startsWith("Unable to attach or mount volumes");
}

const MOUNT = /^\w+\.\w+ failed for volume "[^"]*" : (?<cause>.+)$/s;
const SANDBOX = /^Failed to create pod sandbox: (?<cause>.+)$/s;
const RPC = /^rpc error: code = \w+ desc = /;
/** The end of the scheduler's message: a remark on preemption after the reasons why no node fits. */
const PREEMPTION = /(?:[.,] no new claims to deallocate)?[.,]? preemption: .*$/s;

/** CRI-O v1.34.0 begins a message like this if runc or crun could not create the container, and quotes their log. */
const CREATE = /^container create failed: (?<cause>.+)$/s;
const LOG_LINE = /^time="[^"]*" level=\w+ msg="(?<text>(?:[^"\\]|\\.)*)"\s*$/;
const RUNC = /^runc create failed: (?:unable to start container process: )?(?:error during container init: )?/;

/**
 * The message with which the kubelet refuses to run a container as root (`verifyRunAsNonRoot`,
 * pkg/kubelet/kuberuntime/security_context_others.go). It ends with the names of the pod and the container.
 */
const ROOT_REFUSED = /^(?<cause>container.+(?:runAsNonRoot|non-root).*) \(pod: "[^"]*", container: [^)]*\)$/s;

export function isRootRefused(message: string): boolean {
  return ROOT_REFUSED.test(message);
}

export function causeIn(message: string): string {
  const created = CREATE.exec(message)?.groups?.["cause"];
  if (created !== undefined) {
    const logged = LOG_LINE.exec(created)?.groups?.["text"]?.replaceAll(/\\(.)/g, "$1");
    return (logged ?? created).replace(RUNC, "");
  }
  const cause =
    (MOUNT.exec(message) ?? SANDBOX.exec(message) ?? ROOT_REFUSED.exec(message))?.groups?.["cause"] ?? message;
  return cause.replace(RPC, "").replace(PREEMPTION, "");
}

/** The delays before the kubelet tries a mount again (pkg/util/goroutinemap/exponentialbackoff, v1.37.1). */
export const MOUNT_CURVE: Curve = { initialMs: 500, maxMs: 122_000 };

/**
 * `imageBackOffPeriod` and `MaxImageBackOff` (pkg/kubelet/kubelet.go, v1.34.4 and v1.37.1). The feature gates for the
 * back-off of containers do not change the back-off of image pulls.
 */
const IMAGE_PULL_CURVE: Curve = { initialMs: 10_000, maxMs: 300_000 };

export function delayAfterPulls(failedPulls: number): number {
  return delayAtStep(Math.max(failedPulls - 1, 0), IMAGE_PULL_CURVE);
}

/**
 * Reads the duration of an image pull, including the wait for other pulls, from the message of a Pulled event:
 * `Successfully pulled image "x" in 1.2s (3.4s including waiting).` (pkg/kubelet/images/image_manager.go, v1.34.4;
 * before v1.27 without the parentheses). Null for another message, e.g. if the image was on the node.
 */
export function pullTookMs(message: string): number | null {
  const took = /Successfully pulled image .* in ([\d.\w]*\w)(?: \(([\d.\w]*\w) including waiting\))?/.exec(message);
  return parseGoDuration(took?.[2] ?? took?.[1] ?? "");
}
