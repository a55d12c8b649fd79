import { describe, expect, it } from "vitest";
import type { SimulatorOptions } from "../../lab/api-server/state.ts";
import { run } from "../support/command.ts";
import { incident } from "../support/incident.ts";
import { cluster } from "../support/listing.ts";
import { aRawPod, READY_NODE } from "../support/raw-objects.ts";
import { aRawOwnedPod, aRawReplicaSet, aRawWorkload } from "../support/raw-workloads.ts";

async function roundsOf(...argv: readonly string[]): Promise<number> {
  const { stderr, exitCode } = await run(...argv, "--debug");
  expect(exitCode).toBe(0);
  return Number(/^debug link .*\brounds (\d+)/m.exec(stderr)?.[1]);
}

async function listRounds(options: SimulatorOptions, ...argv: readonly string[]): Promise<number> {
  const { flags } = await cluster(options);
  return roundsOf("list", ...argv, ...flags);
}

function withLastDown(count: number): object[] {
  const pods = Array.from({ length: count }, (_, index) => {
    const name = `web-${String(index).padStart(3, "0")}`;
    const raw = aRawPod({ metadata: { name, uid: `uid-of-${name}` } });
    if (index >= count - 2) return raw;
    const state = { running: { startedAt: "2026-11-21T12:00:02Z" } };
    const containerStatuses = [{ name: "app", ready: true, started: true, restartCount: 0, state }];
    return { ...raw, status: { phase: "Running", containerStatuses } };
  });
  return [...pods, READY_NODE];
}

function aWaitingPod(reason: string): object {
  return aRawPod({
    status: { phase: "Pending" },
    app: { restartCount: 0, state: { waiting: { reason } }, lastState: {} },
  });
}

const STUCK = aWaitingPod("ContainerCreating");
const WITHOUT_IMAGE = aWaitingPod("ImagePullBackOff");

function aPodOutOfMemory(): object {
  const terminated = {
    exitCode: 137,
    reason: "OOMKilled",
    startedAt: "2026-11-21T12:09:10Z",
    finishedAt: "2026-11-21T12:09:14Z",
  };
  return aRawPod({ app: { state: { terminated }, lastState: { terminated } } });
}

function aPodWithSidecar(): object {
  const pod = aRawPod() as { spec: { containers: object[] }; status: { containerStatuses: object[] } };
  pod.spec.containers.push({ name: "proxy", image: "proxy:1" });
  const state = { running: { startedAt: "2026-11-21T12:00:02Z" } };
  pod.status.containerStatuses.push({ name: "proxy", ready: true, started: true, restartCount: 0, state });
  return pod;
}

function aPodWithInit(): object {
  const { containerStatuses } = (aRawPod() as { status: { containerStatuses: object[] } }).status;
  const initContainerStatuses = containerStatuses.map((status) => ({ ...status, name: "setup" }));
  return aRawPod({
    spec: { initContainers: [{ name: "setup", image: "setup:1" }] },
    status: { phase: "Pending", initContainerStatuses },
    app: { restartCount: 0, state: { waiting: { reason: "PodInitializing" } }, lastState: {} },
  });
}

describe("the number of request rounds of kubectl backoff list", () => {
  it.each<[string, SimulatorOptions, readonly string[]]>([
    ["a namespace", {}, []],
    ["a namespace whose node the user may not ask for its configuration", { forbidden: ["nodes/proxy"] }, []],
    ["all namespaces", {}, ["-A"]],
    ["a namespace in which few of many crash", { objects: withLastDown(300) }, []],
    ["all namespaces, in which few of many crash", { objects: withLastDown(150) }, ["-A"]],
  ])("is one more than kubectl get pods takes: %s", async (_, options, argv) => {
    expect(await listRounds(options, ...argv, "-o", "json")).toBe(2);
  });

  it.each<[string, SimulatorOptions, readonly string[]]>([
    ["a namespace", { objects: [aRawPod(), READY_NODE] }, []],
    ["all namespaces", { objects: [aRawPod(), aRawPod({ metadata: { namespace: "shop" } }), READY_NODE] }, ["-A"]],
    ["a namespace with a pod that cannot mount a volume", { objects: [STUCK, READY_NODE] }, []],
  ])("is no more with logs and events: %s", async (_, options, argv) => {
    expect(await listRounds(options, ...argv)).toBe(2);
  });

  it.each<[string, object]>([
    ["an init container", aPodWithInit()],
    ["one of several containers", aPodWithSidecar()],
  ])("is one more for the log of %s, which the table does not name", async (_, pod) => {
    expect(await listRounds({ objects: [pod, READY_NODE] })).toBe(3);
    expect(await listRounds({ objects: [pod, READY_NODE] }, "--tail", "0")).toBe(2);
  });

  it("is one if nothing crashes", async () => {
    expect(await listRounds({ objects: withLastDown(60).slice(0, 58) })).toBe(1);
  });
});

describe("the number of request rounds of kubectl backoff eta", () => {
  it.each<[string, SimulatorOptions, readonly string[], number]>([
    ["two with the logs, one more than kubectl get pods takes", { objects: [aRawPod(), READY_NODE] }, [], 2],
    ["two for a pod whose image cannot be pulled", { objects: [WITHOUT_IMAGE, READY_NODE] }, [], 2],
    ["two for a pod that exceeds its memory limit", { objects: [aPodOutOfMemory(), READY_NODE] }, [], 2],
    ["three if the table shows too few of the logs", {}, [], 3],
    ["three for all namespaces", {}, ["-A"], 3],
    ["three without the right to read logs", { forbidden: ["pods/log"] }, [], 3],
  ])("is %s", async (_, options, argv, rounds) => {
    const { flags } = await cluster(options);
    expect(await roundsOf("eta", ...argv, ...flags)).toBe(rounds);
  });

  it("is two more if a log has a host: for the Services, and for the endpoints and the pods of one", async () => {
    await incident();
    expect(await roundsOf("eta", "-n", "shop")).toBe(4);
  });
});

describe("the number of request rounds of kubectl backoff explain", () => {
  const HASH = "5d8c9f6b7";
  const inProd = (resource: string): string => `/apis/apps/v1/namespaces/prod/${resource}`;

  async function explainRounds(labels: object): Promise<number> {
    const owner = { kind: "ReplicaSet", name: `web-${HASH}` };
    const pod = aRawOwnedPod(owner, "web-0", { ...labels, "pod-template-hash": HASH });
    const { simulator, flags } = await cluster({ objects: [pod, READY_NODE] });
    const set = aRawReplicaSet("web", HASH, 1, "web:1");
    simulator.on(inProd("deployments/web"), JSON.stringify(aRawWorkload("Deployment", "web")));
    simulator.on(inProd(`replicasets/web-${HASH}`), JSON.stringify(set));
    simulator.on(inProd("replicasets"), JSON.stringify({ metadata: {}, items: [set] }));
    return roundsOf("explain", "web-0", ...flags);
  }

  it("is two if the Deployment selects the pod by all labels that selectors usually have", async () => {
    expect(await explainRounds({ app: "web" })).toBe(2);
    expect(await explainRounds({ app: "web", "helm.sh/chart": "web-1.2.0", team: "a" })).toBe(2);
  });

  it("is three if the Deployment selects the pod by only some of these labels", async () => {
    expect(await explainRounds({ app: "web", tier: "frontend" })).toBe(3);
  });
});
