import type {
  ContainerSpec,
  ContainerState,
  ContainerStatus,
  Probe,
  TerminatedState,
} from "../../explain/observed/observation.ts";
import { shellWord } from "../../explain/observed/shell-word.ts";
import type { ContainerType, RestartRule } from "../../kubelet/restart-policy.ts";
import { distinctSources, ENV, ENV_FROM, MOUNTS, sourcesOfVariables, variablesIn } from "./config-sources.ts";
import {
  count,
  type Field,
  flag,
  integer,
  list,
  longCount,
  mapped,
  object,
  optional,
  secretText,
  text,
  textOrNumber,
  time,
  value,
  word,
} from "./declaration.ts";
import { integerOf } from "./json-access.ts";

export const RESTART_POLICY = word("Always", "OnFailure", "Never");

const WORDS = list(secretText);

export const RESOURCES = object({ limits: object({ memory: textOrNumber, cpu: textOrNumber }) });

const PROBE_FIELDS = object({
  initialDelaySeconds: count,
  periodSeconds: count,
  timeoutSeconds: count,
  failureThreshold: count,
  terminationGracePeriodSeconds: longCount,
  httpGet: optional(object({ host: text, path: secretText, port: textOrNumber, scheme: word("HTTP", "HTTPS") })),
  tcpSocket: optional(object({ host: text, port: textOrNumber })),
  grpc: optional(object({ port: textOrNumber, service: secretText })),
  exec: optional(object({ command: WORDS })),
});

type ProbeFields = ReturnType<typeof PROBE_FIELDS.read>;

/** Fills in the defaults of `SetDefaults_Probe` (v1.37.1, pkg/apis/core/v1/defaults.go), also for fields that are 0. */
const PROBE = optional(
  mapped(
    PROBE_FIELDS,
    (probe): Probe => ({
      initialDelayMs: (probe.initialDelaySeconds ?? 0) * 1000,
      periodMs: (probe.periodSeconds || 10) * 1000,
      timeoutMs: (probe.timeoutSeconds || 1) * 1000,
      failureThreshold: probe.failureThreshold || 3,
      gracePeriodMs: probe.terminationGracePeriodSeconds === null ? null : probe.terminationGracePeriodSeconds * 1000,
      ...requestOf(probe),
    }),
  ),
);

function requestOf({ httpGet, tcpSocket, grpc, exec }: ProbeFields): Pick<Probe, "request"> {
  if (httpGet !== null) {
    const path = `/${(httpGet.path ?? "").replace(/^\//, "")}`;
    return { request: `GET ${httpGet.scheme === "HTTPS" ? "https://" : ""}${addressOf(httpGet)}${path}` };
  }
  if (tcpSocket !== null) return { request: `TCP ${addressOf(tcpSocket)}` };
  if (grpc !== null) return { request: `gRPC :${grpc.port ?? "?"}${grpc.service === null ? "" : ` ${grpc.service}`}` };
  return exec === null || exec.command.length === 0 ? {} : { request: inOneLine(exec.command) };
}

function addressOf({ host, port }: { readonly host: string | null; readonly port: string | null }): string {
  return `${host ?? ""}:${port ?? "?"}`;
}

/** Cuts the text, because some commands are whole scripts. */
function inOneLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ").slice(0, 500).replaceAll(/\s+/g, " ").trim();
}

const RULES = list(
  mapped(
    object(
      {
        action: word("Restart", "RestartAllContainers"),
        exitCodes: object({ operator: word("In", "NotIn"), values: optional(list(integer)) }),
      },
      "action",
    ),
    ({ action, exitCodes: { operator, values } }): RestartRule | null =>
      action === null || operator === null || values === null ? null : { action, operator, exitCodes: values },
  ),
);

