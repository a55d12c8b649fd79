import type { ContainerExplanation, Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { restartSpecOf } from "../../explain/history/restart-rules.ts";
import type { Observation, PodObservation } from "../../explain/observed/observation.ts";
import { likeliestEntry } from "../../explain/replay/beliefs.ts";
import { type ContainerFacts, factsOf } from "../../explain/replay/facts.ts";
import type { PolicyOverrides } from "../../explain/replay/policy.ts";
import type { CrashLoopPolicy } from "../../kubelet/policy.ts";
import { NEWEST_KNOWN_VERSION, parseKubeletVersion } from "../../kubelet/versions.ts";
import type { WhatIf, WhatIfRow } from "../../render/simulation-what-if.ts";
import { type PresentContainer, project } from "../../simulate/projection.ts";
import type { RunSource, SimulatedRun } from "../../simulate/simulated-run.ts";
import { type NamedChanges, type NamedPolicy, policiesOf } from "../flags/simulation-configurations.ts";
import { observedRuns, policyInForce } from "./simulation-subject.ts";

export function whatIfOf(
  observation: Observation,
  explanation: Explanation,
  configurations: readonly NamedChanges[],
  overrides: PolicyOverrides,
): WhatIf[] {
  return explanation.pods.flatMap((pod) => {
    const observed = observation.pods.find((candidate) => isSame(candidate, pod));
    if (observed === undefined) return [];
    const policy = policyInForce(observed, pod.policy, overrides, explanation);
    const version = parseKubeletVersion(pod.policy.kubeletVersion ?? "") ?? NEWEST_KNOWN_VERSION;
    const syncFrequencyMs = observed.kubeletConfig?.syncFrequencyMs ?? null;
    const settings = { version, syncFrequencyMs, maxRestartPeriodMs: null, reducedDecay: false };
    const asIs = { policy, explained: { ...pod.policy, retry: policy.retry.kind } };
    const policies = policiesOf("what-if", configurations, asIs, settings);
    return pod.containers.flatMap((container) => {
      const present = presentOf(container, observed, policy, explanation.atMs);
      if (present === null) return [];
      const now = { name: "as it is", policy, explained: pod.policy };
      const rows = [...rowOf(present, now, container), ...policies.flatMap((other) => rowOf(present, other))];
      return [{ namespace: pod.namespace, pod: pod.name, container: container.name, rows }];
    });
  });
}

function isSame({ pod }: PodObservation, { namespace, name, uid }: PodExplanation): boolean {
  return pod.uid === uid && pod.namespace === namespace && pod.name === name;
}

/** Returns the row of one policy. For the policy in force, takes the delay and the next start from `container`. */
function rowOf(
  present: PresentContainer,
  { name, policy, explained }: NamedPolicy,
  container?: ContainerExplanation,
): WhatIfRow[] {
  const projection = project(present, policy);
  if (projection === null) return [];
  if (container === undefined) return [{ name, policy: explained, projection }];
  const { delayMs, nextRestart } = container;
  const nextStartMs = nextRestart && ([nextRestart.notBeforeMs, nextRestart.likelyByMs] as const);
  const known = { ...projection, delayMs: delayMs ?? projection.delayMs, nextStartMs };
  return [{ name, policy: explained, projection: known }];
}

const RESTARTING = new Set(["backing-off", "restarting", "running"]);

/** Returns null if the container will not restart, or if too little is known of its runs. */
function presentOf(
  container: ContainerExplanation,
  observed: PodObservation,
  policy: CrashLoopPolicy,
  nowMs: number,
): PresentContainer | null {
  const spec = observed.pod.containers.find(({ name }) => name === container.name);
  if (spec === undefined || !RESTARTING.has(container.state)) return null;
  const facts = factsOf(spec, observed, policy);
  const newest = facts.runs.at(-1);
  const runOf = runsOf(facts, nowMs);
  if (newest === undefined || runOf === null) return null;
  const { start, finishedAtMs } = newest;
  const startedAtMs = newest.startedAtMs ?? finishedAtMs ?? nowMs;
  const sinceStart = Math.max(0, start - startsSinceReset(facts, policy));
  return { nowMs, start, sinceStart, startedAtMs, finishedAtMs, runOf, restart: restartSpecOf(spec, observed.pod) };
}

/**
 * Returns the container's runs, for a simulation. A run that was not observed gets the median length of the observed runs and
 * the exit of the last one. Null if no run has ended yet.
 */
function runsOf(facts: ContainerFacts, nowMs: number): RunSource | null {
  const finished = facts.runs.filter(({ finishedAtMs, exit }) => finishedAtMs !== null && exit !== null);
  const seen = observedRuns(facts);
  const usual = usualRun(seen);
  if (usual === null) return null;
  const byStart = new Map(finished.map(({ start }, index) => [start, seen[index] ?? usual]));
  const present = facts.runs.at(-1);
  if (present !== undefined && present.finishedAtMs === null) {
    const ranMs = nowMs - (present.startedAtMs ?? nowMs);
    byStart.set(present.start, { ...usual, ranMs: Math.max(ranMs, usual.ranMs) });
  }
  return (start) => byStart.get(start) ?? usual;
}

function usualRun(seen: readonly SimulatedRun[]): SimulatedRun | null {
  const last = seen.at(-1);
  const lengths = seen.map(({ ranMs }) => ranMs).sort((a, b) => a - b);
  const median = lengths[Math.floor((lengths.length - 1) / 2)];
  return last === undefined || median === undefined ? null : { ...last, ranMs: median };
}

/** Returns how many starts have increased the delay since its reset. Infinity at the maximum without a known reset. */
function startsSinceReset(facts: ContainerFacts, policy: CrashLoopPolicy): number {
  const entry = likeliestEntry(facts.beliefs)?.entry;
  if (entry === undefined) return facts.runs.at(-1)?.start ?? 0;
  const steps = Math.max(0, Math.ceil(Math.log2(entry.delayMs / policy.initialMs))) + 1;
  const isUnbroken = entry.delayMs >= policy.maxMs && facts.resets.length === 0;
  return isUnbroken ? Number.POSITIVE_INFINITY : steps;
}
