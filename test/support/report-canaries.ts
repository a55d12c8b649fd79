/** A word that every planted secret contains. */
export const CANARY = "canary";

type Raw = Record<string, unknown>;

/** Adds a secret wherever people and programs keep secrets, and wherever a report need not repeat a text. */
export function planted(objects: readonly object[]): object[] {
  return objects.map((object) => withSecrets(object as Raw));
}

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
    spec: { podCIDR: "canary-network" },
    status: {
      addresses: [{ type: "Hostname", address: "canary-host" }],
      images: [{ names: ["canary-image-on-node"] }],
    },
  },
  Event: { source: { component: "canary-component", host: "canary-host" }, reportingInstance: "canary-host" },
};

const CONFIGURATION = { kubeletconfig: { clusterDomain: "canary.domain", staticPodPath: "/canary" } };

const POD_SPEC = {
  volumes: [{ name: "canary-volume", hostPath: { path: "/canary" } }],
  serviceAccountName: "canary-account",
  hostname: "canary-hostname",
  imagePullSecrets: [{ name: "canary-pull-secret" }],
  nodeSelector: { "canary.example/pool": "canary-pool" },
};

const CONTAINER = {
  command: ["canary-command"],
  args: ["--password=canary-argument"],
  env: [{ name: "CANARY_NAME", value: "canary-value" }],
  envFrom: [{ prefix: "CANARY_", secretRef: { name: "database" } }],
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
  const spec = marked["spec"] as Raw | undefined;
  if (kind !== "Pod" || spec === undefined) return marked;
  const containers = (spec["containers"] as Raw[] | undefined)?.map(withContainerSecrets);
  return { ...marked, spec: { ...spec, ...(containers !== undefined && { containers }), ...POD_SPEC } };
}

function withContainerSecrets(container: Raw): Raw {
  const probe = container["livenessProbe"] as Raw | undefined;
  const secret = probe !== undefined && "exec" in probe ? { exec: { command: ["canary-probe"] } } : {};
  return { ...container, ...CONTAINER, ...(probe !== undefined && { livenessProbe: { ...probe, ...secret } }) };
}
