import { anyOf, mapTexts } from "./map-texts.ts";

/** A word that every planted text contains, except addresses. */
export const CANARY = "canary";
/** A network for documentation (RFC 5737) that reports do not use. */
export const CANARY_NETWORK = "203.0.113.";

type Raw = Record<string, unknown>;

/** Fields that hold words of the API instead of names. */
const WORDS_OF_THE_API = new Set("kind apiVersion reason type phase status kubeletVersion restartPolicy".split(" "));

/** Replaces all names in the objects by unique ones, and adds secrets wherever one may be. */
export function planted(objects: readonly object[]): object[] {
  const told = objects.map((object) => withContainers(object) as Raw);
  const names = anyOf(namesIn(told));
  const rename = (text: string, key: string): string =>
    WORDS_OF_THE_API.has(key) ? text : text.replaceAll(names, canaryFor);
  return told.map((object) => withSecrets(mapTexts(object, rename) as Raw));
}

/** Renames containers, because a container may have the same name as its owner. */
function withContainers(value: unknown, key = ""): unknown {
  const isList = /^(initC|c|ephemeralC)ontainer(s|Statuses)$/.test(key) || key === "images";
  if (Array.isArray(value)) {
    return value.map((inner) => {
      const made = withContainers(inner, key) as Raw;
      return isList && typeof made["name"] === "string" ? { ...made, name: `${made["name"]}-container` } : made;
    });
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withContainers(inner, field)]));
  }
  if (typeof value !== "string") return value;
  if (key === "fieldPath") return value.replace("}", "-container}");
  return value.replace(/((?:^|\s)[Cc]ontainer(?::? |=))(?!image|created|started)([a-z0-9-]+)/, "$1$2-container");
}

function namesIn(objects: readonly object[]): string[] {
  const found = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === "string" && value !== "") found.add(value);
  };
  for (const object of objects as readonly Raw[]) {
    const [metadata = {}, spec = {}] = [object["metadata"] as Raw | undefined, object["spec"] as Raw | undefined];
    if (object["kind"] === "Event") continue;
    for (const value of [metadata["name"], metadata["namespace"], metadata["uid"], spec["nodeName"]]) add(value);
    for (const owner of (metadata["ownerReferences"] as Raw[] | undefined) ?? []) add(owner["name"]);
    for (const container of containersOf(spec)) for (const value of [container["name"], container["image"]]) add(value);
  }
  return [...found];
}

function containersOf(spec: Raw): Raw[] {
  const template = ((spec["template"] as Raw | undefined)?.["spec"] as Raw | undefined) ?? {};
  return [spec, template].flatMap((from) =>
    ["initContainers", "containers", "ephemeralContainers"].flatMap(
      (field) => (from[field] as Raw[] | undefined) ?? [],
    ),
  );
}

/** Keeps an ordinal or a hash at the end. */
function canaryFor(name: string): string {
  return `${CANARY}-${name.replaceAll(/[^A-Za-z0-9-]/g, "-")}`;
}

/** Secrets in the metadata of any object, as people and other programs write them. */
const METADATA = {
  managedFields: [{ manager: "canary-manager", time: "2026-11-21T00:00:00Z" }],
  generateName: "canary-generated-",
  selfLink: "/canary/link",
};
const ANNOTATIONS = { "canary.example/annotation": "canary-annotation" };
const MARKED = { metadata: { labels: { "canary.example/label": "canary-label" }, annotations: ANNOTATIONS } };
const WORKLOAD = { metadata: { annotations: ANNOTATIONS } };

const BY_KIND: Readonly<Record<string, Raw>> = {
  Pod: MARKED,
  Node: {
    ...MARKED,
    spec: { podCIDR: `${CANARY_NETWORK}0/24` },
    status: {
      addresses: [
        { type: "InternalIP", address: `${CANARY_NETWORK}9` },
        { type: "Hostname", address: "canary-host" },
      ],
      images: [{ names: ["canary-image-on-node"] }],
    },
  },
  Event: { source: { component: "canary-component", host: "canary-host" }, reportingInstance: "canary-host" },
};

const CONFIGURATION = {
  kubeletconfig: {
    featureGates: { CanarySecretGate: true },
    clusterDomain: "canary.domain",
    staticPodPath: "/canary",
  },
};

const POD_SPEC = {
  volumes: [{ name: "canary-volume", secret: { secretName: "canary-secret" } }],
  serviceAccountName: "canary-account",
  hostname: "canary-hostname",
  imagePullSecrets: [{ name: "canary-pull-secret" }],
  nodeSelector: { "canary.example/pool": "canary-pool" },
};

const CONTAINER = {
  command: ["canary-command"],
  args: ["--password=canary-argument"],
  env: [{ name: "CANARY_NAME", value: "canary-value" }],
  volumeMounts: [{ name: "canary-volume", mountPath: "/canary" }],
};

/** `more` added to an object: nested objects are merged, all other values are replaced. */
function merged(object: Raw, more: Raw): Raw {
  const isPlain = (value: unknown): value is Raw => typeof value === "object" && !Array.isArray(value);
  const added = Object.entries(more).map(([field, value]) => {
    return [field, isPlain(value) ? merged((object[field] ?? {}) as Raw, value) : value];
  });
  return { ...object, ...Object.fromEntries(added) };
}

function withSecrets(object: Raw): Raw {
  const kind = object["kind"];
  if (kind === undefined) return "kubeletconfig" in object ? merged(object, CONFIGURATION) : object;
  const marked = merged(merged(object, { metadata: METADATA }), BY_KIND[String(kind)] ?? WORKLOAD);
  return kind === "Pod" ? withPodSecrets(marked) : marked;
}

function withPodSecrets(pod: Raw): Raw {
  const spec = pod["spec"] as Raw | undefined;
  const status = { ...(pod["status"] as Raw | undefined) };
  for (const field of ["initContainerStatuses", "containerStatuses"]) {
    const statuses = status[field] as Raw[] | undefined;
    if (statuses !== undefined) status[field] = statuses.map(withLastWords);
  }
  if (status["podIP"] !== undefined)
    Object.assign(status, { podIP: `${CANARY_NETWORK}7`, hostIP: `${CANARY_NETWORK}8` });
  if (spec === undefined) return { ...pod, status };
  const containers = (spec["containers"] as Raw[] | undefined)?.map((container) => ({ ...container, ...CONTAINER }));
  return { ...pod, spec: { ...spec, ...(containers !== undefined && { containers }), ...POD_SPEC }, status };
}

/** The termination message of a program belongs to its owner. */
function withLastWords(status: Raw): Raw {
  const told = (state: unknown): unknown => {
    const ended = (state as Raw | undefined)?.["terminated"] as Raw | undefined;
    return ended === undefined ? state : { ...(state as Raw), terminated: { message: "canary last words", ...ended } };
  };
  return { ...status, state: told(status["state"]), lastState: told(status["lastState"]) };
}
