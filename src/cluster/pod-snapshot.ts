import type { OwnerReference, PodSnapshot } from "../explain/observed/observation.ts";
import { conditionsOf } from "./conditions.ts";
import { containerSpecsOf, restartPolicyOf } from "./container-spec.ts";
import { containerStatusesOf } from "./container-status.ts";
import { controllerOf } from "./owner-reference.ts";
import { POD } from "./pod-shape.ts";
import { instantOf } from "./timestamp.ts";
import { at, longCountOf, textOf } from "./untrusted.ts";
import { unusableIn } from "./unusable.ts";

/** `corev1.DefaultTerminationGracePeriodSeconds` (v1.37.1, staging/src/k8s.io/api/core/v1/types.go). */
const DEFAULT_GRACE_PERIOD_SECONDS = 30;

/** A pod that the server does not name is still told of. */
const UNNAMED = "<unknown>";

/** A Pod object as the API prints it, with the API's defaults filled in. Whatever it is given, it does not throw. */
export function toPodSnapshot(raw: unknown): PodSnapshot {
  const metadata = at(raw, "metadata");
  const spec = at(raw, "spec");
  const status = at(raw, "status");
  return {
    namespace: textOf(at(metadata, "namespace")) ?? "default",
    name: textOf(at(metadata, "name")) ?? UNNAMED,
    uid: textOf(at(metadata, "uid")),
    generation: longCountOf(at(metadata, "generation")),
    createdAtMs: instantOf(at(metadata, "creationTimestamp")),
    deletionAtMs: instantOf(at(metadata, "deletionTimestamp")),
    owner: ownerOf(raw),
    nodeName: textOf(at(spec, "nodeName")),
    restartPolicy: restartPolicyOf(at(spec, "restartPolicy")) ?? "Always",
    gracePeriodMs: (longCountOf(at(spec, "terminationGracePeriodSeconds")) ?? DEFAULT_GRACE_PERIOD_SECONDS) * 1000,
    hostNetwork: at(spec, "hostNetwork") === true,
    podIP: textOf(at(status, "podIP")),
    phase: textOf(at(status, "phase")),
    reason: textOf(at(status, "reason")),
    message: textOf(at(status, "message")),
    startedAtMs: instantOf(at(status, "startTime")),
    conditions: conditionsOf(status),
    containers: containerSpecsOf(spec),
    statuses: containerStatusesOf(status),
    ...unusableIn(raw, POD),
  };
}

function ownerOf(raw: unknown): OwnerReference | null {
  const controller = controllerOf(raw);
  return controller === null ? null : { kind: controller.kind, name: controller.name };
}
