import { describe, expect, it } from "vitest";
import { toKubeletConfig } from "../../../src/cluster/objects/node.ts";

const CONFIG = {
  kind: "KubeletConfiguration",
  apiVersion: "kubelet.config.k8s.io/v1beta1",
  syncFrequency: "1m0s",
  featureGates: { ReduceDefaultCrashLoopBackOffDecay: true, KubeletCrashLoopBackOffMax: false },
  crashLoopBackOff: { maxContainerRestartPeriod: "5m0s" },
};

describe("toKubeletConfig()", () => {
  it.each([
    { raw: { kubeletconfig: CONFIG }, what: "the answer of /configz" },
    { raw: CONFIG, what: "a KubeletConfiguration file" },
    { raw: { kubeletconfig: { ...CONFIG, kind: undefined } }, what: "an answer without a kind, as of older kubelets" },
  ])("reads $what", ({ raw }) => {
    expect(toKubeletConfig(raw)).toEqual({
      maxContainerRestartPeriodMs: 300_000,
      featureGates: { ReduceDefaultCrashLoopBackOffDecay: true, KubeletCrashLoopBackOffMax: false },
      syncFrequencyMs: 60_000,
    });
  });

  it("leaves to the version's default what is not set or is nonsense", () => {
    const none = { maxContainerRestartPeriodMs: null, featureGates: {}, syncFrequencyMs: null };
    expect(toKubeletConfig({ kubeletconfig: {} })).toEqual(none);
    const nonsense = {
      syncFrequency: 60,
      featureGates: { A: "true", B: 1 },
      crashLoopBackOff: { maxContainerRestartPeriod: "-5m" },
    };
    const gates = ["featureGates.A", "featureGates.B"];
    expect(toKubeletConfig({ kubeletconfig: nonsense })).toEqual({
      ...none,
      unusable: ["crashLoopBackOff.maxContainerRestartPeriod", ...gates, "syncFrequency"],
    });
    expect(toKubeletConfig({ kubeletconfig: { syncFrequency: "0s", featureGates: [true] } })).toEqual({
      ...none,
      unusable: ["featureGates"],
    });
  });

  it.each([null, undefined, 7, "kubeletconfig", [], {}, { kubeletconfig: "no" }, { kind: "ConfigMap" }])(
    "is null for %j, which is no configuration",
    (raw) => {
      expect(toKubeletConfig(raw)).toBeNull();
    },
  );
});
