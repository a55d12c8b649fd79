import type { Intervention, Recording } from "../recordings.ts";
import { containersOf, type Instance, type RecordedContainer } from "./instances.ts";

/** A wait that a recording saw from the exit to the next start. */
export interface Wait {
  readonly recording: Recording;
  readonly container: RecordedContainer;
  readonly exitSeenAtMs: number;
  readonly nextStartedAtMs: number;
  /** The delay that the kubelet named during the wait; `null` if it did not. */
  readonly delayMs: number | null;
}

/** A moment inside a wait: what is known then must tell the next start. */
export interface Moment {
  readonly wait: Wait;
  readonly atMs: number;
}

const SHORTEST_WAIT_MS = 3000;
const SHARES = [0.02, 0.3, 0.6, 0.9];
const AFTER_MS = 300;
/** The API's timestamps are cut to the second: what started at 24 s may have started up to a second later. */
const GRANULARITY_MS = 1000;

/** The waits of a recording that are long enough to ask for a prediction inside them, and whose end is known. */
export function waitsOf(recording: Recording): Wait[] {
  return containersOf(recording).flatMap((container) =>
    container.instances.flatMap((instance, index) => {
      const wait = waitBetween(instance, container.instances[index + 1]);
      return wait === null ? [] : [{ recording, container, ...wait }];
    }),
  );
}

function waitBetween(exited: Instance, next: Instance | undefined): Omit<Wait, "recording" | "container"> | null {
  const nextStartedAtMs = next?.startedAtMs ?? null;
  const { exitSeenAtMs, delayMs } = exited;
  if (exitSeenAtMs === null || nextStartedAtMs === null) return null;
  return nextStartedAtMs - exitSeenAtMs > SHORTEST_WAIT_MS ? { exitSeenAtMs, nextStartedAtMs, delayMs } : null;
}

/** Four moments inside a wait, less those after which something done from outside ended it: nobody can foresee that. */
export function momentsOf(wait: Wait, interventions: readonly Intervention[]): Moment[] {
  const { exitSeenAtMs, nextStartedAtMs, recording } = wait;
  const disturbances = interventions.filter(
    ({ node, pod, atMs }) =>
      node === recording.node && (pod === null || pod === recording.pod) && atMs < nextStartedAtMs + GRANULARITY_MS,
  );
  return SHARES.map((share) => exitSeenAtMs + share * (nextStartedAtMs - exitSeenAtMs) + AFTER_MS)
    .filter((momentMs) => !disturbances.some(({ atMs }) => atMs >= momentMs))
    .map((atMs) => ({ wait, atMs }));
}
