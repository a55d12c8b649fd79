import type { ContainerExplanation, Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { restartSpecOf } from "../../explain/history/restart-rules.ts";
import type { Observation, PodObservation } from "../../explain/observed/observation.ts";
import { likeliestEntry } from "../../explain/replay/beliefs.ts";
import { type ContainerFacts, factsOf } from "../../explain/replay/facts.ts";
import type { PolicyOverrides } from "../../explain/replay/policy.ts";
import { type CrashLoopPolicy, NEWEST_KNOWN_VERSION } from "../../kubelet/policy.ts";
import { parseKubeletVersion } from "../../kubelet/version.ts";
import type { WhatIf, WhatIfRow } from "../../render/simulation-what-if.ts";
import { type PresentContainer, project } from "../../simulate/projection.ts";
import type { RunSource, SimulatedRun } from "../../simulate/simulated-run.ts";
import { type NamedChanges, type NamedPolicy, policiesOf } from "../flags/simulation-configurations.ts";
import { explainedPolicy, policyInForce, seenRunsOf } from "./simulation-subject.ts";

/** The containers that were explained, under other configurations: those that have exited and restart. */
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
    const policies = otherPolicies(observed, pod, policy, configurations);
    return pod.containers.flatMap((container) => {
      const present = presentOf(container, observed, policy, explanation.atMs);
      if (present === null) return [];
      const rows = rowsOf(present, container, pod, policy, policies);
      return [{ namespace: pod.namespace, pod: pod.name, container: container.name, rows }];
    });
  });
}

function isSame({ pod }: PodObservation, { namespace, name, uid }: PodExplanation): boolean {
  return pod.uid === uid && pod.namespace === namespace && pod.name === name;
}

function otherPolicies(
  observed: PodObservation,
  { policy: explained }: PodExplanation,
  policy: CrashLoopPolicy,
  configurations: readonly NamedChanges[],
): NamedPolicy[] {
  const { kubeletVersion, basis } = explained;
  const version = (kubeletVersion === null ? null : parseKubeletVersion(kubeletVersion)) ?? NEWEST_KNOWN_VERSION;
  const syncFrequencyMs = observed.kubeletConfig?.syncFrequencyMs ?? null;
  const settings = { version, syncFrequencyMs, maxRestartPeriodMs: null, reducedDecay: false };
  return policiesOf("what-if", configurations, { name: "as-is", policy, kubeletVersion, basis }, settings);
}

function rowsOf(
  present: PresentContainer,
  { delayMs, nextRestart }: ContainerExplanation,
  pod: PodExplanation,
  policy: CrashLoopPolicy,
  policies: readonly NamedPolicy[],
): WhatIfRow[] {
  const now = project(present, policy);
  const nextStartMs = nextRestart === null ? null : ([nextRestart.notBeforeMs, nextRestart.likelyByMs] as const);
  const projected = now && { ...now, delayMs: delayMs ?? now.delayMs, nextStartMs };
  const asItIs = projected === null ? [] : [{ name: "as it is", policy: pod.policy, projection: projected }];
  const others = policies.flatMap(({ name, policy: other, kubeletVersion, basis }) => {
    const projection = project(present, other);
    return projection === null ? [] : [{ name, policy: explainedPolicy(other, kubeletVersion, basis), projection }];
  });
  return [...asItIs, ...others];
}

/** What a projection begins from; null for a container that does not restart, or of which too little is known. */
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

const RESTARTING = new Set(["backing-off", "restarting", "running"]);

/** The seen runs as they were; the others as long as half of the seen ones at most, and ended like the last. */
function runsOf(facts: ContainerFacts, nowMs: number): RunSource | null {
  const finished = facts.runs.filter(({ finishedAtMs, exit }) => finishedAtMs !== null && exit !== null);
  const seen = seenRunsOf(facts);
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

/** How many starts the entry has grown by; at the cap, all that there were, unless a reset is known. */
function startsSinceReset(facts: ContainerFacts, policy: CrashLoopPolicy): number {
  const entry = likeliestEntry(facts.beliefs)?.entry;
  if (entry === undefined) return facts.runs.at(-1)?.start ?? 0;
  const steps = Math.max(0, Math.ceil(Math.log2(entry.delayMs / policy.initialMs))) + 1;
  const isUnbroken = entry.delayMs >= policy.maxMs && facts.resets.length === 0;
  return isUnbroken ? Number.POSITIVE_INFINITY : steps;
}
