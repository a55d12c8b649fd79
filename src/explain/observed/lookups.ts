import { greatestOf } from "./extremes.ts";
import type { Condition, ContainerStatus, EventSnapshot, PodSnapshot } from "./observation.ts";

export function statusOf({ statuses }: Pick<PodSnapshot, "statuses">, container: string): ContainerStatus | null {
  return statuses.find(({ name }) => name === container) ?? null;
}

export function conditionOf({ conditions }: Pick<PodSnapshot, "conditions">, wanted: string): Condition | undefined {
  return conditions.find(({ type }) => type === wanted);
}

/** Returns when the kubelet accepted the pod, else when the pod was created: no container can have started before. */
export function takenAtMs({ startedAtMs, createdAtMs }: PodSnapshot): number | null {
  return startedAtMs ?? createdAtMs;
}

export function newestOf<T extends EventSnapshot>(events: readonly T[]): T | undefined {
  return events.toSorted((a, b) => (b.lastAtMs ?? 0) - (a.lastAtMs ?? 0))[0];
}

/** Returns when the newest of the events up to `untilMs` occurred; 0 if there is none. */
export function newestAtMs(events: readonly EventSnapshot[], untilMs = Number.POSITIVE_INFINITY): number {
  const instants = events.map(({ lastAtMs }) => lastAtMs ?? 0);
  return greatestOf(
    instants.filter((atMs) => atMs <= untilMs),
    0,
  );
}
