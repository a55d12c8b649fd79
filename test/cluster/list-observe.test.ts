import { describe, expect, it } from "vitest";
import type { CrowdOptions } from "../../lab/api-server/crowd.ts";
import { asked, keysOf, partsOf, podsOf, simulatorFor, troubledKeys } from "../support/listing.ts";
import { aRawPod, SERVER_CLOCK_MS } from "../support/raw-objects.ts";

describe("observeList()", () => {
  it.each<CrowdOptions & { hasTables?: boolean; why: string }>([
    { why: "a few pods fail, far apart", pods: 2_600, troubled: 7 },
    { why: "one pod in fifty fails", pods: 2_600, troubled: 52 },
    { why: "all pods of some workloads fail", pods: 2_600, troubled: 60, spread: "workloads" },
    { why: "all pods fail", pods: 1_200, troubled: 1_200 },
    { why: "no pod fails", pods: 1_200 },
    { why: "there are no pods", pods: 0 },
    { why: "a few pods fail, and the server has no tables", pods: 1_200, troubled: 24, hasTables: false },
  ])("finds every failing pod, once: $why", async ({ why: _, hasTables = true, ...crowd }) => {
    const simulator = await simulatorFor({ crowd, hasTables });
    const pods = await podsOf(partsOf(simulator));
    const keys = keysOf(pods);
    expect(keys).toEqual([...new Set(keys)].sort());
    const troubled = troubledKeys(crowd);
    expect(keys.filter((key) => troubled.includes(key))).toEqual(troubled);
  });

  it("finds the failing pods of one namespace, or those that a label selector matches", async () => {
    const crowd = { pods: 900, troubled: 90, namespaces: 3 };
    const simulator = await simulatorFor({ crowd });
    const expected = troubledKeys(crowd).filter((key) => key.startsWith("team-001/"));
    const found = keysOf(await podsOf(partsOf(simulator, { namespace: "team-001" })));
    expect(found).toEqual(expect.arrayContaining(expected));
    const selected = keysOf(await podsOf(partsOf(simulator, { labelSelector: "app in (app-0001,app-0002)" })));
    expect(selected.length).toBeGreaterThan(0);
    expect(selected.every((key) => /app-000[12]/.test(key))).toBe(true);
  });

  it("requests one table, and no nodes, if nothing fails", async () => {
    const simulator = await simulatorFor({ objects: podsWhere(20, () => false) });
    await podsOf(partsOf(simulator));
    expect(asked(simulator)).toEqual(["table 500"]);
  });

  it("reads only the part of a page in which pods fail", async () => {
    const crowd = { pods: 500, troubled: 10, spread: "workloads" } as const;
    const simulator = await simulatorFor({ crowd });
    await podsOf(partsOf(simulator));
    const whole = asked(simulator).filter((request) => request.startsWith("whole"));
    expect(whole).toHaveLength(1);
    expect(Number(whole[0]?.split(" ")[1])).toBeLessThan(500);
  });

  it("reads a few failing pods of a large namespace one by one, and leaves out one that is deleted meanwhile", async () => {
    const simulator = await simulatorFor({ objects: podsWhere(450, (index) => [0, 200, 449].includes(index)) });
    simulator.fail({ path: "/pods/web-0200", fault: { status: 404 } });
    const keys = keysOf(await podsOf(partsOf(simulator, { namespace: "prod" })));
    expect(keys).toEqual(["prod/web-0000", "prod/web-0449"]);
    expect(asked(simulator).filter((request) => request === "pod")).toHaveLength(3);
  });

  it("reads whole pages while most pods fail, and tables after that", async () => {
    const simulator = await simulatorFor({ objects: podsWhere(2_000, (index) => index < 1_000) });
    await podsOf(partsOf(simulator));
    const forms = asked(simulator).filter((request) => !request.startsWith("node"));
    expect(forms).toEqual(["table 500", "whole 250", "whole 500", ...Array(3).fill("whole 250"), "table 500"]);
  });

  it("keeps to ten requests at a time", async () => {
    const simulator = await simulatorFor({ objects: podsWhere(2_500, (index) => index % 100 === 0) });
    expect(await podsOf(partsOf(simulator, { namespace: "prod" }))).toHaveLength(25);
    expect(simulator.mostAtOnce()).toBeLessThanOrEqual(10);
  });

  it.each([true, false])("finds a pod that crash-loops but is up, of a server with tables: %s", async (hasTables) => {
    const times = { startedAt: "2026-11-21T12:06:00Z", finishedAt: "2026-11-21T12:06:05Z" };
    const lastState = { terminated: { exitCode: 1, ...times } };
    const objects = [
      aHealthyPod("web-0"),
      aHealthyPod("web-1", { restartCount: 6, state: { running: { startedAt: "2026-11-21T12:09:00Z" } }, lastState }),
      aHealthyPod("web-2", { restartCount: 6, state: { running: { startedAt: "2026-11-21T11:09:00Z" } } }),
    ];
    const simulator = await simulatorFor({ objects, hasTables, clock: () => SERVER_CLOCK_MS });
    expect(keysOf(await podsOf(partsOf(simulator)))).toContain("prod/web-1");
    expect(keysOf(await podsOf(partsOf(simulator)))).not.toContain("prod/web-2");
  });

  it("gives every part the server's time at the beginning", async () => {
    let nowMs = SERVER_CLOCK_MS;
    const simulator = await simulatorFor({ crowd: { pods: 1_200, troubled: 24 }, clock: () => nowMs });
    const moments: number[] = [];
    for await (const { atMs } of partsOf(simulator)) {
      moments.push(atMs);
      nowMs += 60_000;
    }
    expect(moments.length).toBeGreaterThan(2);
    expect(new Set(moments)).toEqual(new Set([SERVER_CLOCK_MS]));
  });

  it("knows the version of each node's kubelet, and reports as missing only what it has not requested", async () => {
    const simulator = await simulatorFor({ crowd: { pods: 50, troubled: 10 }, kubelet: { version: "v1.34.4" } });
    const placed = (await podsOf(partsOf(simulator))).filter(({ pod }) => pod.nodeName !== null);
    expect(placed.length).toBeGreaterThan(0);
    for (const { node, missing } of placed) {
      expect(node?.kubeletVersion).toBe("v1.34.4");
      expect(missing.filter(({ why }) => why !== "not-asked")).toEqual([]);
    }
  });

  it("works without the right to read nodes", async () => {
    const simulator = await simulatorFor({ crowd: { pods: 50, troubled: 10 }, forbidden: ["nodes"] });
    const [first] = await podsOf(partsOf(simulator));
    expect(first?.node).toBeNull();
    expect(first?.missing).toContainEqual({ what: "node", why: "forbidden" });
  });
});

function podsWhere(count: number, isBroken: (index: number) => boolean): object[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `web-${String(index).padStart(4, "0")}`;
    return isBroken(index) ? aRawPod({ metadata: { name } }) : aHealthyPod(name);
  });
}

function aHealthyPod(name: string, more: object = {}): object {
  const state = { running: { startedAt: "2026-11-21T12:00:02Z" } };
  const running = { name: "app", ready: true, started: true, restartCount: 0, state, ...more };
  return { ...aRawPod({ metadata: { name } }), status: { phase: "Running", containerStatuses: [running] } };
}
