import { SIGKILL_EXIT_CODE, SIGTERM_EXIT_CODE } from "../../kubelet/exit-codes.ts";
import { kindOfWaiting } from "../../kubelet/waiting-reasons.ts";
import { statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation, PodSnapshot } from "../observed/observation.ts";
import { hasRestartAllRule } from "./restart-rules.ts";
import type { ObservedRun } from "./runs.ts";

/**
 * A new pod has generation 1, and a change of its spec adds 1 (`updatePodGeneration`, v1.37.1,
 * pkg/registry/core/pod/strategy.go). The deletion can add 1, too (`BeforeDelete`, apiserver v0.37.1,
 * pkg/registry/rest/delete.go).
 */
export function specChangesOf({ generation, deletionAtMs }: PodSnapshot): number {
  return Math.max(0, (generation ?? 1) - 1 - (deletionAtMs === null ? 0 : 1));
}

export function signOfChange(
  run: ObservedRun,
  next: ObservedRun | undefined,
  spec: ContainerSpec,
  observed: PodObservation,
): string | null {
  if (next !== undefined)
    return isNeverRestarted(spec, observed) ? "nothing else restarts a container with restartPolicy Never" : null;
  return lacksNewImage(run, spec, observed) ? "it ran another image than the one that cannot be pulled" : null;
}

/**
 * Assumed: without restart rules, the kubelet restarts a container with restartPolicy Never only after a change of its
 * spec, then "regardless of the restart policy" (`computePodActions`, pkg/kubelet/kuberuntime/kuberuntime_manager.go,
 * v1.34.4 and v1.37.1).
 */
function isNeverRestarted(spec: ContainerSpec, { pod }: PodObservation): boolean {
  const isPlain = spec.type === "app" && spec.restartPolicyRules.length === 0 && !hasRestartAllRule(pod);
  return isPlain && pod.restartPolicy === "Never" && (spec.restartPolicy ?? "Never") === "Never";
}

const STOPPED_BY_KUBELET: readonly number[] = [0, SIGTERM_EXIT_CODE, SIGKILL_EXIT_CODE];

/**
 * The kubelet can stop a container with a changed image before it pulls the new image, but lets a regular init container
 * run on (`computeInitContainerActions`, pkg/kubelet/kuberuntime/kuberuntime_container.go, v1.34.4 and v1.37.1).
 */
function lacksNewImage({ exit }: ObservedRun, spec: ContainerSpec, { pod }: PodObservation): boolean {
  if (spec.type === "init") return false;
  const status = statusOf(pod, spec.name);
  if (exit === null || !STOPPED_BY_KUBELET.includes(exit.exitCode) || status?.state?.kind !== "waiting") return false;
  if (kindOfWaiting(status.state.reason) !== "image-pull") return false;
  const [had, wants] = [nameWithTag(status.image), nameWithTag(spec.image)];
  return had !== null && wants !== null && had !== wants;
}

function nameWithTag(image: string | null): string | null {
  if (image === null || image === "" || image.startsWith("sha256:") || image.includes("@")) return null;
  const short = image.replace(/^docker\.io\//, "").replace(/^library\//, "");
  return /:[^/]*$/.test(short) ? short : `${short}:latest`;
}
