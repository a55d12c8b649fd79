import type { PodTemplate, TemplateContainer, TemplateValue } from "../../explain/observed/observation.ts";
import { textOfSource } from "./config-sources.ts";
import { initType } from "./container.ts";
import { at, fieldsOf, isObject, type JsonObject, objectsOf, textOf } from "./json-access.ts";

export function podTemplateIn(template: unknown): PodTemplate {
  const { initContainers, containers, volumes, serviceAccount: _alias, ...pod } = fieldsOf(at(template, "spec"));
  const all = [
    ...objectsOf(initContainers).map((raw) => containerIn(raw, initType(raw["restartPolicy"]))),
    ...objectsOf(containers).map((raw) => containerIn(raw, "app")),
  ];
  return {
    containers: all.map(({ container }) => container),
    settings: new Map([
      ...objectsOf(volumes).flatMap(volume),
      ...Object.entries(pod).flatMap(([name, value]) => setting(name, value)),
    ]),
    annotations: textsIn(at(template, "metadata", "annotations")),
    isComplete: all.length > 0 && all.every(({ hasSettings }) => hasSettings),
  };
}

function textsIn(annotations: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(fieldsOf(annotations));
  return new Map(entries.flatMap(([name, text]) => (typeof text === "string" ? [[name, text] as const] : [])));
}

type Setting = readonly [path: string, value: TemplateValue];

const PRINTED: readonly string[] = ["livenessProbe", "readinessProbe", "startupProbe", "resources", "securityContext"];

function setting(field: string, value: unknown): Setting[] {
  return PRINTED.includes(field) ? printed(field, value) : opaque(field, value);
}

function containerIn(raw: JsonObject, type: TemplateContainer["type"]) {
  const { name, image, imagePullPolicy, command, args, env, envFrom, ...rest } = raw;
  const settings: Setting[] = [
    ...words("command", command),
    ...words("args", args),
    ...objectsOf(env).flatMap(variable),
    ...environmentFrom(envFrom),
    ...pullPolicy(imagePullPolicy, textOf(image) ?? ""),
    ...Object.entries(rest).flatMap(([field, value]) => setting(field, value)),
  ];
  const container: TemplateContainer = {
    name: textOf(name) ?? "",
    type,
    image: textOf(image) ?? "",
    settings: new Map(settings),
  };
  return { container, hasSettings: Object.keys(raw).some((field) => field !== "name" && field !== "image") };
}

function words(path: string, value: unknown): Setting[] {
  const texts = Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
  return texts.length === 0 ? [] : [[path, { kind: "literal", text: texts.join(" ") }]];
}

/**
 * Leaves out the default, which depends on the image's tag (`SetDefaults_Container`, v1.37.1,
 * pkg/apis/core/v1/defaults.go), so that a new tag alone does not look like a new policy.
 */
function pullPolicy(policy: unknown, image: string): Setting[] {
  const tag = /:([^/:@]+)(?:@.*)?$/.exec(image)?.[1];
  const isLatest = tag === "latest" || (tag === undefined && !image.includes("@"));
  const byDefault = isLatest ? "Always" : "IfNotPresent";
  return policy === byDefault ? [] : opaque("imagePullPolicy", policy);
}

function variable({ name, value, valueFrom }: JsonObject): Setting[] {
  const path = `env ${textOf(name) ?? ""}`;
  const source = textOfSource(valueFrom);
  if (source !== null) return [[path, { kind: "reference", text: source }]];
  if (valueFrom !== undefined && valueFrom !== null) return opaque(path, valueFrom);
  return [[path, { kind: "literal", text: typeof value === "string" ? value : "" }]];
}

function environmentFrom(value: unknown): Setting[] {
  const texts = objectsOf(value).map((from) => {
    const source = textOfSource(from);
    return source === null ? JSON.stringify(from) : `${source}${textOf(from["prefix"]) ?? ""}`;
  });
  return texts.length === 0 ? [] : [["envFrom", { kind: "reference", text: texts.join(", ") }]];
}

const VOLUME_SOURCES = [
  ["configMap", "name", "configmap"],
  ["secret", "secretName", "secret"],
  ["persistentVolumeClaim", "claimName", "pvc"],
] as const;

function volume({ name, ...source }: JsonObject): Setting[] {
  const path = `volume ${textOf(name) ?? ""}`;
  for (const [field, key, kind] of VOLUME_SOURCES) {
    const { [key]: named, defaultMode, ...rest } = fieldsOf(source[field]);
    if (typeof named === "string")
      return [
        [path, { kind: "reference", text: `${kind} ${named}` }],
        ...modeOf(path, defaultMode),
        ...opaque(`options of ${path}`, rest),
      ];
  }
  return opaque(path, { name, ...source });
}

function modeOf(volumePath: string, mode: unknown): Setting[] {
  if (typeof mode !== "number" || mode === DEFAULTS["defaultMode"]) return [];
  return [[`${volumePath} defaultMode`, { kind: "literal", text: mode.toString(8).padStart(4, "0") }]];
}

function printed(path: string, value: unknown): Setting[] {
  const plain = withoutDefaults(value);
  if (plain === undefined) return [];
  if (isObject(plain)) return Object.entries(plain).flatMap(([name, part]) => printed(`${path}.${name}`, part));
  if (Array.isArray(plain) && plain.every(isObject)) {
    return plain.flatMap((item, index) => printed(`${path}.${textOf(item["name"]) ?? index}`, item["value"] ?? item));
  }
  if (Array.isArray(plain)) return words(path, plain.map(String));
  return [[path, { kind: "literal", text: String(plain) }]];
}

function opaque(path: string, value: unknown): Setting[] {
  const plain = withoutDefaults(value);
  return plain === undefined || plain === DEFAULTS[path]
    ? []
    : [[path, { kind: "opaque", text: JSON.stringify(plain) }]];
}

/**
 * Assumed: at any depth, these values mean the same as an absent field. Most are defaults of the API (v1.37.1,
 * pkg/apis/core/v1/defaults.go).
 */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  ...{ terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File", protocol: "TCP" },
  ...{ initialDelaySeconds: 0, periodSeconds: 10, timeoutSeconds: 1, successThreshold: 1, failureThreshold: 3 },
  ...{ scheme: "HTTP", service: "", defaultMode: 420, apiVersion: "v1", procMount: "Default", type: "" },
  ...{ dnsPolicy: "ClusterFirst", schedulerName: "default-scheduler", terminationGracePeriodSeconds: 30 },
  ...{ enableServiceLinks: true, hostNetwork: false, hostPID: false, hostIPC: false },
  ...{ preemptionPolicy: "PreemptLowerPriority", priority: 0, recursiveReadOnly: "Disabled", readOnly: false },
};

/** Assumed: no real pod template nests values more deeply. */
const MOST_LEVELS = 12;

/** Sorts the keys, so that equal objects become equal JSON texts. */
function withoutDefaults(value: unknown, levels = MOST_LEVELS): unknown {
  if (value === null || value === undefined || levels === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutDefaults(item, levels - 1)).filter((item) => item !== undefined);
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const parts = Object.entries(value)
    .map(([name, part]) => [name, withoutDefaults(part, levels - 1)] as const)
    .filter(([name, part]) => part !== undefined && part !== DEFAULTS[name])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return parts.length === 0 ? undefined : Object.fromEntries(parts);
}
