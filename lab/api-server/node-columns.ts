import type { V1Node } from "@kubernetes/client-node";
import { formatElapsed } from "../../src/render/page/durations.ts";
import type { Raw } from "./container-statuses.ts";

export const NAME_COLUMN = column("Name", { format: "name" });
export const NODE_COLUMNS: readonly Raw[] = [
  NAME_COLUMN,
  ...["Status", "Roles", "Age", "Version"].map((name) => column(name)),
  column("Internal-IP", { priority: 1 }),
];

/** See `printNode` (kubernetes v1.37.1, pkg/printers/internalversion/printers.go). */
export function nodeCells(raw: Raw, nowMs: number): string[] {
  const { metadata, status } = raw as V1Node;
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  const word = ready?.status === "True" ? "Ready" : ready === undefined ? "Unknown" : "NotReady";
  const age = formatElapsed(nowMs - Date.parse(String(metadata?.creationTimestamp)));
  const address = status?.addresses?.[0]?.address ?? "<none>";
  return [metadata?.name ?? "", word, "<none>", age, status?.nodeInfo?.kubeletVersion ?? "", address];
}

export function rawNode(name: string, kubeletVersion: string, createdAt: string): Raw {
  return {
    kind: "Node",
    apiVersion: "v1",
    metadata: { name, uid: `uid-of-${name}`, resourceVersion: "1", creationTimestamp: createdAt },
    spec: {},
    status: {
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastTransitionTime: createdAt,
          reason: "KubeletReady",
          message: "kubelet is posting ready status",
        },
      ],
      addresses: [
        { type: "InternalIP", address: "10.0.0.1" },
        { type: "Hostname", address: name },
      ],
      nodeInfo: {
        kubeletVersion,
        osImage: "Debian GNU/Linux 12 (bookworm)",
        architecture: "amd64",
        operatingSystem: "linux",
      },
    },
  };
}

export function rawConfigz(config: Raw): Raw {
  return {
    kubeletconfig: {
      kind: "KubeletConfiguration",
      apiVersion: "kubelet.config.k8s.io/v1beta1",
      syncFrequency: "1m0s",
      ...config,
    },
  };
}

export function column(name: string, { format = "", priority = 0 } = {}): Raw {
  return { name, type: "string", format, description: "", priority };
}
