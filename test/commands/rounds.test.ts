import { describe, expect, it } from "vitest";
import type { SimulatorOptions } from "../../lab/api-server/state.ts";
import { aRawPod, READY_NODE } from "../support/api-server.ts";
import { run } from "../support/command.ts";
import { cluster } from "../support/listing.ts";
import { aRawOwnedPod, aRawReplicaSet, aRawWorkload } from "../support/raw-workloads.ts";

/** Runs a command with --debug, and returns how many rounds of requests that took. */
async function roundsOf(...argv: readonly string[]): Promise<number> {
  const { stderr, exitCode } = await run(...argv, "--debug");
  expect(exitCode).toBe(0);
  return Number(/^debug link .*\brounds (\d+)/m.exec(stderr)?.[1]);
}

async function listRounds(options: SimulatorOptions, ...argv: readonly string[]): Promise<number> {
  const { flags } = await cluster(options);
  return roundsOf("list", ...argv, ...flags);
}

/** A namespace in which the last pods of many crash. */
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

describe("the rounds of requests of kubectl backoff list", () => {
  it.each<[string, SimulatorOptions, readonly string[]]>([
    ["a namespace", {}, []],
    ["a namespace whose node the user may not ask for its configuration", { forbidden: ["nodes/proxy"] }, []],
    ["all namespaces", {}, ["-A"]],
    ["a namespace in which few of many crash", { objects: withLastDown(300) }, []],
    ["all namespaces, in which few of many crash", { objects: withLastDown(150) }, ["-A"]],
  ])("is one more than kubectl get pods takes: %s", async (_, options, argv) => {
    expect(await listRounds(options, ...argv, "-o", "json")).toBe(2);
  });

  it.each<[string, SimulatorOptions, readonly string[], number]>([
    ["the same for a namespace, whose pods the table names", { objects: [aRawPod(), READY_NODE] }, [], 2],
    ["one more for all namespaces, which the table does not name", {}, ["-A"], 3],
    ["the same without logs", {}, ["-A", "--tail", "0"], 2],
  ])("with the logs in the table is %s", async (_, options, argv, rounds) => {
    expect(await listRounds(options, ...argv)).toBe(rounds);
  });

  it("is one where nothing crashes", async () => {
    expect(await listRounds({ objects: withLastDown(60).slice(0, 58) })).toBe(1);
  });
});

describe("the rounds of requests of kubectl backoff eta", () => {
  it("is one more than kubectl get pods takes", async () => {
    const { flags } = await cluster();
    expect(await roundsOf("eta", ...flags)).toBe(2);
  });
});

describe("the rounds of requests of kubectl backoff explain", () => {
  const HASH = "5d8c9f6b7";
  const inProd = (resource: string): string => `/apis/apps/v1/namespaces/prod/${resource}`;

  /** Explains a pod with these labels, whose Deployment selects app=web. */
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

  it("is two where the Deployment selects the pod by the usual ones of its labels", async () => {
    expect(await explainRounds({ app: "web" })).toBe(2);
    expect(await explainRounds({ app: "web", "helm.sh/chart": "web-1.2.0", team: "a" })).toBe(2);
  });

  it("is three where it selects the pod by some of them", async () => {
    expect(await explainRounds({ app: "web", tier: "frontend" })).toBe(3);
  });
});
