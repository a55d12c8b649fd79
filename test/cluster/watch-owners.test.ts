import { beforeEach, describe, expect, it, vi } from "vitest";
import { failure, LAB_PATHS } from "../../lab/watch/api.ts";
import { PodLab } from "../../lab/watch/pod-lab.ts";
import { UserError } from "../../src/errors.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { S } from "../support/builders.ts";
import { aRawEvent, aRawPod } from "../support/raw-objects.ts";
import { aRawOwnedPod, aRawReplicaSet, aRawWorkload } from "../support/raw-workloads.ts";

const APPS = "/apis/apps/v1/namespaces/prod";
const OWNER = { kind: "ReplicaSet", name: "web-abc" };

let lab: PodLab;

function putDeployment(availableReplicas: number): void {
  const deployment = aRawWorkload("Deployment", "web", { spec: SPEC, status: { availableReplicas } });
  lab.put(`${APPS}/deployments`, deployment);
}

const SPEC = { replicas: 3, selector: { matchLabels: { app: "web" } } };

function putPod(labels: object): object {
  const pod = aRawOwnedPod(OWNER, "web-0", labels);
  lab.put(LAB_PATHS.pods, pod);
  return pod;
}

function looks(): number {
  return lab.asked(`${APPS}/deployments/web`);
}

beforeEach(() => {
  lab = new PodLab();
  putDeployment(3);
  lab.put(`${APPS}/replicasets`, aRawReplicaSet("web", "abc", 1, "web:1"));
});

describe("the node of a watched pod", () => {
  it("is read again about every three minutes", async () => {
    lab.watch();
    await lab.timers.pass(1 * S);
    const before = lab.asked(LAB_PATHS.config);
    await lab.timers.pass(1_800 * S);
    expect([8, 9, 10]).toContain(lab.asked(LAB_PATHS.config) - before);
  });

  it("is read again once, within 5s, for several restarts of its kubelet and requests", async () => {
    const { pod } = lab.watch();
    await lab.timers.pass(15 * S);
    const before = lab.asked(LAB_PATHS.config);
    const start = aRawEvent("start", { kind: "Node", name: "node-a", uid: "node-a" });
    for (let count = 0; count < 5; count++) {
      lab.put(LAB_PATHS.nodeEvents, { ...start, reason: "Starting", message: "Starting kubelet." });
      pod.rereadNode();
    }
    await lab.timers.pass(5 * S);
    expect(lab.asked(LAB_PATHS.config)).toBe(before + 1);
    expect(lab.told("node").at(-1)?.node.nodeEvents).toMatchObject([{ reason: "Starting" }]);
  });

  it("is read again some seconds later if a request comes just after the last read", async () => {
    const { pod } = lab.watch();
    await lab.timers.pass(15 * S);
    const before = lab.asked(LAB_PATHS.config);
    pod.rereadNode();
    await lab.timers.pass(3 * S);
    pod.rereadNode();
    await lab.timers.pass(3 * S);
    expect(lab.asked(LAB_PATHS.config)).toBe(before + 1);
    await lab.timers.pass(10 * S);
    expect(lab.asked(LAB_PATHS.config)).toBe(before + 2);
  });

  it("is read again some seconds later if a request comes just after the first read", async () => {
    const unscheduled = aRawPod({ spec: { nodeName: undefined } });
    lab.put(LAB_PATHS.pods, unscheduled);
    const { pod } = lab.watch(unscheduled);
    await lab.timers.pass(1 * S);
    lab.put(LAB_PATHS.pods, aRawPod());
    await lab.timers.pass(1 * S);
    pod.rereadNode();
    await lab.timers.pass(5 * S);
    expect(lab.asked(LAB_PATHS.config)).toBe(1);
    await lab.timers.pass(10 * S);
    expect(lab.asked(LAB_PATHS.config)).toBe(2);
  });

  it("keeps its last values while it cannot be read, and is requested more often", async () => {
    lab.watch();
    await lab.timers.pass(200 * S);
    lab.api.refusal = failure("timeout", 504);
    const before = lab.asked(LAB_PATHS.config);
    await lab.timers.pass(400 * S);
    expect(lab.asked(LAB_PATHS.config) - before).toBeGreaterThan(5);
    expect(lab.told("node").at(-1)?.node).toMatchObject({
      node: { kubeletVersion: "v1.37.1" },
      kubeletConfig: { maxContainerRestartPeriodMs: 60_000 },
      missing: [],
    });
  });
});

describe("OwnerWatch", () => {
  it("reads the owners immediately if the first observation left them out, then every three minutes", async () => {
    lab.watch(putPod({ app: "web" }));
    await lab.timers.pass(5 * S);
    expect(lab.told("owners").at(-1)?.owners.workload).toMatchObject({ name: "web", availableReplicas: 3 });
    putDeployment(2);
    await lab.timers.pass(3 * MINUTE_MS);
    expect(lab.told("owners").at(-1)?.owners.workload).toMatchObject({ availableReplicas: 2 });
    await lab.timers.pass(27 * MINUTE_MS);
    expect(looks()).toBe(11);
  });

  it("sends no more requests for a pod that changes all the time", async () => {
    lab.watch(putPod({ app: "web" }));
    for (let second = 0; second < 600; second++) {
      await lab.timers.pass(1 * S);
      putPod({ app: "web", second });
    }
    expect(looks()).toBeLessThanOrEqual(4);
  });

  it("reports nothing while the owners cannot be read, and reports them again when they can", async () => {
    lab.watch(putPod({ app: "web" }));
    await lab.timers.pass(5 * S);
    const told = lab.told("owners").length;
    lab.api.refusal = failure("server-error", 503);
    await lab.timers.pass(10 * MINUTE_MS);
    expect(lab.told("owners")).toHaveLength(told);
    lab.api.refusal = null;
    await lab.timers.pass(4 * MINUTE_MS);
    expect(lab.told("owners").length).toBeGreaterThan(told);
  });

  it("goes on after the credentials have failed for ten minutes", async () => {
    const { ended } = lab.watch(putPod({ app: "web" }));
    const onBug = vi.fn();
    ended.catch(onBug);
    await lab.timers.pass(5 * S);
    lab.api.refusal = new UserError("badCredentials", "prod", "the credential plugin failed");
    await lab.timers.pass(10 * MINUTE_MS);
    lab.api.refusal = null;
    putDeployment(1);
    await lab.timers.pass(4 * MINUTE_MS);
    expect(onBug).not.toHaveBeenCalled();
    expect(lab.told("owners").at(-1)?.owners.workload).toMatchObject({ availableReplicas: 1 });
  });

  it("requests nothing if the pod has no controller", async () => {
    lab.watch();
    await lab.timers.pass(10 * MINUTE_MS);
    expect(lab.api.asked.filter(({ path }) => path.startsWith("/apis/"))).toEqual([]);
  });
});
