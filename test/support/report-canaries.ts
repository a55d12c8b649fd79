/** Part of every planted text but addresses. */
export const CANARY = "canary";
/** A network for documentation (RFC 5737) that reports do not use. */
export const CANARY_NETWORK = "203.0.113.";

type Raw = Record<string, unknown>;

/** Fields that hold words of the API, not names. */
const WORDS_OF_THE_API = /^(kind|apiVersion|reason|type|phase|status|kubeletVersion|restartPolicy)$/;

/** Replaces all names in the objects by unmistakable ones, and adds secrets wherever the API allows some. */
export function planted(objects: readonly object[]): object[] {
  const told = objects.map((object) => withContainers(object) as Raw);
  const names = namesIn(told).sort((a, b) => b.length - a.length);
  return told.map((object) => renamed(object, names) as Raw).map(withSecrets);
}

/** Renames containers, because one may have the name of its owner. */
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
  const fields = ["initContainers", "containers", "ephemeralContainers"];
  return [spec, template].flatMap((from) => fields.flatMap((field) => (from[field] as Raw[] | undefined) ?? []));
}

/** Replaces names that stand as whole words. `names` is sorted by length: a name may be part of a longer one. */
function renamed(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, names));
  if (typeof value === "object" && value !== null) {
    const isWord = (key: string, inner: unknown) => typeof inner === "string" && WORDS_OF_THE_API.test(key);
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      isWord(key, inner) ? inner : renamed(inner, names),
    ]);
    return Object.fromEntries(entries);
  }
  return typeof value === "string" ? inText(value, names) : value;
}

function inText(text: string, names: readonly string[]): string {
  const pattern = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  if (pattern === "") return text;
  return text.replaceAll(new RegExp(`(?<![A-Za-z0-9])(?:${pattern})(?![A-Za-z0-9])`, "g"), canaryFor);
}

/** The replacement keeps the ordinal or the hash at the end of the name. */
function canaryFor(name: string): string {
  return `${CANARY}-${name.replaceAll(/[^A-Za-z0-9-]/g, "-")}`;
}

/** Adds what people and other programs write into objects. */
function withSecrets(object: Raw): Raw {
  const metadata: Raw = {
    ...(object["metadata"] as Raw | undefined),
    managedFields: [{ manager: "canary-manager", time: "2026-11-21T00:00:00Z" }],
    ...{ generateName: "canary-generated-", selfLink: "/canary/link" },
  };
  const labels = { ...(metadata["labels"] as object), "canary.example/label": "canary-label" };
  const annotations = { ...(metadata["annotations"] as object), "canary.example/annotation": "canary-annotation" };
  switch (object["kind"]) {
    case "Pod":
      return withPodSecrets({ ...object, metadata: { ...metadata, labels, annotations } });
    case "Node": {
      const host = { type: "Hostname", address: "canary-host" };
      const addresses = [{ type: "InternalIP", address: `${CANARY_NETWORK}9` }, host];
      const status = { ...(object["status"] as Raw), addresses, images: [{ names: ["canary-image-on-node"] }] };
      const spec = { podCIDR: `${CANARY_NETWORK}0/24` };
      return { ...object, metadata: { ...metadata, labels, annotations }, spec, status };
    }
    case "Event": {
      const source = { component: "canary-component", host: "canary-host" };
      return { ...object, metadata, source, reportingInstance: "canary-host" };
    }
    case undefined:
      return withConfigSecrets(object);
    default:
      return { ...object, metadata: { ...metadata, annotations } };
  }
}

function withConfigSecrets(object: Raw): Raw {
  const config = object["kubeletconfig"] as Raw | undefined;
  if (config === undefined) return object;
  const featureGates = { ...(config["featureGates"] as object | undefined), CanarySecretGate: true };
  const secrets = { featureGates, clusterDomain: "canary.domain", staticPodPath: "/canary" };
  return { ...object, kubeletconfig: { ...config, ...secrets } };
}

function withPodSecrets(pod: Raw): Raw {
  const spec = pod["spec"] as Raw | undefined;
  const status = { ...(pod["status"] as Raw | undefined) };
  for (const field of ["initContainerStatuses", "containerStatuses"]) {
    const statuses = status[field] as Raw[] | undefined;
    if (statuses !== undefined) status[field] = statuses.map(withStatusSecrets);
  }
  if (status["podIP"] !== undefined)
    Object.assign(status, { podIP: `${CANARY_NETWORK}7`, hostIP: `${CANARY_NETWORK}8` });
  return { ...pod, ...(spec !== undefined && { spec: withSpecSecrets(spec) }), status };
}

function withSpecSecrets(spec: Raw): Raw {
  const containers = (spec["containers"] as Raw[] | undefined)?.map((container) => ({
    ...container,
    command: ["canary-command"],
    args: ["--password=canary-argument"],
    env: [{ name: "CANARY_NAME", value: "canary-value" }],
    volumeMounts: [{ name: "canary-volume", mountPath: "/canary" }],
  }));
  return {
    ...spec,
    ...(containers !== undefined && { containers }),
    volumes: [{ name: "canary-volume", secret: { secretName: "canary-secret" } }],
    serviceAccountName: "canary-account",
    hostname: "canary-hostname",
    imagePullSecrets: [{ name: "canary-pull-secret" }],
    nodeSelector: { "canary.example/pool": "canary-pool" },
  };
}

/** Adds a termination message, which the user's program writes. */
function withStatusSecrets(status: Raw): Raw {
  const told = (state: unknown): unknown => {
    const ended = (state as Raw | undefined)?.["terminated"] as Raw | undefined;
    return ended === undefined ? state : { ...(state as Raw), terminated: { message: "canary last words", ...ended } };
  };
  return { ...status, state: told(status["state"]), lastState: told(status["lastState"]) };
}
