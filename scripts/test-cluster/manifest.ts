import type { Scenario } from "./scenarios.ts";

/** A scenario on a node: one pod. */
export interface PlannedPod {
  readonly name: string;
  readonly node: string;
  readonly scenario: Scenario;
}

/** The pods of a run, scenario by scenario. */
export function plannedPods(scenarios: readonly Scenario[], nodes: readonly string[]): PlannedPod[] {
  return scenarios.flatMap((scenario) => nodes.map((node) => ({ name: `${scenario.name}-${node}`, node, scenario })));
}

/** What every pod has: it needs no scheduler, no network of its own, no registry, and no rights. */
const SHARED = {
  hostNetwork: true,
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  tolerations: [{ operator: "Exists" }],
};

/** The manifest of a pod, pinned to its node. */
export function manifestOf({ name, node, scenario }: PlannedPod, namespace: string): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { scenario: scenario.name } },
    spec: { ...SHARED, nodeName: node, ...scenario.spec },
  };
}
