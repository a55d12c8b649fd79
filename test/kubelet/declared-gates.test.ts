import { describe, expect, it } from "vitest";
import { declaredGates, kubeletTraits } from "../../src/kubelet/traits.ts";

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