function containers(typeOf: (restartPolicy: string | null) => ContainerType): Field<readonly ContainerSpec[]> {
  const container = object(
    {
      name: text,
      image: text,
      imagePullPolicy: text,
      restartPolicy: RESTART_POLICY,
      restartPolicyRules: RULES,
      livenessProbe: PROBE,
      startupProbe: PROBE,
      readinessProbe: PROBE,
      lifecycle: object({ postStart: optional(object({})) }),
      command: WORDS,
      args: WORDS,
      env: ENV,
      envFrom: ENV_FROM,
      volumeMounts: MOUNTS,
      resources: RESOURCES,
    },
    "name",
  );
  return list(
    mapped(
      container,
      ({ name, image, lifecycle, command, args, env, envFrom, volumeMounts, resources, ...rest }): ContainerSpec => {
        const sources = distinctSources(sourcesOfVariables(env, envFrom));
        return {
          name: name ?? "",
          type: typeOf(rest.restartPolicy),
          image: image ?? "",
          ...rest,
          hasPostStart: lifecycle.postStart !== null,
          ...(command.length > 0 && { command: inOneLine([...command, ...args]) }),
          ...(command.length === 0 && args.length > 0 && { args: inOneLine(args) }),
          memoryLimit: resources.limits.memory,
          ...(resources.limits.cpu !== null && { cpuLimit: resources.limits.cpu }),
          ...(env.length > 0 && { variables: variablesIn(env) }),
          ...(envFrom.length > 0 && { variableSources: sourcesOfVariables([], envFrom) }),
          ...(volumeMounts.length > 0 && { mounts: volumeMounts }),
          ...(sources.length > 0 && { sources }),
        };
      },
    ),
  );
}

export function initType(restartPolicy: unknown): "init" | "sidecar" {
  return restartPolicy === "Always" ? "sidecar" : "init";
}

export const CONTAINER_LISTS = {
  initContainers: containers(initType),
  containers: containers(() => "app"),
  ephemeralContainers: containers(() => "ephemeral"),
};

/** Windows has unsigned exit codes, and the API has signed ones: 2³² − n means −n. */
const EXIT_CODE = value((raw) => {
  const isUnsigned = typeof raw === "number" && raw >>> 0 === raw;
  return isUnsigned ? raw | 0 : (integerOf(raw) ?? undefined);
});

/**
 * CRI-O records the start only after the command that starts the container has returned (`StartContainer`, v1.34.0,
 * internal/oci/runtime_oci.go). The container can have ended earlier. Assumed: less than a second earlier, so start and
 * end, rounded down to seconds, differ by at most one second.
 */
const MOST_START_AFTER_END_MS = 1000;

/** If start and end contradict each other, keeps the end: the kubelet counts the back-off from the end. */
const TERMINATED = optional(
  mapped(
    object({
      exitCode: EXIT_CODE,
      signal: integer,
      reason: text,
      message: text,
      startedAt: time,
      finishedAt: time,
      containerID: text,
    }),
    ({ exitCode, signal, reason, message, startedAt, finishedAt, containerID }, problems): TerminatedState => {
      const aheadMs = startedAt === null || finishedAt === null ? 0 : startedAt - finishedAt;
      const endsBeforeItStarts = aheadMs > MOST_START_AFTER_END_MS;
      if (endsBeforeItStarts) problems.push(".startedAt");
      return {
        kind: "terminated",
        exitCode: exitCode ?? 0,
        signal: signal || null,
        reason,
        message,
        startedAtMs: endsBeforeItStarts ? null : aheadMs > 0 ? finishedAt : startedAt,
        finishedAtMs: finishedAt,
        containerID,
      };
    },
  ),
);

/** An empty state (`{}`) reads as null, although the API's documentation calls this state waiting. */
const STATE = mapped(
  object({
    running: optional(object({ startedAt: time })),
    waiting: optional(object({ reason: text, message: text })),
    terminated: TERMINATED,
  }),
  ({ running, waiting, terminated }): ContainerState | null => {
    if (running !== null) return { kind: "running", startedAtMs: running.startedAt };
    if (waiting !== null) return { kind: "waiting", reason: waiting.reason, message: waiting.message };
    return terminated;
  },
);

const STATUSES = list(
  mapped(
    object(
      {
        name: text,
        restartCount: count,
        containerID: text,
        image: text,
        imageID: text,
        started: flag,
        ready: flag,
        state: STATE,
        lastState: object({ terminated: TERMINATED }),
      },
      "name",
    ),
    ({ name, restartCount, ready, lastState, ...rest }): ContainerStatus | null => {
      if (name === null) return null;
      return { ...rest, name, restartCount: restartCount ?? 0, ready: ready === true, lastState: lastState.terminated };
    },
  ),
);

export function specFromStatus({ name, image }: ContainerStatus, type: ContainerType): ContainerSpec {
  const spec = { name, type, image: image ?? "", imagePullPolicy: null, restartPolicy: null, restartPolicyRules: [] };
  const probes = { livenessProbe: null, startupProbe: null, readinessProbe: null };
  return { ...spec, ...probes, hasPostStart: false, memoryLimit: null, isFromStatus: true };
}

export const STATUS_LISTS = {
  initContainerStatuses: STATUSES,
  containerStatuses: STATUSES,
  ephemeralContainerStatuses: STATUSES,
};
