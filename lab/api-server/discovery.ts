import type { Raw } from "./container-statuses.ts";

const RESOURCES: readonly {
  name: string;
  singularName: string;
  kind: string;
  namespaced: boolean;
  shortNames: string[];
}[] = [
  { name: "pods", singularName: "pod", kind: "Pod", namespaced: true, shortNames: ["po"] },
  { name: "events", singularName: "event", kind: "Event", namespaced: true, shortNames: ["ev"] },
  { name: "nodes", singularName: "node", kind: "Node", namespaced: false, shortNames: ["no"] },
  { name: "namespaces", singularName: "namespace", kind: "Namespace", namespaced: false, shortNames: ["ns"] },
];
const VERBS = ["get", "list", "watch"];

/** What kubectl asks before it asks for anything else. */
export const DISCOVERY: Readonly<Record<string, Raw>> = {
  "/api": { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] },
  "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [] },
  "/api/v1": {
    kind: "APIResourceList",
    groupVersion: "v1",
    resources: RESOURCES.map((resource) => ({ ...resource, verbs: VERBS })),
  },
  "/version": { major: "1", minor: "37", gitVersion: "v1.37.1", platform: "linux/amd64" },
};
