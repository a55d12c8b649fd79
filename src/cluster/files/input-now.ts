import type { AtBasis } from "../../explain/observed/observation.ts";
import { toEventSnapshot } from "../objects/event.ts";
import { instantOf } from "../objects/timestamp.ts";
import { at, objectsOf } from "../objects/untrusted.ts";
import type { InputObject } from "./input-objects.ts";

/** Input whose newest timestamp is further back than this was recorded: "now" is then, not today. */
const OLD_INPUT_MS = 15 * 60_000;

/** The moment that an input is explained for, and where it is from. */
interface InputNow {
  readonly atMs: number;
  readonly atBasis: AtBasis;
}

/** --at, else the local clock, else (for input that is more than 15 minutes old) the newest timestamp in the input. */
export function nowOf(objects: readonly InputObject[], localNowMs: number, flagAtMs: number | null): InputNow {
  if (flagAtMs !== null) return { atMs: flagAtMs, atBasis: "flag" };
  const newestMs = newestInstantOf(objects);
  const old = newestMs !== null && localNowMs - newestMs > OLD_INPUT_MS;
  return old ? { atMs: newestMs, atBasis: "newest-input" } : { atMs: localNowMs, atBasis: "local-clock" };
}

function newestInstantOf(objects: readonly InputObject[]): number | null {
  let newestMs: number | null = null;
  for (const object of objects) {
    for (const instantMs of instantsOf(object)) {
      if (instantMs !== null && instantMs > (newestMs ?? 0)) newestMs = instantMs;
    }
  }
  return newestMs;
}

/** Not the deletionTimestamp: it is when the grace period will be over. */
function instantsOf({ kind, raw, arrivedAtMs }: InputObject): (number | null)[] {
  const metadata = at(raw, "metadata");
  const status = at(raw, "status");
  return [
    arrivedAtMs,
    instantOf(at(metadata, "creationTimestamp")),
    ...objectsOf(at(metadata, "managedFields")).map((entry) => instantOf(at(entry, "time"))),
    instantOf(at(status, "startTime")),
    ...objectsOf(at(status, "conditions")).flatMap(conditionInstants),
    ...["initContainerStatuses", "containerStatuses", "ephemeralContainerStatuses"]
      .flatMap((field) => objectsOf(at(status, field)))
      .flatMap(statusInstants),
    ...(kind === "Event" ? eventInstants(raw) : []),
  ];
}

function conditionInstants(raw: unknown): (number | null)[] {
  return ["lastTransitionTime", "lastProbeTime", "lastHeartbeatTime"].map((field) => instantOf(at(raw, field)));
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
