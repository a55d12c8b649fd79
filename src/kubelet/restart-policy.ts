import type { KubeletTraits } from "./traits.ts";

/** Pod or container `restartPolicy`. */
export type RestartPolicyName = "Always" | "OnFailure" | "Never";

/** The part of a pod and container spec that decides about restarts. */
export interface RestartSpec {
  readonly type: "app" | "init" | "sidecar" | "ephemeral";
  readonly podPolicy: RestartPolicyName;
  readonly containerPolicy: RestartPolicyName | null;
  readonly rules: readonly {
    readonly action: "Restart" | "RestartAllContainers";
    readonly operator: "In" | "NotIn";
    readonly exitCodes: readonly number[];
  }[];
}

/** What the kubelet does after an exit: restart the container, restart all of the pod's, or leave it down. */
export type RestartDecision = "restart" | "restart-all" | "stay-down";

/**
 * How long RestartAllContainers takes from the exit to the next starts, where containers stop when asked. Measured on v1.37.1:
 * 2 to 4 s in 202 of 203 cases, 3 s in most of them, 6 s once.
 */
export const RESTART_ALL = { usualMs: 3_000, latestMs: 6_000 } as const;

/** The part of a kubelet's traits that decides about restarts. */
export type RestartTraits = Pick<KubeletTraits, "hasRestartRules" | "hasRestartAll">;

/**
 * Mirrors `ShouldContainerBeRestarted` and the restart rules (pkg/kubelet/container/helpers.go, v1.34.4 and v1.37.1): rules
 * first, then the policy in force, as far as the kubelet knows them. Kills by a probe use the policy only. Init containers
 * run to success.
 */
export function decideRestart(
  spec: RestartSpec,
  exitCode: number,
  killedByProbe: boolean,
  traits: RestartTraits,
): RestartDecision {
  if (spec.type === "ephemeral") return "stay-down";
  const rules = killedByProbe ? [] : knownRules(spec, traits);
  const rule = rules.find((candidate) => matches(candidate, exitCode));
  if (rule !== undefined) return rule.action === "Restart" ? "restart" : "restart-all";
  if (spec.type === "sidecar") return "restart";
  const policy = restartPolicyInForce(spec, traits);
  if (policy === "Never") return "stay-down";
  // The sync that kills it has no exit code to ask for (`computePodActions`): any policy but Never restarts it.
  if (killedByProbe) return "restart";
  if (exitCode !== 0) return "restart";
  return policy === "Always" && spec.type === "app" ? "restart" : "stay-down";
}

/** The exits after which a container starts again; any: whatever its code, as far as no rule says otherwise. */
export type RestartingExits = "any" | "failures" | "none";

/** Which exits restart a container that runs. */
export function restartingExits(spec: RestartSpec, traits: RestartTraits): RestartingExits {
  if (spec.type === "ephemeral") return "none";
  if (knownRules(spec, traits).length > 0 || decideRestart(spec, 0, false, traits) === "restart") return "any";
  return decideRestart(spec, 1, false, traits) === "restart" ? "failures" : "none";
}

/** The container's own policy before the pod's; of others than sidecars only newer kubelets know one. */
export function restartPolicyInForce(
  { type, podPolicy, containerPolicy }: RestartSpec,
  traits: RestartTraits,
): RestartPolicyName {
  return (traits.hasRestartRules || type === "sidecar" ? containerPolicy : null) ?? podPolicy;
}

function knownRules({ rules }: RestartSpec, { hasRestartRules, hasRestartAll }: RestartTraits): RestartSpec["rules"] {
  return rules.filter(({ action }) => (action === "Restart" ? hasRestartRules : hasRestartAll));
}

function matches(rule: RestartSpec["rules"][number], exitCode: number): boolean {
  return rule.exitCodes.includes(exitCode) === (rule.operator === "In");
}
