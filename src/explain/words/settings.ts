import type { Settings } from "../answer/explanation.ts";
import { isSecretName, withoutSecrets } from "../answer/secret-values.ts";
import type { ContainerSpec, Mount, PodSnapshot, Probe, Variable } from "../observed/observation.ts";

export function settingsOf(spec: ContainerSpec, { volumeSources = {} }: PodSnapshot): Settings {
  const { imagePullPolicy, memoryLimit, cpuLimit, command, args, variables, variableSources, mounts } = spec;
  return {
    imagePullPolicy,
    memoryLimit,
    ...(cpuLimit !== undefined && { cpuLimit }),
    livenessProbe: masked(spec.livenessProbe),
    readinessProbe: masked(spec.readinessProbe),
    startupProbe: masked(spec.startupProbe),
    ...(command !== undefined && { command: withoutSecrets(command) }),
    ...(args !== undefined && { args: withoutSecrets(args) }),
    ...(variables !== undefined && { variables: variables.map(variableInWords) }),
    ...(variableSources !== undefined && {
      variableSources: variableSources.map(({ kind, name }) => `${kind.toLowerCase()} ${name}`),
    }),
    ...(mounts !== undefined && { mounts: mounts.map((mount) => mountInWords(mount, volumeSources)) }),
  };
}

function masked(probe: Probe | null): Probe | null {
  return probe?.request === undefined ? probe : { ...probe, request: withoutSecrets(probe.request) };
}

function variableInWords({ name, value, source }: Variable): string {
  if (source !== null) return `${name} from ${source}`;
  if (value === null) return `${name}=`;
  return `${name}=${isSecretName(name) ? "***" : withoutSecrets(value)}`;
}

function mountInWords({ volume, path, isReadOnly }: Mount, sources: Readonly<Record<string, string>>): string {
  const source = Object.hasOwn(sources, volume) ? sources[volume] : volume;
  return `${withoutSecrets(path)} (${source}${isReadOnly ? ", read-only" : ""})`;
}
