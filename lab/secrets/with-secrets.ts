import { secretOf } from "./canary.ts";

type Raw = Record<string, unknown>;

export function withSecrets(objects: readonly object[]): object[] {
  return objects.map((object) => withSecretsOfKind(object as Raw));
}

const LABEL = secretOf("label");
const ANNOTATION = secretOf("annotation");
const VOLUME = secretOf("volume");
const ENV = secretOf("env");

const METADATA = {
  managedFields: [{ manager: secretOf("managed fields"), time: "2026-11-21T00:00:00Z" }],
  generateName: `${LABEL}-`,
  selfLink: `/${LABEL}`,
};
const ANNOTATIONS = { [`${ANNOTATION}.example/annotation`]: ANNOTATION };
const MARKED = { metadata: { labels: { [`${LABEL}.example/label`]: LABEL }, annotations: ANNOTATIONS } };
const WORKLOAD = { metadata: { annotations: ANNOTATIONS } };

const BY_KIND: Readonly<Record<string, Raw>> = {
  Pod: MARKED,
  Node: {
    ...MARKED,
    spec: { podCIDR: LABEL },
    status: { addresses: [{ type: "Hostname", address: LABEL }], images: [{ names: [LABEL] }] },
  },
  Event: { source: { component: LABEL, host: LABEL }, reportingInstance: LABEL },
};

const CONFIGURATION = {
  kubeletconfig: { clusterDomain: secretOf("configz"), staticPodPath: `/${secretOf("configz")}` },
};

const POD_SPEC = {
  volumes: [{ name: VOLUME, hostPath: { path: `/${VOLUME}` } }],
  serviceAccountName: LABEL,
  hostname: LABEL,
  imagePullSecrets: [{ name: secretOf("pull secret") }],
  nodeSelector: { [`${LABEL}.example/pool`]: LABEL },
};

const CONTAINER = {
  command: [secretOf("command")],
  args: [`--password=${secretOf("args")}`],
  env: [{ name: ENV.toUpperCase(), value: ENV }],
  envFrom: [{ prefix: `${ENV.toUpperCase()}_`, secretRef: { name: "database" } }],
  volumeMounts: [{ name: VOLUME, mountPath: `/${VOLUME}` }],
};

function merged(object: Raw, more: Raw): Raw {
  const isPlain = (value: unknown): value is Raw => typeof value === "object" && !Array.isArray(value);
  const added = Object.entries(more).map(([field, value]) => {
    return [field, isPlain(value) ? merged((object[field] ?? {}) as Raw, value) : value];
  });
  return { ...object, ...Object.fromEntries(added) };
}

function withSecretsOfKind(object: Raw): Raw {
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
  const secret = probe !== undefined && "exec" in probe ? { exec: { command: [secretOf("probe")] } } : {};
  return { ...container, ...CONTAINER, ...(probe !== undefined && { livenessProbe: { ...probe, ...secret } }) };
}
