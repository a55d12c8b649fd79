import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { collectionPath, OBJECT_KINDS } from "../../src/cluster/objects/workload-kinds.ts";
import { repositoryFile } from "../support/command.ts";

const PAGE = readFileSync(repositoryFile("docs/permissions.md"), "utf8");
const ROLE = load(/```yaml\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? "") as {
  kind: string;
  rules: { apiGroups: string[]; resources: string[]; verbs: string[] }[];
};

/** "get apps/deployments" for everything that the role allows. */
const ALLOWED = ROLE.rules.flatMap(({ apiGroups, resources, verbs }) =>
  apiGroups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => `${verb} ${group === "" ? "" : `${group}/`}${resource}`)),
  ),
);

/** The requests of the program besides those for workloads and revisions. */
const OTHERS = [
  ...["get", "list", "watch"].flatMap((verb) => [`${verb} pods`, `${verb} events`]),
  ...["get pods/log", "get nodes", "list nodes", "get nodes/proxy", "list namespaces", "get configmaps"],
];

describe("the ClusterRole of docs/permissions.md", () => {
  it("allows what the program asks for, and nothing else", () => {
    const kinds = OBJECT_KINDS.filter((kind) => kind !== "Pod").flatMap((kind) => {
      const resource = collectionPath(kind, null).replace(/^\/apis\/(\w+)\/v1\//, "$1/");
      // Revisions are only compared, never asked for by name.
      return kind === "ControllerRevision" ? [`list ${resource}`] : [`get ${resource}`, `list ${resource}`];
    });
    expect(ROLE.kind).toBe("ClusterRole");
    expect(ALLOWED.sort()).toEqual([...OTHERS, ...kinds].sort());
  });

  it("can only read", () => {
    expect(new Set(ROLE.rules.flatMap(({ verbs }) => verbs))).toEqual(new Set(["get", "list", "watch"]));
  });
});
