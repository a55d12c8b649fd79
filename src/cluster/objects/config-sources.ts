import type { ConfigSource } from "../../explain/observed/observation.ts";
import { flag, list, object, text } from "./declaration.ts";

const BY_NAME = object({ name: text, optional: flag });

/** The sources of `env`. The values of variables are not declared, so that no report holds them. */
export const ENV = list(object({ valueFrom: object({ configMapKeyRef: BY_NAME, secretKeyRef: BY_NAME }) }));

export const ENV_FROM = list(object({ configMapRef: BY_NAME, secretRef: BY_NAME }));

export const VOLUMES = list(
  object({
    configMap: BY_NAME,
    secret: object({ secretName: text, optional: flag }),
    persistentVolumeClaim: object({ claimName: text }),
    projected: object({ sources: list(object({ configMap: BY_NAME, secret: BY_NAME })) }),
  }),
);

type Reference = ReturnType<typeof BY_NAME.read>;

function sourceOf(kind: ConfigSource["kind"], { name, optional }: Reference): ConfigSource[] {
  return name === null ? [] : [{ kind, name, isOptional: optional === true }];
}

function sourcesOf(configMap: Reference, secret: Reference): ConfigSource[] {
  return [...sourceOf("ConfigMap", configMap), ...sourceOf("Secret", secret)];
}

/** Returns the ConfigMaps and Secrets from which a container takes its environment variables. */
export function sourcesOfVariables(
  env: ReturnType<typeof ENV.read>,
  envFrom: ReturnType<typeof ENV_FROM.read>,
): ConfigSource[] {
  return [
    ...env.flatMap(({ valueFrom }) => sourcesOf(valueFrom.configMapKeyRef, valueFrom.secretKeyRef)),
    ...envFrom.flatMap(({ configMapRef, secretRef }) => sourcesOf(configMapRef, secretRef)),
  ];
}

/**
 * ConfigMaps in the token's volume of every pod: `RootCACertConfigMapName` (v1.37.1,
 * pkg/controller/certificates/rootcacertpublisher/publisher.go) and OpenShift's.
 */
const IN_EVERY_POD: readonly string[] = ["kube-root-ca.crt", "openshift-service-ca.crt"];

export function sourcesOfVolumes(volumes: ReturnType<typeof VOLUMES.read>): ConfigSource[] {
  return volumes.flatMap(({ configMap, secret, projected }) => [
    ...sourcesOf(configMap, { name: secret.secretName, optional: secret.optional }),
    ...projected.sources
      .flatMap((source) => sourcesOf(source.configMap, source.secret))
      .filter(({ name }) => !IN_EVERY_POD.includes(name)),
  ]);
}

/** Returns each source once. A source is optional if it is optional everywhere. */
export function eachOnce(sources: readonly ConfigSource[]): ConfigSource[] {
  const groups = Map.groupBy(sources, ({ kind, name }) => `${kind}/${name}`);
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, isOptional: [first, ...others].every(({ isOptional }) => isOptional) }],
  );
}
