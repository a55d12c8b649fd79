import { type Curve, delayAtStep } from "../backoff/curve.ts";
import { parseGoDuration } from "./go-duration.ts";

export type ObstacleKind = "node" | "scheduling" | "gates" | "network" | "attach" | "volume" | "devices" | "sandbox";

/**
 * Reasons of Warning events that can explain why no container of a pod starts, in v1.37.1. The rows without a source
 * are in pkg/kubelet/events/event.go.
 */
export const OBSTACLE_KINDS: ReadonlyMap<string, ObstacleKind> = new Map([
  // pkg/controller/util/node/controller_utils.go, MarkPodsNotReady
  ["NodeNotReady", "node"],
  ["NetworkNotReady", "network"],
  // pkg/controller/volume/attachdetach/reconciler, pkg/volume/util/operationexecutor
  ["FailedAttachVolume", "attach"],
  ["FailedMount", "volume"],
  ["FailedMapVolume", "volume"],
  ["FailedPrepareDynamicResources", "devices"],
  ["FailedCreatePodSandBox", "sandbox"],
]);

export function saysOnlyThatVolumesAreMissing(message: string): boolean {
  return message.startsWith("Unable to attach or mount volumes");
}

const MOUNT = /^\w+\.\w+ failed for volume "[^"]*" : (?<cause>.+)$/s;
const SANDBOX = /^Failed to create pod sandbox: (?<cause>.+)$/s;
const RPC = /^rpc error: code = \w+ desc = /;
/** The remarks on claims and on preemption at the end of the scheduler's message. */
const PREEMPTION = /(?:[.,] no new claims to deallocate)?[.,]? preemption: .*$/s;

/** From CRI-O (v1.34.0, internal/oci/runtime_oci.go). The cause can be a line from the log of runc. */
const CREATE = /^container create failed: (?<cause>.+)$/s;
const LOG_LINE = /^time="[^"]*" level=\w+ msg="(?<text>(?:[^"\\]|\\.)*)"\s*$/;
const RUNC = /^runc create failed: (?:unable to start container process: )?(?:error during container init: )?/;

/** The errors of `verifyRunAsNonRoot` (pkg/kubelet/kuberuntime/security_context_others.go, v1.37.1). */
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
 * Reads the 3.4s from the message of a Pulled event: `Successfully pulled image "x" in 1.2s (3.4s including waiting)…`
 * (pkg/kubelet/images/image_manager.go, v1.34.4). Reads the 1.2s if an older kubelet wrote no parentheses.
 */
export function pullTookMs(message: string): number | null {
  const took = /Successfully pulled image .* in ([\d.\w]*\w)(?: \(([\d.\w]*\w) including waiting\))?/.exec(message);
  return parseGoDuration(took?.[2] ?? took?.[1] ?? "");
}
