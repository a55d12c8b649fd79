import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { answerEverything, apiServer, useFakeApiServer } from "../support/api-server.ts";
import { observeWeb0 } from "../support/observe.ts";
import { KUBEADM_CONFIG, status } from "../support/raw-objects.ts";

useFakeApiServer();

const REFUSED = { code: 403, message: "no" };
const MISSING = [{ what: "node-config", why: "forbidden" }];

function answerWith(kubelet: string): void {
  apiServer().get(KUBEADM_CONFIG).reply(200, { kind: "ConfigMap", data: { kubelet } });
  answerEverything({ nodeConfig: REFUSED });
}

describe("kubeadm's configuration, read if configz is forbidden", () => {
  it("is assumed for the node, and the gap node-config-forbidden says so", async () => {
    answerWith("kind: KubeletConfiguration\ncrashLoopBackOff:\n  maxContainerRestartPeriod: 30s\n");
    const observation = await observeWeb0();
    expect(observation.pods[0]).toMatchObject({
      kubeletConfig: { maxContainerRestartPeriodMs: 30_000, source: "kubeadm" },
      missing: MISSING,
    });
    const [pod] = explain(observation, {}).pods;
    expect(pod?.policy).toMatchObject({ maxMs: 30_000, basis: "assumed", kubeletVersion: "v1.37.1" });
    expect(pod?.gaps).toContainEqual({
      code: "node-config-forbidden",
      message:
        "No permission to read the kubelet's configuration (get nodes/proxy); assuming kubeadm's configuration for the whole cluster (ConfigMap kube-system/kubelet-config), which a node may override.",
    });
  });

  it("changes nothing if it sets nothing about restarts", async () => {
    answerWith("kind: KubeletConfiguration\nsyncFrequency: 0s\nclusterDomain: cluster.local\n");
    const [pod] = explain(await observeWeb0(), {}).pods;
    expect(pod?.policy).toMatchObject({ maxMs: 300_000, basis: "version" });
    expect(pod?.gaps.map(({ message }) => message).join()).toContain("assuming the v1.37.1 defaults");
  });

  it.each(["kind: [", "kind: Other", ""])("is ignored if it can't be used: %j", async (kubelet) => {
    answerWith(kubelet);
    expect((await observeWeb0()).pods[0]).toMatchObject({ kubeletConfig: null, missing: MISSING });
  });

  it("is left out if it is forbidden, too", async () => {
    apiServer().get(KUBEADM_CONFIG).reply(403, status(403, "no"));
    answerEverything({ nodeConfig: REFUSED });
    expect((await observeWeb0()).pods[0]).toMatchObject({ kubeletConfig: null, missing: MISSING });
  });

  it("is not requested if configz fails for another reason", async () => {
    answerEverything({ nodeConfig: { code: 404, message: "no" } });
    expect((await observeWeb0()).pods[0]).toMatchObject({ kubeletConfig: null });
  });
});
