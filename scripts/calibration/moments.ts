import type { Intervention, RecordedLine, Recording } from "../../lab/recordings/recordings.ts";
import { at, textOf } from "../../src/cluster/objects/json-access.ts";
import { type Instance, type RecordedContainer, recordedContainersOf } from "./instances.ts";

export interface Wait {
  readonly recording: Recording;
  readonly container: RecordedContainer;
  readonly exitedId: string;
  readonly exitSeenAtMs: number;
  readonly nextStartedAtMs: number;
  readonly delayMs: number | null;
}

export interface Moment {
  readonly wait: Wait;
  readonly atMs: number;
}

const SHORTEST_WAIT_MS = 3000;
const SHARES = [0.02, 0.3, 0.6, 0.9];
const AFTER_MS = 300;
/** The API cuts timestamps to the second, so the true start is up to a second later. */
const GRANULARITY_MS = 1000;

/** Waits that are long enough to ask for a prediction during the wait, and whose end is known. */
export function waitsOf(
  recording: Recording,
  startOf: (instance: Instance) => number | null = ({ startedAtMs }) => startedAtMs,
): Wait[] {
  return recordedContainersOf(recording).flatMap((container) =>
    container.instances.flatMap(({ id: exitedId, exitSeenAtMs, delayMs }, index) => {
      const next = container.instances[index + 1];
      const nextStartedAtMs = next === undefined ? null : startOf(next);
      if (exitSeenAtMs === null || nextStartedAtMs === null) return [];
      if (nextStartedAtMs - exitSeenAtMs <= SHORTEST_WAIT_MS) return [];
      return [{ recording, container, exitedId, exitSeenAtMs, nextStartedAtMs, delayMs }];
    }),
  );
}

export function momentsOf(wait: Wait, interventions: readonly Intervention[]): Moment[] {
  const { exitSeenAtMs, nextStartedAtMs } = wait;
  return SHARES.map((share) => exitSeenAtMs + share * (nextStartedAtMs - exitSeenAtMs) + AFTER_MS)
    .map((atMs) => ({ wait, atMs }))
    .filter(({ atMs }) => isForeseeable(wait, atMs, interventions));
}

/**
 * Returns false if, at `atMs`, the API server did not show yet an intervention that came before the end of the wait.
 */
export function isForeseeable(
  wait: Pick<Wait, "recording" | "nextStartedAtMs">,
  atMs: number,
  interventions: readonly Intervention[],
): boolean {
  const { nextStartedAtMs, recording } = wait;
  const isMeant = ({ node, pod }: Intervention) => node === recording.node && (pod === null || pod === recording.pod);
  return !interventions.some((intervention) => {
    if (!isMeant(intervention) || intervention.atMs >= nextStartedAtMs + GRANULARITY_MS) return false;
    return atMs < shownAtMs(intervention, recording);
  });
}

/** An intervention without a pod, such as a restart of the kubelet, shows when the kubelet's event Starting arrives. */
function shownAtMs({ atMs, pod }: Intervention, { nodeEventLines }: Recording): number {
  if (pod !== null) return atMs + 1;
  const isStart = ({ object }: RecordedLine) => textOf(at(object, "reason")) === "Starting";
  return nodeEventLines.find((line) => line.atMs >= atMs && isStart(line))?.atMs ?? atMs + 1;
}
