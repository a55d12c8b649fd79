import type { Raw } from "./container-statuses.ts";

/** What a path of field names owns, as `FieldsV1` writes it. */
function fields(names: readonly string[], below: Raw = {}): Raw {
  return Object.fromEntries(names.map((name) => [name, below]));
}

const CONDITIONS = ["ContainersReady", "Initialized", "PodReadyToStartContainers", "Ready"];
const CONDITION = fields([
  ".",
  "f:lastProbeTime",
  "f:lastTransitionTime",
  "f:message",
  "f:reason",
  "f:status",
  "f:type",
]);
const PROBE = {
  ...fields([".", "f:failureThreshold", "f:periodSeconds", "f:successThreshold", "f:timeoutSeconds"]),
  "f:httpGet": fields([".", "f:path", "f:port", "f:scheme"]),
};

const CONTROLLER = {
  "f:metadata": {
    "f:annotations": fields([".", "f:prometheus.io/port", "f:prometheus.io/scrape"]),
    "f:generateName": {},
    "f:labels": fields([".", "f:app", "f:pod-template-hash"]),
    "f:ownerReferences": { ".": {}, 'k:{"uid":"2f1b7a52-0d6e-4a0f-8f7c-2f5c5f0d0000"}': {} },
  },
  "f:spec": {
    "f:containers": {
      'k:{"name":"app"}': {
        ...fields([".", "f:image", "f:imagePullPolicy", "f:name"]),
        "f:env": {
          ".": {},
          ...Object.fromEntries(
            ["POD_NAME", "LOG_LEVEL", "DATABASE_URL"].map((name) => [
              `k:{"name":"${name}"}`,
              fields([".", "f:name", "f:value", "f:valueFrom"]),
            ]),
          ),
        },
        "f:livenessProbe": PROBE,
        "f:readinessProbe": PROBE,
        "f:ports": { ".": {}, 'k:{"containerPort":8080,"protocol":"TCP"}': fields([".", "f:containerPort", "f:name"]) },
        "f:resources": fields([".", "f:limits", "f:requests"], fields([".", "f:cpu", "f:memory"])),
        ...fields(["f:terminationMessagePath", "f:terminationMessagePolicy"]),
      },
    },
    ...fields(["f:dnsPolicy", "f:enableServiceLinks", "f:restartPolicy", "f:schedulerName", "f:securityContext"]),
    "f:terminationGracePeriodSeconds": {},
  },
};

const KUBELET = {
  "f:status": {
    "f:conditions": Object.fromEntries(CONDITIONS.map((type) => [`k:{"type":"${type}"}`, CONDITION])),
    ...fields(["f:containerStatuses", "f:hostIP", "f:hostIPs", "f:phase", "f:podIP", "f:startTime"]),
    "f:podIPs": { ".": {}, 'k:{"ip":"10.64.0.1"}': fields([".", "f:ip"]) },
  },
};

/** Who set which field: about a third of a real pod's JSON, and nobody reads it. */
export const MANAGED_FIELDS: readonly Raw[] = [
  managedBy("kube-controller-manager", "2026-11-16T08:00:00Z", CONTROLLER),
  { ...managedBy("kubelet", "2026-11-21T12:00:00Z", KUBELET), subresource: "status" },
];

function managedBy(manager: string, time: string, fieldsV1: Raw): Raw {
  return { manager, operation: "Update", apiVersion: "v1", time, fieldsType: "FieldsV1", fieldsV1 };
}
