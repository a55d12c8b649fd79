import { SIGKILL_EXIT_CODE, SIGTERM_EXIT_CODE } from "../../kubelet/exit-codes.ts";
import { kindOfWaiting } from "../../kubelet/waiting-reasons.ts";
import { statusOf } from "../observed/lookups.ts";
import type { ContainerSpec, PodObservation } from "../observed/observation.ts";
import { hasRestartAllRule } from "./restart-rules.ts";
import type { ObservedRun } from "./runs.ts";

/**
 * Returns why the kubelet probably ended `run` because the container's spec changed, in words for the user; null if
 * nothing shows such a change. `next`: the run after `run`.
 */
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
 * Whether the container's restart policy is Never, without rules, so that the kubelet restarts it only after a change
 * of its spec: "restart regardless of the restart policy" (`computePodActions`,
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go, v1.34.4 and v1.37.1).
 */
function isNeverRestarted(spec: ContainerSpec, { pod }: PodObservation): boolean {
  const isPlain = spec.type === "app" && spec.restartPolicyRules.length === 0 && !hasRestartAllRule(pod);
  return isPlain && pod.restartPolicy === "Never" && (spec.restartPolicy ?? "Never") === "Never";
}

/** The exit codes of a program that is asked to stop. */
const STOPPED: readonly number[] = [0, SIGTERM_EXIT_CODE, SIGKILL_EXIT_CODE];

/**
 * Whether the run ended like a program that is asked to stop, and the image that the spec now names cannot be pulled
 * and is not the one that the run had. After a change of the image, the kubelet first stops the container.
 */
function lacksNewImage({ exit }: ObservedRun, spec: ContainerSpec, { pod }: PodObservation): boolean {
  const status = statusOf(pod, spec.name);
  if (exit === null || !STOPPED.includes(exit.exitCode) || status?.state?.kind !== "waiting") return false;
  if (kindOfWaiting(status.state.reason) !== "image-pull") return false;
  const [had, wants] = [tagged(status.image), tagged(spec.image)];
  return had !== null && wants !== null && had !== wants;
}

/**
 * Returns an image's name as container runtimes report it, without Docker Hub's domain and with its tag; null for an
 * ID or a digest, which runtimes also report instead of the name.
 */
function tagged(image: string | null): string | null {
  if (image === null || image === "" || image.startsWith("sha256:") || image.includes("@")) return null;
  const short = image.replace(/^docker\.io\//, "").replace(/^library\//, "");
  return /:[^/]*$/.test(short) ? short : `${short}:latest`;
}
