import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { collectionPath, OBJECT_KINDS } from "../../src/cluster/objects/workload-kinds.ts";
import { repositoryFile } from "../support/command.ts";
import { KUBEADM_CONFIG } from "../support/raw-objects.ts";

const PAGE = readFileSync(repositoryFile("docs/permissions.md"), "utf8");

interface Role {
  readonly kind: string;
  readonly metadata: { readonly namespace?: string };
  readonly rules: readonly {
    resourceNames?: readonly string[];
    apiGroups: string[];
    resources: string[];
    verbs: string[];
  }[];
}

const ROLES = [...PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = ""]) => load(yaml) as Role);

function allowed({ rules }: Role): string[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group === "" ? "" : `${group}/`}${resource}`)),
    ),
  );
}

const OTHERS = [
  ...["get", "list", "watch"].flatMap((verb) => [`${verb} pods`, `${verb} events`]),
  ...["get pods/log", "get nodes", "list nodes", "get nodes/proxy", "list namespaces", "get configmaps"],
  ...["list services", "list discovery.k8s.io/endpointslices"],
];

describe("the roles of docs/permissions.md", () => {
  it("allow what the program requests, and nothing else", () => {
    const kinds = OBJECT_KINDS.filter((kind) => kind !== "Pod").flatMap((kind) => {
      const resource = collectionPath(kind, null).replace(/^\/apis\/(\w+)\/v1\//, "$1/");
      // The program only lists ControllerRevisions.
      return kind === "ControllerRevision" ? [`list ${resource}`] : [`get ${resource}`, `list ${resource}`];
    });
    expect(ROLES.map(({ kind }) => kind)).toEqual(["ClusterRole", "Role", "ClusterRole", "Role"]);
    expect([...new Set(ROLES.flatMap(allowed))].sort()).toEqual([...OTHERS, ...kinds].sort());
  });

  it("have separate rules for the rights to run commands on a node and to read settings", () => {
    const [ordinary, configMaps, nodeConfig, kubeletConfig] = ROLES.map(allowed);
    for (const right of ["get nodes/proxy", "get configmaps"]) expect(ordinary).not.toContain(right);
    expect([configMaps, nodeConfig, kubeletConfig]).toEqual([
      ["get configmaps"],
      ["get nodes/proxy"],
      ["get configmaps"],
    ]);
  });

  it("allow the one ConfigMap of kubeadm that the program reads", () => {
    const { metadata, rules } = ROLES[3] ?? {};
    expect({ metadata, rules }).toMatchObject({
      metadata: { namespace: "kube-system" },
      rules: [{ resourceNames: ["kubelet-config"] }],
    });
    expect(KUBEADM_CONFIG).toBe("/api/v1/namespaces/kube-system/configmaps/kubelet-config");
  });

  it("allow only get, list and watch", () => {
    expect(new Set(ROLES.flatMap(({ rules }) => rules).flatMap(({ verbs }) => verbs))).toEqual(
      new Set(["get", "list", "watch"]),
    );
  });
});
