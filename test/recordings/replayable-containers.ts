import { eventOf, podOf } from "../../lab/recordings/recorded-moment.ts";
import type { Intervention, Recording } from "../../lab/recordings/recordings.ts";
import { type RecordedContainer, recordedContainersOf } from "../../scripts/calibration/instances.ts";
import { toKubeletConfig, toNodeSnapshot } from "../../src/cluster/objects/node.ts";
import { kubeletRestarts } from "../../src/explain/history/resets.ts";
import { type ObservedRun, observedRuns } from "../../src/explain/history/runs.ts";
import type { ContainerSpec, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { type CrashLoopPolicy, crashLoopPolicy } from "../../src/kubelet/crash-loop-policy.ts";
import { parseKubeletVersion } from "../../src/kubelet/versions.ts";
import type { RunEnd } from "../../src/simulate/simulated-run.ts";
import type { Recorded } from "./recorded.ts";

export interface ReplayableContainer {
  readonly name: string;
  readonly node: string;
  readonly spec: ContainerSpec;
  readonly pod: PodSnapshot;
  readonly policy: CrashLoopPolicy;
  readonly runs: readonly ObservedRun[];
  readonly ending: RunEnd;
  /**
   * When the kubelet first lost the back-off: at its restart, or at a change of the image. Infinity if neither
   * happened.
   */
  readonly lostAtMs: number;
  /** By containerID of a run: the delay that the kubelet's message named after that run. */
  readonly saidDelaysMs: ReadonlyMap<string, number>;
}

/** Leaves out `rules-restart-all`, because the kubelet does not back off before a restart of all containers. */
export function replayableContainers({ recordings, known }: Recorded): ReplayableContainer[] {
  return recordings
    .filter(({ pod }) => pod !== "rules-restart-all")
    .flatMap((recording) => containersOf(recording, known))
    .filter(({ runs }) => runs.length >= 2);
}

function containersOf(recording: Recording, done: readonly Intervention[]): ReplayableContainer[] {
  const versions = recording.lines.filter(({ kind }) => kind === "Pod").map(podOf);
  const policy = policyOf(recording);
  const lostAtMs = firstLossOf(recording, done);
  const recorded = recordedContainersOf(recording);
  return [...Map.groupBy(versions, ({ uid }) => uid).values()].flatMap((snapshots, index) => {
    const [pod] = snapshots.slice(-1);
    if (pod === undefined) return [];
    const path = `${recording.node}/${recording.pod}${index === 0 ? "" : ` (${index + 1})`}`;
    return pod.containers.map((spec) => ({
      name: `${path} ${spec.name}`,
      node: recording.node,
      ...{ spec, pod, policy, lostAtMs },
      runs: observedRuns(spec.name, snapshots),
      ending: endingOf(recording.pod),
      saidDelaysMs: saidDelaysMs(recorded, pod.uid, spec.name),
    }));
  });
}

function policyOf({ nodeRaw, configzRaw }: Recording): CrashLoopPolicy {
  const config = toKubeletConfig(configzRaw);
  const version = parseKubeletVersion(toNodeSnapshot(nodeRaw).kubeletVersion ?? "");
  if (config === null || version === null) throw new Error("The recording's node is not known.");
  return crashLoopPolicy({ version, ...config });
}

function firstLossOf({ node, pod, nodeEventLines }: Recording, done: readonly Intervention[]): number {
  const changed = done.filter((one) => one.node === node && one.pod === pod && one.what === "the image was changed");
  const stopped = done.find((one) => one.node === node && one.pod === null);
  const restarts = kubeletRestarts(nodeEventLines.map(eventOf));
  const restarted = restarts.filter((atMs) => stopped !== undefined && atMs >= stopped.atMs);
  return Math.min(...changed.map(({ atMs }) => atMs), ...restarted);
}

function endingOf(scenario: string): RunEnd {
  if (scenario.startsWith("liveness-")) return "liveness-probe";
  if (scenario.startsWith("startup-")) return "startup-probe";
  return scenario.startsWith("poststart-") ? "post-start-hook" : "exited";
}

function saidDelaysMs(recorded: readonly RecordedContainer[], uid: string | null, name: string): Map<string, number> {
  const container = recorded.find((candidate) => candidate.uid === uid && candidate.name === name);
  const said = (container?.instances ?? []).flatMap(({ id, delayMs }) =>
    delayMs === null ? [] : [[id, delayMs] as const],
  );
  return new Map(said);
}
