import type { KubeletConfig, PodObservation } from "../../explain/observed/observation.ts";
import { enterOwners } from "./anonymous-names.ts";
import { anonymousEvent, anonymousNode } from "./anonymous-node.ts";
import { anonymousOwners } from "./anonymous-owners.ts";
import { anonymousPod } from "./anonymous-pod.ts";
import type { NameBook } from "./name-book.ts";

/**
 * Everything that was seen of a pod, as it bears on its restarts and no further: names are replaced by made-up ones wherever
 * they occur, texts that somebody wrote are removed. Instants, counts, exit codes, probes and versions stay: the model
 * reads them. Of the node's events only those that the model reads stay.
 */
export function anonymousObservation(observed: PodObservation, book: NameBook): PodObservation {
  const { owners } = observed;
  if (owners !== undefined) enterOwners(owners, book);
  const pod = anonymousPod(observed.pod, book);
  const nodeEvents = observed.nodeEvents.filter(({ reason }) => reason === "Starting");
  return {
    pod,
    earlier: observed.earlier.map((version) => anonymousPod(version, book)),
    events: observed.events.map((event) => anonymousEvent(event, book)),
    node: observed.node === null ? null : anonymousNode(observed.node, book),
    nodeEvents: nodeEvents.map((event) => anonymousEvent(event, book)),
    kubeletConfig: observed.kubeletConfig === null ? null : anonymousConfig(observed.kubeletConfig),
    missing: observed.missing,
    ...(owners !== undefined && { owners: anonymousOwners(owners, book) }),
  };
}

function anonymousConfig({ maxContainerRestartPeriodMs, featureGates, syncFrequencyMs }: KubeletConfig): KubeletConfig {
  const gates = Object.entries(featureGates).filter(([name]) => RESTART_GATES.includes(name));
  return { maxContainerRestartPeriodMs, featureGates: Object.fromEntries(gates), syncFrequencyMs };
}

/** The gates that the model reads: src/kubelet/traits.ts. */
const RESTART_GATES: readonly string[] = [
  "KubeletCrashLoopBackOffMax",
  "ReduceDefaultCrashLoopBackOffDecay",
  "ContainerRestartRules",
  "RestartAllContainersOnContainerExits",
  "AllAlpha",
  "AllBeta",
];
