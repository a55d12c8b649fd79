import type { Now } from "../../explain/observed/observation.ts";
import { toEventSnapshot } from "../objects/event.ts";
import { at, integerOf, objectsOf } from "../objects/json-access.ts";
import { instantOf } from "../objects/timestamp.ts";
import type { InputObject } from "./input-objects.ts";

const OLD_INPUT_MS = 15 * 60_000;

export function nowOf(objects: readonly InputObject[], localNowMs: number, flagAtMs: number | null): Now {
  if (flagAtMs !== null) return { atMs: flagAtMs, atBasis: "flag" };
  let newestMs = 0;
  for (const object of objects)
    for (const instantMs of instantsOf(object)) newestMs = Math.max(newestMs, instantMs ?? 0);
  const isOld = newestMs > 0 && localNowMs - newestMs > OLD_INPUT_MS;
  return isOld ? { atMs: newestMs, atBasis: "newest-input" } : { atMs: localNowMs, atBasis: "local-clock" };
}

const STATUS_FIELDS = ["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"];

/**
 * `deletionTimestamp` is the end of the grace period, which can be later than the input. So the time of the deletion
 * request counts instead.
 */
function instantsOf({ kind, raw, arrivedAtMs }: InputObject): (number | null)[] {
  const [metadata, status] = [at(raw, "metadata"), at(raw, "status")];
  const times = [
    at(metadata, "creationTimestamp"),
    ...objectsOf(at(metadata, "managedFields")).map(({ time }) => time),
    at(status, "startTime"),
    ...objectsOf(at(status, "conditions")).flatMap((condition) => [
      condition["lastTransitionTime"],
      condition["lastProbeTime"],
      condition["lastHeartbeatTime"],
    ]),
    ...STATUS_FIELDS.flatMap((field) => objectsOf(at(status, field))).flatMap(timesOfContainer),
  ];
  const event = kind === "Event" ? toEventSnapshot(raw) : null;
  const ofEvent = [event?.firstAtMs ?? null, event?.lastAtMs ?? null];
  return [arrivedAtMs, deletionRequestedAtMs(metadata), ...ofEvent, ...times.map(instantOf)];
}

function deletionRequestedAtMs(metadata: unknown): number | null {
  const endMs = instantOf(at(metadata, "deletionTimestamp"));
  const graceSeconds = integerOf(at(metadata, "deletionGracePeriodSeconds"));
  return endMs === null || graceSeconds === null ? null : endMs - graceSeconds * 1000;
}

function timesOfContainer(status: unknown): unknown[] {
  return ["state", "lastState"].flatMap((field) => [
    at(status, field, "running", "startedAt"),
    at(status, field, "terminated", "startedAt"),
    at(status, field, "terminated", "finishedAt"),
  ]);
}
