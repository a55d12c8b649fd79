import { isSecretName, withoutSecrets } from "../answer/secret-values.ts";
import { isWholeContainer, type SettingChange } from "../answer/setting-change.ts";
import type { PodTemplate, TemplateContainer, TemplateValue } from "../observed/observation.ts";

export function templateChanges(older: PodTemplate, newer: PodTemplate): SettingChange[] {
  const changes = [
    ...allKeys(byName(older), byName(newer)).flatMap((name) =>
      containerChanges(byName(older).get(name), byName(newer).get(name)),
    ),
    ...settingChanges(null, older.settings, newer.settings),
    ...annotationChanges(older.annotations, newer.annotations),
  ];
  return changes.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Assumed: these settings break containers most often; the likeliest comes first. */
const MOST_OFTEN_BREAKING: readonly string[] = ["container", "image", "command", "args", "env", "envFrom", "resources"];

function rankOf(change: SettingChange): number {
  const { path } = change;
  if (path.startsWith("annotation ")) return MOST_OFTEN_BREAKING.length + 2;
  const first = isWholeContainer(change) ? "container" : (/^\w+/.exec(path)?.[0] ?? "");
  const rank = MOST_OFTEN_BREAKING.indexOf(first);
  if (rank !== -1) return rank;
  return first.endsWith("Probe") ? MOST_OFTEN_BREAKING.length : MOST_OFTEN_BREAKING.length + 1;
}

function byName({ containers }: PodTemplate): ReadonlyMap<string, TemplateContainer> {
  return new Map(containers.map((container) => [container.name, container]));
}

function allKeys(older: ReadonlyMap<string, unknown>, newer: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...newer.keys(), ...older.keys()])];
}

function changed(container: string | null, path: string, older: unknown, newer: unknown): SettingChange {
  const kind = older === undefined ? "added" : newer === undefined ? "removed" : "changed";
  return { container, path, kind, old: null, new: null };
}

const CONTAINER_NOUNS = { app: "container", init: "init container", sidecar: "sidecar container" } as const;

function containerChanges(older: TemplateContainer | undefined, newer: TemplateContainer | undefined): SettingChange[] {
  const container = newer ?? older;
  if (container === undefined) return [];
  const { name, type } = container;
  if (older === undefined || newer === undefined || older.type !== newer.type)
    return [changed(name, CONTAINER_NOUNS[type], older, newer)];
  const image = { ...changed(name, "image", older.image, newer.image), old: older.image, new: newer.image };
  const settings = settingChanges(name, older.settings, newer.settings);
  return older.image === newer.image ? settings : [image, ...settings];
}

type Settings = ReadonlyMap<string, TemplateValue>;

function settingChanges(container: string | null, older: Settings, newer: Settings): SettingChange[] {
  const paths = allKeys(older, newer).filter((path) => {
    const [before, after] = [older.get(path), newer.get(path)];
    return before?.text !== after?.text || before?.kind !== after?.kind;
  });
  const whole = new Set(paths.filter((path) => isWholeProbe(path, older, newer)).map(firstSegment));
  const parts = paths.filter((path) => !whole.has(firstSegment(path)) && !isRequestAtLimit(path, older, newer));
  return [
    ...[...whole].map((path) => changed(container, path, pathWithin(older, path), pathWithin(newer, path))),
    ...parts.map((path) => valueChange(container, path, older.get(path), newer.get(path))),
  ];
}

function firstSegment(path: string): string {
  return path.split(".")[0] ?? path;
}

function pathWithin(settings: Settings, first: string): string | undefined {
  return [...settings.keys()].find((path) => firstSegment(path) === first);
}

function isWholeProbe(path: string, older: Settings, newer: Settings): boolean {
  const first = firstSegment(path);
  return first.endsWith("Probe") && [older, newer].some((settings) => pathWithin(settings, first) === undefined);
}

const REQUESTS = "resources.requests.";

/** If a request equals the limit in both templates, the request's change says no more than the change of the limit. */
function isRequestAtLimit(path: string, older: Settings, newer: Settings): boolean {
  if (!path.startsWith(REQUESTS)) return false;
  const limit = `resources.limits.${path.slice(REQUESTS.length)}`;
  return [older, newer].every((settings) => settings.get(path)?.text === settings.get(limit)?.text);
}

function valueChange(
  container: string | null,
  path: string,
  before: TemplateValue | undefined,
  after: TemplateValue | undefined,
): SettingChange {
  const [old, now] = [printable(path, before), printable(path, after)];
  // Hides both values if one must be hidden, or if both look alike after masking.
  const isHidden = old === now || (before !== undefined && old === null) || (after !== undefined && now === null);
  const change = changed(container, path, before, after);
  return isHidden ? change : { ...change, old, new: now };
}

function printable(path: string, value: TemplateValue | undefined): string | null {
  if (value === undefined || value.kind === "opaque") return null;
  if (value.kind === "reference") return value.text;
  return isSecretName(path) ? null : withoutSecrets(value.text);
}

/** Assumed: if an annotation's name matches, its change only restarts pods, e.g. by `kubectl rollout restart`. */
const RESTART = /restartedat|checksum|rollme|last-?reloaded|(config|secret)[\w.-]*hash/i;
const HASH_OR_TIME = /^([0-9a-f]{16,}|\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)?)$/i;

function annotationChanges(older: ReadonlyMap<string, string>, newer: ReadonlyMap<string, string>): SettingChange[] {
  return allKeys(older, newer).flatMap((name) => {
    const [before, after] = [older.get(name), newer.get(name)];
    if (before === after || RESTART.test(name) || HASH_OR_TIME.test(after ?? before ?? "")) return [];
    return [changed(null, `annotation ${name}`, before, after)];
  });
}
