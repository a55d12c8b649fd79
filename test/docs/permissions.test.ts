import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { collectionPath, OBJECT_KINDS } from "../../src/cluster/objects/workload-kinds.ts";
import { repositoryFile } from "../support/command.ts";

const PAGE = readFileSync(repositoryFile("docs/permissions.md"), "utf8");

interface Role {
  readonly kind: string;
  readonly rules: readonly { apiGroups: string[]; resources: string[]; verbs: string[] }[];
}

const ROLES = [...PAGE.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = ""]) => load(yaml) as Role);

/** "get apps/deployments" for everything that a role allows. */
function allowed({ rules }: Role): string[] {
  return rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group === "" ? "" : `${group}/`}${resource}`)),
    ),
  );
}

/** The requests of the program besides those for workloads and revisions. */
const OTHERS = [
  ...["get", "list", "watch"].flatMap((verb) => [`${verb} pods`, `${verb} events`]),
  ...["get pods/log", "get nodes", "list nodes", "get nodes/proxy", "list namespaces", "get configmaps"],
];

describe("the ClusterRoles of docs/permissions.md", () => {
  it("allow what the program asks for, and nothing else", () => {
    const kinds = OBJECT_KINDS.filter((kind) => kind !== "Pod").flatMap((kind) => {
      const resource = collectionPath(kind, null).replace(/^\/apis\/(\w+)\/v1\//, "$1/");
      // Revisions are only compared, never asked for by name.
      return kind === "ControllerRevision" ? [`list ${resource}`] : [`get ${resource}`, `list ${resource}`];
    });
    expect(ROLES.map(({ kind }) => kind)).toEqual(["ClusterRole", "ClusterRole"]);
    expect(ROLES.flatMap(allowed).sort()).toEqual([...OTHERS, ...kinds].sort());
  });

  it("keep the right to run commands on a node apart from the others", () => {
    const [ordinary, nodeConfig] = ROLES.map(allowed);
    expect(ordinary).not.toContain("get nodes/proxy");
    expect(nodeConfig).toEqual(["get nodes/proxy"]);
  });

  it("can only read", () => {
    expect(new Set(ROLES.flatMap(({ rules }) => rules).flatMap(({ verbs }) => verbs))).toEqual(
      new Set(["get", "list", "watch"]),
    );
  });
});
