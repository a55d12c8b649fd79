import type { Condition } from "../../explain/observed/observation.ts";

/** An instant as the API writes it, to the millisecond where it has one; undefined, which JSON leaves out, without any. */
export function timeOf(atMs: number | null): string | undefined {
  return atMs === null ? undefined : new Date(atMs).toISOString().replace(".000Z", "Z");
}

/** The inverse of `conditionsOf`, for one of them. */
export function conditionObject({ type, status, reason, message, lastTransitionAtMs }: Condition): object {
  const lastTransitionTime = timeOf(lastTransitionAtMs);
  return { type, status, reason: reason ?? undefined, message: message ?? undefined, lastTransitionTime };
}
