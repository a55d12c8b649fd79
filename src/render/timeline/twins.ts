import type { Lane } from "./timeline.ts";

/** A picture with fewer lanes than this shows every container by itself. */
const TWINS_FROM = 6;

/** The kubelet starts the containers of a pod one after the other, a second or so apart. */
const SAME_START_MS = 10_000;

/** Keeps one lane of healthy containers that never restarted and started together; its `twins` are the names of the others. */
export function withoutTwins(lanes: readonly Lane[]): Lane[] {
  if (lanes.length < TWINS_FROM) return [...lanes];
  const kept: Lane[] = [];
  for (const lane of lanes) {
    const index = kept.findIndex((other) => looksLike(other, lane));
    const twin = kept[index];
    if (twin === undefined) kept.push(lane);
    else kept[index] = { ...twin, twins: [...twin.twins, lane.name] };
  }
  return kept;
}

function looksLike(one: Lane, other: Lane): boolean {
  const [startMs, otherStartMs] = [onlyStartMs(one), onlyStartMs(other)];
  if (startMs === null || otherStartMs === null || Math.abs(startMs - otherStartMs) > SAME_START_MS) return false;
  return one.role === other.role && one.state === other.state && one.remark === other.remark;
}

function onlyStartMs({ isCalm, runs }: Lane): number | null {
  return isCalm && runs.length === 1 ? (runs[0]?.startMs ?? null) : null;
}
