import { HOUR_MS, SECOND_MS } from "../../kubelet/go-duration.ts";
import { ageIn } from "../answer/excerpt.ts";
import type { Change, PodExplanation, Since } from "../answer/explanation.ts";
import { prose } from "../answer/prose.ts";
import { greatestOf, leastOf } from "../observed/max-min.ts";
import type {
  ConfigObservation,
  ConfigSnapshot,
  DatedVersion,
  OwnersObservation,
  PodObservation,
  PodTemplate,
  RevisionSnapshot,
} from "../observed/observation.ts";
import { isHealthy } from "./revisions.ts";

interface Write extends Pick<Change, "by" | "basis"> {
  readonly source: ConfigSnapshot;
  readonly betweenMs: readonly [number, number];
}

/** Assumed: a write can cause failures that begin within this time after the write. */
const WRITE_TO_FAILURE_MS = HOUR_MS;

export function writesBefore({ config, owners }: PodObservation, failedAtMs: number | null, atMs: number): Write[] {
  if (config === undefined || failedAtMs === null) return [];
  const releasedAtMs = owners?.revisions[0]?.createdAtMs ?? Number.POSITIVE_INFINITY;
  const isSuspect = ({ betweenMs: [fromMs, toMs] }: Write): boolean =>
    fromMs <= failedAtMs && toMs >= Math.min(failedAtMs - WRITE_TO_FAILURE_MS, releasedAtMs);
  return config.sources
    .flatMap((source) => writeOf(source, config, atMs) ?? [])
    .filter(
      (write) =>
        isSuspect(write) && !isFirstSetup(write, owners?.revisions ?? []) && !isReadByHealthyPod(write, owners, atMs),
    )
    .sort((a, b) => b.betweenMs[0] - a.betweenMs[0]);
}

function isReadByHealthyPod(
  { source, betweenMs }: Write,
  owners: OwnersObservation | undefined,
  atMs: number,
): boolean {
  return (owners?.pods ?? []).some((pod) => {
    const { createdAtMs, restarts, revision } = pod;
    const isWell = restarts === 0 && isHealthy(pod, atMs);
    const template = owners?.revisions.find(({ name }) => name === revision)?.template;
    const isLater = createdAtMs !== null && createdAtMs >= betweenMs[1];
    return isWell && isLater && template !== undefined && isReadBy(template, source);
  });
}

function isReadBy({ settings, containers }: PodTemplate, { kind, name }: ConfigSnapshot): boolean {
  const words = `${KINDS[kind]} ${name}`;
  return [settings, ...containers.map((container) => container.settings)]
    .flatMap((some) => [...some.values()])
    .some(({ kind: is, text }) => is === "reference" && (text === words || text.startsWith(`${words} key `)));
}

/** Assumed: two objects that belong together are created at most this time apart. */
const CREATED_TOGETHER_MS = 60_000;

/** Assumed: the creation of a ConfigMap or Secret right before the workload's only revision broke nothing. */
function isFirstSetup(write: Write, [first, ...others]: readonly RevisionSnapshot[]): boolean {
  const releasedAtMs = first?.createdAtMs ?? null;
  if (!isCreation(write) || releasedAtMs === null || others.length > 0) return false;
  const beforeMs = releasedAtMs - write.betweenMs[0];
  return beforeMs >= 0 && beforeMs <= CREATED_TOGETHER_MS;
}

function isCreation({ source: { createdAtMs }, betweenMs: [fromMs] }: Write): boolean {
  return createdAtMs !== null && createdAtMs >= fromMs - SECOND_MS;
}

/**
 * The time in an object's managedFields can be older than the last write (kubernetes/kubernetes#121854). An event that
 * is later than this time, but has a lower resourceVersion than the object, may show that the last write was later.
 */
function writeOf(source: ConfigSnapshot, config: ConfigObservation, atMs: number): Write | null {
  const { version, lastWrite } = source;
  const [fromMs, toMs] =
    version === null || !isComparable(config) ? [null, null] : between(version, config.events, atMs);
  if (lastWrite !== null && (fromMs === null || lastWrite.atMs >= fromMs - SECOND_MS)) {
    const betweenMs = [lastWrite.atMs, lastWrite.atMs] as const;
    return { source, betweenMs, by: lastWrite.by, basis: "observed" };
  }
  if (fromMs === null || toMs === null) return null;
  return { source, betweenMs: [fromMs, toMs], by: null, basis: "inferred" };
}

/**
 * Assumed: if event A has a higher resourceVersion than event B, but an earlier time than event B, event A was sent
 * late.
 */
function between(version: number, events: readonly DatedVersion[], atMs: number): [number | null, number] {
  const earlier = events.filter((event) => event.version < version).map((event) => event.atMs);
  const later = events.filter((event) => event.version > version).map((event) => event.atMs);
  const fromMs = greatestOf(earlier);
  const punctual = later.filter((laterMs) => laterMs >= fromMs);
  return [earlier.length === 0 ? null : fromMs, leastOf(punctual, atMs)];
}

/**
 * Events may be in another etcd (`--etcd-servers-overrides`). Then their resourceVersions cannot be compared with those
 * of other objects.
 */
function isComparable({ events, others }: ConfigObservation): boolean {
  const fits = others.map(({ version, atMs }) => {
    const [fromMs, toMs] = between(version, events, Number.POSITIVE_INFINITY);
    return (fromMs === null || atMs >= fromMs - SECOND_MS) && atMs <= toMs + SECOND_MS;
  });
  return events.length > 0 && fits.length > 0 && fits.every(Boolean);
}

const KINDS = { ConfigMap: "configmap", Secret: "secret" } as const;

export function absentSources(pod: PodExplanation, { config }: PodObservation): Change[] {
  if (pod.containers.some(({ obstacle }) => obstacle !== null)) return [];
  const absent = config?.sources.filter(({ isAbsent }) => isAbsent === true) ?? [];
  return absent.map(({ kind, name }) => {
    const sentence = `${KINDS[kind]}/${name} does not exist: containers that read it will not start again`;
    return { kind: KINDS[kind], name, betweenMs: null, by: null, basis: "observed", sentence };
  });
}

export function configChange(write: Write, since: Since | null): Change {
  const { source, betweenMs, by, basis } = write;
  const kind = KINDS[source.kind];
  const [fromMs, toMs] = betweenMs;
  const when =
    fromMs === toMs
      ? prose`at ${{ atMs: fromMs }}`
      : prose`between ${{ atMs: fromMs }} and ${{ atMs: toMs }} (inferred)`;
  const what = `${kind}/${source.name} was ${isCreation(write) ? "created" : "written"}`;
  const sentence = prose`${what} ${when}${by === null ? "" : ` (${by})`}${relationTo(toMs, since)}`;
  return { kind, name: source.name, betweenMs, by, basis, sentence };
}

function relationTo(writtenAtMs: number, since: Since | null): string {
  if (since === null || since.kind === "healthy-peers") return "";
  const { atMs, revision, comparedRevision } = since;
  const isBefore = atMs !== null && writtenAtMs <= atMs;
  return [
    ...(isBefore ? [`, ${ageIn(atMs - writtenAtMs)} before revision ${revision}`] : []),
    ...(comparedRevision === null ? [] : [`; new pods of revision ${comparedRevision} would get it, too`]),
  ].join("");
}
