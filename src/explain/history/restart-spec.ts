import type { RestartSpec } from "../../kubelet/restart-policy.ts";
import type { ContainerSpec, PodSnapshot } from "../observed/observation.ts";

/** What decides whether this container of the pod restarts. */
export function restartSpecOf(spec: ContainerSpec, pod: PodSnapshot): RestartSpec {
  const { type, restartPolicy: containerPolicy, restartPolicyRules: rules } = spec;
  return { type, podPolicy: pod.restartPolicy, containerPolicy, rules };
}
