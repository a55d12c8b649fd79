import { type Curve, delayAtStep } from "../backoff/curve.ts";
import { parseGoDuration } from "./go-duration.ts";

/** What a pod has to get past before any of its containers can be started. */
export type ObstacleKind = "node" | "scheduling" | "gates" | "network" | "attach" | "volume" | "devices" | "sandbox";

/**
 * Reasons of the Warning events about a whole pod that say why nothing in it starts, in Kubernetes v1.37.1: those of the kubelet
 * in pkg/kubelet/events/event.go, sent in `syncPod` (pkg/kubelet/kubelet.go), by the volume manager
 * (pkg/volume/util/operationexecutor) and in `SyncPod` (pkg/kubelet/kuberuntime/kuberuntime_manager.go).
 */
const KINDS: ReadonlyMap<string, ObstacleKind> = new Map([
  // node lifecycle controller: pkg/controller/util/node/controller_utils.go, MarkPodsNotReady
  ["NodeNotReady", "node"],
  ["NetworkNotReady", "network"],
  // attach/detach controller: pkg/controller/volume/attachdetach/reconciler
  ["FailedAttachVolume", "attach"],
  ["FailedMount", "volume"],
  ["FailedMapVolume", "volume"],
  ["FailedPrepareDynamicResources", "devices"],
  ["FailedCreatePodSandBox", "sandbox"],
]);

/** The obstacle that a pod's Warning event is about; null for any other event. */
export function obstacleKindOf(reason: string): ObstacleKind | null {
  return KINDS.get(reason) ?? null;
}

/** From the sync that waited for the volumes, which knows only that they are not mounted; the mount's own event says why. */
export function saysOnlyThatVolumesAreMissing(message: string): boolean {
  return message.startsWith("Unable to attach or mount volumes");
}

const MOUNT = /^\w+\.\w+ failed for volume "[^"]*" : (?<cause>.+)$/s;
const SANDBOX = /^Failed to create pod sandbox: (?<cause>.+)$/s;
const RPC = /^rpc error: code = \w+ desc = /;
/** The scheduler's second thought, after the nodes that do not fit. */
const PREEMPTION = /(?:[.,] no new claims to deallocate)?[.,]? preemption: .*$/s;

/** What CRI-O says of a container that runc or crun could not create, in its v1.34.0: the line that the runtime logged. */
const CREATE = /^container create failed: (?<cause>.+)$/s;
/** A line of runc's log, whose time differs at every attempt. */
const LOG_LINE = /^time="[^"]*" level=\w+ msg="(?<text>(?:[^"\\]|\\.)*)"\s*$/;
const RUNC = /^runc create failed: (?:unable to start container process: )?(?:error during container init: )?/;

/** What went wrong, without what the reason of the event says anyway. */
export function causeIn(message: string): string {
  const created = CREATE.exec(message)?.groups?.["cause"];
  if (created !== undefined) return loggedText(created).replace(RUNC, "");
  const cause = (MOUNT.exec(message) ?? SANDBOX.exec(message))?.groups?.["cause"] ?? message;
  return cause.replace(RPC, "").replace(PREEMPTION, "");
}

function loggedText(line: string): string {
  return LOG_LINE.exec(line)?.groups?.["text"]?.replaceAll(/\\(.)/g, "$1") ?? line;
}

/** `initialDurationBeforeRetry` of pkg/util/goroutinemap/exponentialbackoff, v1.37.1. */
const FIRST_MOUNT_DELAY_MS = 500;
/** `maxDurationBeforeRetry` there. */
export const LONGEST_MOUNT_DELAY_MS = 122_000;

/** How long the kubelet leaves a volume alone after its `failures`th failed mount. */
export function mountDelayMs(failures: number): number {
  return Math.min(FIRST_MOUNT_DELAY_MS * 2 ** (failures - 1), LONGEST_MOUNT_DELAY_MS);
}

/**
 * The back-off of image pulls, of its own and untouched by the gates of the container back-off: `MaxImageBackOff` and
 * `imageBackOffPeriod`, pkg/kubelet/kubelet.go, v1.34.4 and v1.37.1.
 */
const IMAGE_PULL_CURVE: Curve = { initialMs: 10_000, maxMs: 300_000 };

/** The delay after the n-th failed pull in a row (n ≥ 1). */
export function delayAfterPulls(failedPulls: number): number {
  return delayAtStep(Math.max(failedPulls - 1, 0), IMAGE_PULL_CURVE);
}

/**
 * How long a pull took with the pulls that it waited for, as the event Pulled has it: `Successfully pulled image "x" in 1.2s
 * (3.4s including waiting).` (pkg/kubelet/images/image_manager.go, v1.34.4; before v1.27 without the brackets). Null if it says
 * nothing of that, because the image was there already.
 */
export function pullTookMs(message: string): number | null {
  const took = /Successfully pulled image .* in ([\d.\w]*\w)(?: \(([\d.\w]*\w) including waiting\))?/.exec(message);
  return parseGoDuration(took?.[2] ?? took?.[1] ?? "");
}
