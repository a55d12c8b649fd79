import type {
  ConfigObservation,
  ConfigSnapshot,
  ConfigSource,
  PodSnapshot,
  SourceObject,
} from "../../explain/observed/observation.ts";
import { fetched, oncePerKey } from "../api/fetched.ts";
import type { Connection } from "../connection/connection.ts";
import { datedVersion, METADATA_ONLY, toConfigSnapshot, writesIn } from "../objects/config-metadata.ts";
import { toEventSnapshot } from "../objects/event.ts";
import { parsedJson } from "../objects/json-access.ts";
import { inPath } from "../objects/workload-kinds.ts";

const MOST_SOURCES_PER_POD = 8;
const MOST_PODS = 10;

const PLURALS = { ConfigMap: "configmaps", Secret: "secrets" } as const;

export type ConfigReader = (pod: PodSnapshot) => Promise<readonly ConfigSnapshot[]>;

export function configReader(connection: Connection, podCount: number): ConfigReader {
  if (podCount > MOST_PODS) return async () => [];
  const once = oncePerKey<readonly ConfigSnapshot[]>();
  return async ({ namespace, sources = [] }) => {
    const found = sources.slice(0, MOST_SOURCES_PER_POD).map((source) => {
      const key = JSON.stringify([namespace, source.kind, source.name]);
      return once(key, () => readSource(connection, namespace, source));
    });
    return (await Promise.all(found)).flat();
  };
}

async function readSource(connection: Connection, namespace: string, source: ConfigSource): Promise<ConfigSnapshot[]> {
  const path = `/api/v1/namespaces/${inPath(namespace)}/${PLURALS[source.kind]}/${inPath(source.name)}`;
  // An API server that ignores METADATA_ONLY sends the values, too. Parsing drops the values.
  const parse = (text: string): unknown => {
    const raw = parsedJson(text);
    return raw === undefined ? undefined : toConfigSnapshot(source, raw);
  };
  const ask = async () => (await connection.get(path, { accept: METADATA_ONLY, parse })).body as ConfigSnapshot;
  const { value, why } = await fetched(ask);
  if (value !== null) return [value];
  const { kind, name, isOptional } = source;
  if (why !== "not-found" || isOptional) return [];
  return [{ kind, name, isAbsent: true, createdAtMs: null, version: null, lastWrite: null }];
}

export function configOf(
  sources: readonly ConfigSnapshot[],
  objects: readonly SourceObject[],
): ConfigObservation | undefined {
  if (sources.length === 0) return undefined;
  const isEvent = ({ kind }: SourceObject): boolean => kind === "Event";
  const events = objects.filter(isEvent).flatMap(({ raw }) => {
    const { lastAtMs, createdAtMs } = toEventSnapshot(raw);
    const atMs = lastAtMs ?? createdAtMs;
    const { version } = writesIn(raw);
    return version === null || atMs === null ? [] : [{ version, atMs }];
  });
  return { sources, events, others: objects.filter((one) => !isEvent(one)).flatMap(({ raw }) => datedVersion(raw)) };
}
