import { describe, expect, it } from "vitest";
import { backoffKeyParts, declaredGates, keyChanges, kubeletTraits } from "../../src/kubelet/traits.ts";
import { parseKubeletVersion } from "../../src/kubelet/versions.ts";
import { rowsOf } from "../support/text-table.ts";

const RESTART_ALL = "RestartAllContainersOnContainerExits";

describe("declaredGates()", () => {
  it.each([
    { minor: 37, features: [RESTART_ALL], hasRestartAll: true, why: "the node declares the feature" },
    { minor: 35, features: [RESTART_ALL], hasRestartAll: true, why: "an alpha gate that was turned on" },
    {
      minor: 36,
      features: ["ExtendWebSocketsToKubelet"],
      hasRestartAll: false,
      why: "a beta gate that the node does not declare beside others is off",
    },
    {
      minor: 37,
      features: [],
      hasRestartAll: true,
      why: "a node that declares nothing has the defaults of its version",
    },
    { minor: 34, features: [], hasRestartAll: false, why: "a kubelet that is older than the feature does not have it" },
    { minor: 38, features: ["New"], hasRestartAll: true, why: "a newer kubelet need not declare what is always on" },
  ])("v1.$minor: $why", ({ minor, features, hasRestartAll }) => {
    const version = { major: 1, minor };
    expect(kubeletTraits(version, declaredGates(features, version)).hasRestartAll).toBe(hasRestartAll);
  });
});

const KEYS = `
  version  key ends with    changed by           why
  v1.37.1  image,resources  image,resources,pod  the key that GetBackoffKey makes
  v1.34.0  image,resources  image,resources,pod  the first version with GetBackoffKey
  v1.33.0  spec-hash        image,resources,pod  a resize of the pod resets the back-off
  v1.32.9  spec-hash        image,pod            the hash does not cover resources
  unknown  image,resources  image,resources,pod  an unknown version counts as the newest
`;

describe("backoffKeyParts() and keyChanges()", () => {
  it.each(rowsOf<"version" | "key ends with" | "changed by" | "why">(KEYS))("of $version: $why", (row) => {
    const version = parseKubeletVersion(row.version);
    expect(backoffKeyParts(version).join()).toBe(`pod,namespace,uid,container,${row["key ends with"]}`);
    expect(keyChanges(version).join()).toBe(row["changed by"]);
  });
});
