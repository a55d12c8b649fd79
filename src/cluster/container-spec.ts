import type {
  ContainerSpec,
  ContainerType,
  Probe,
  RestartPolicy,
  RestartRule,
} from "../explain/observed/observation.ts";
import { at, countOf, integerOf, isObject, longCountOf, objectsOf, oneOf, textOf } from "./untrusted.ts";

const RESTART_POLICIES: readonly RestartPolicy[] = ["Always", "OnFailure", "Never"];

/** All containers of a pod's `spec`: init containers and sidecars in the spec's order, then app, then ephemeral ones. */
export function containerSpecsOf(spec: unknown): readonly ContainerSpec[] {
  return [
    ...objectsOf(at(spec, "initContainers")).map((raw) => containerSpecOf(raw, initTypeOf(raw))),
    ...objectsOf(at(spec, "containers")).map((raw) => containerSpecOf(raw, "app")),
    ...objectsOf(at(spec, "ephemeralContainers")).map((raw) => containerSpecOf(raw, "ephemeral")),
  ];
}

/** A `restartPolicy` field, of a pod or of a container. */
export function restartPolicyOf(value: unknown): RestartPolicy | null {
  return oneOf(value, RESTART_POLICIES);
}

function initTypeOf(raw: unknown): ContainerType {
  return at(raw, "restartPolicy") === "Always" ? "sidecar" : "init";
}

function containerSpecOf(raw: unknown, type: ContainerType): ContainerSpec {
  return {
    name: textOf(at(raw, "name")) ?? "",
    type,
    image: textOf(at(raw, "image")) ?? "",
    imagePullPolicy: textOf(at(raw, "imagePullPolicy")),
    restartPolicy: restartPolicyOf(at(raw, "restartPolicy")),
    restartPolicyRules: objectsOf(at(raw, "restartPolicyRules")).flatMap(restartRuleOf),
    livenessProbe: probeOf(at(raw, "livenessProbe")),
    startupProbe: probeOf(at(raw, "startupProbe")),
    hasPostStart: isObject(at(raw, "lifecycle", "postStart")),
  };
}

/** A rule of a kind that is not known decides nothing here, so it is left out. */
function restartRuleOf(raw: unknown): RestartRule[] {
  const action = oneOf(at(raw, "action"), ["Restart", "RestartAllContainers"]);
  const operator = oneOf(at(raw, "exitCodes", "operator"), ["In", "NotIn"]);
  const values = at(raw, "exitCodes", "values");
  if (action === null || operator === null || !Array.isArray(values)) return [];
  return [{ action, operator, exitCodes: values.map(integerOf).filter((code) => code !== null) }];
}

/** Defaults as in `SetDefaults_Probe` (v1.37.1, pkg/apis/core/v1/defaults.go), where 0 means "not set" too. */
function probeOf(raw: unknown): Probe | null {
  if (!isObject(raw)) return null;
  const graceSeconds = longCountOf(at(raw, "terminationGracePeriodSeconds"));
  return {
    initialDelayMs: (countOf(at(raw, "initialDelaySeconds")) ?? 0) * 1000,
    periodMs: (countOf(at(raw, "periodSeconds")) || 10) * 1000,
    timeoutMs: (countOf(at(raw, "timeoutSeconds")) || 1) * 1000,
    failureThreshold: countOf(at(raw, "failureThreshold")) || 3,
    gracePeriodMs: graceSeconds === null ? null : graceSeconds * 1000,
  };
}
