import type { ConfigSource, Mount, Variable } from "../../explain/observed/observation.ts";
import { flag, list, mapped, object, secretText, text } from "./declaration.ts";

const BY_NAME = object({ name: text, optional: flag });

const BY_KEY = object({ name: text, key: secretText, optional: flag });

export const ENV = list(
  object({
    name: secretText,
    value: secretText,
    valueFrom: object({ configMapKeyRef: BY_KEY, secretKeyRef: BY_KEY, fieldRef: object({ fieldPath: secretText }) }),
  }),
);

export const ENV_FROM = list(object({ configMapRef: BY_NAME, secretRef: BY_NAME }));

export const VOLUMES = list(
  object({
    name: secretText,
    configMap: BY_NAME,
    secret: object({ secretName: text, optional: flag }),
    persistentVolumeClaim: object({ claimName: text }),
    projected: object({ sources: list(object({ configMap: BY_NAME, secret: BY_NAME })) }),
  }),
);

export const MOUNTS = list(
  mapped(
    object({ name: secretText, mountPath: secretText, readOnly: flag }),
    ({ name, mountPath, readOnly }): Mount | null =>
      name === null || mountPath === null ? null : { volume: name, path: mountPath, isReadOnly: readOnly === true },
  ),
);

type Reference = ReturnType<typeof BY_NAME.read>;

function sourceOf(kind: ConfigSource["kind"], { name, optional }: Reference): ConfigSource[] {
  return name === null ? [] : [{ kind, name, isOptional: optional === true }];
}

function sourcesOf(configMap: Reference, secret: Reference): ConfigSource[] {
  return [...sourceOf("ConfigMap", configMap), ...sourceOf("Secret", secret)];
}

export function sourcesOfVariables(
  env: ReturnType<typeof ENV.read>,
  envFrom: ReturnType<typeof ENV_FROM.read>,
): ConfigSource[] {
  return [
    ...env.flatMap(({ valueFrom }) => sourcesOf(valueFrom.configMapKeyRef, valueFrom.secretKeyRef)),
    ...envFrom.flatMap(({ configMapRef, secretRef }) => sourcesOf(configMapRef, secretRef)),
  ];
}

export function variablesIn(env: ReturnType<typeof ENV.read>): Variable[] {
  return env.flatMap(({ name, value, valueFrom }) => {
    const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom;
    const source = keyIn("configmap", configMapKeyRef) ?? keyIn("secret", secretKeyRef) ?? fieldRef.fieldPath;
    return name === null ? [] : [{ name, value, source }];
  });
}

function keyIn(kind: string, { name, key }: { readonly name: string | null; readonly key?: string | null }) {
  return name === null ? null : `${kind} ${name}${key ? ` key ${key}` : ""}`;
}

const SOURCE = object({ configMapKeyRef: BY_KEY, configMapRef: BY_NAME, secretKeyRef: BY_KEY, secretRef: BY_NAME });

export function textOfSource(from: unknown): string | null {
  const { configMapKeyRef, configMapRef, secretKeyRef, secretRef } = SOURCE.read(from, []);
  return (
    keyIn("configmap", configMapKeyRef) ??
    keyIn("configmap", configMapRef) ??
    keyIn("secret", secretKeyRef) ??
    keyIn("secret", secretRef)
  );
}

export function volumeSourcesIn(volumes: ReturnType<typeof VOLUMES.read>): Readonly<Record<string, string>> {
  const sources = volumes.flatMap((volume) => {
    const { name, persistentVolumeClaim } = volume;
    const { claimName } = persistentVolumeClaim;
    const [config] = sourcesOfVolumes([volume]);
    const source = claimName === null ? config && `${config.kind.toLowerCase()} ${config.name}` : `pvc ${claimName}`;
    return name === null || source === undefined ? [] : [[name, source] as const];
  });
  return Object.fromEntries(sources);
}

/**
 * ConfigMaps in the volume of a pod's service account token. kube-root-ca.crt is `RootCACertConfigMapName` (v1.37.1,
 * pkg/controller/certificates/rootcacertpublisher/publisher.go). OpenShift adds openshift-service-ca.crt.
 */
const BESIDE_TOKENS: readonly string[] = ["kube-root-ca.crt", "openshift-service-ca.crt"];

export function sourcesOfVolumes(volumes: ReturnType<typeof VOLUMES.read>): ConfigSource[] {
  return volumes.flatMap(({ configMap, secret, projected }) => [
    ...sourcesOf(configMap, { name: secret.secretName, optional: secret.optional }),
    ...projected.sources
      .flatMap((source) => sourcesOf(source.configMap, source.secret))
      .filter(({ name }) => !BESIDE_TOKENS.includes(name)),
  ]);
}

export function distinctSources(sources: readonly ConfigSource[]): ConfigSource[] {
  const groups = Map.groupBy(sources, ({ kind, name }) => `${kind}/${name}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, isOptional: [first, ...others].every(({ isOptional }) => isOptional) }],
  );
}
