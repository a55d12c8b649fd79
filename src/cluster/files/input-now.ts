import type { Now } from "../../explain/observed/observation.ts";
import { toEventSnapshot } from "../objects/event.ts";
import { instantOf } from "../objects/timestamp.ts";
import { at, objectsOf } from "../objects/untrusted.ts";
import type { InputObject } from "./input-objects.ts";

const OLD_INPUT_MS = 15 * 60_000;

/** The moment to explain: --at, else the newest timestamp of input that is more than 15 minutes old, else the local clock. */
export function nowOf(objects: readonly InputObject[], localNowMs: number, flagAtMs: number | null): Now {
  if (flagAtMs !== null) return { atMs: flagAtMs, atBasis: "flag" };
  let newestMs = 0;
  for (const object of objects)
    for (const instantMs of instantsOf(object)) newestMs = Math.max(newestMs, instantMs ?? 0);
  const isOld = newestMs > 0 && localNowMs - newestMs > OLD_INPUT_MS;
  return isOld ? { atMs: newestMs, atBasis: "newest-input" } : { atMs: localNowMs, atBasis: "local-clock" };
}

/** All instants of an object, except for the deletionTimestamp, which is the end of the grace period. */
function instantsOf({ kind, raw, arrivedAtMs }: InputObject): (number | null)[] {
  const metadata = at(raw, "metadata");
  const status = at(raw, "status");
  return [
    arrivedAtMs,
    instantOf(at(metadata, "creationTimestamp")),
    ...objectsOf(at(metadata, "managedFields")).map((entry) => instantOf(at(entry, "time"))),
    instantOf(at(status, "startTime")),
    ...objectsOf(at(status, "conditions")).flatMap((condition) =>
      ["lastTransitionTime", "lastProbeTime", "lastHeartbeatTime"].map((field) => instantOf(at(condition, field))),
    ),
    ...["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"]
      .flatMap((field) => objectsOf(at(status, field)))
      .flatMap(statusInstants),
    ...(kind === "Event" ? eventInstants(raw) : []),
  ];
}

function statusInstants(raw: unknown): (number | null)[] {
  return ["state", "lastState"].flatMap((field) => [
    instantOf(at(raw, field, "running", "startedAt")),
    instantOf(at(raw, field, "terminated", "startedAt")),
    instantOf(at(raw, field, "terminated", "finishedAt")),
  ]);
}

function eventInstants(raw: unknown): (number | null)[] {
  const { firstAtMs, lastAtMs } = toEventSnapshot(raw);
  return [firstAtMs, lastAtMs];
}
