import { describe, expect, it } from "vitest";
import { keysOf, partsOf, podsOf, simulatorFor, troubledKeys } from "../support/listing.ts";

const CROWD = { pods: 3_000, looping: 60 } as const;

describe("observeList() of a server that", () => {
  it("forgets the list's version on the way: goes on where it was, without a pod twice", async () => {
    const simulator = await simulatorFor({ crowd: CROWD });
    const parts = partsOf(simulator);
    const before = (await parts.next()).value.pods;
    simulator.expire();
    const keys = [...keysOf(before), ...keysOf(await podsOf(parts))];
    expect(keys).toEqual([...new Set(keys)].sort());
    expect(keys).toEqual(expect.arrayContaining(troubledKeys(CROWD)));
  });

  it("forgets the version and cannot go on: begins anew, without a pod twice", async () => {
    const simulator = await simulatorFor({ crowd: CROWD });
    simulator.fail({ path: "continue=", fault: { status: 410 }, after: 3, times: 2 });
    const keys = keysOf(await podsOf(partsOf(simulator)));
    expect(keys).toEqual([...new Set(keys)].sort());
    expect(keys).toEqual(expect.arrayContaining(troubledKeys(CROWD)));
  });

  it("forgets every version at once: gives up", async () => {
    const simulator = await simulatorFor({ crowd: CROWD });
    simulator.fail({ path: "/pods", fault: { status: 410, message: "too old" } });
    await expect(podsOf(partsOf(simulator))).rejects.toMatchObject({ code: "serverError" });
    expect(simulator.requests.length).toBeLessThan(10);
  });

  it("is busy: asks again when it is told to", async () => {
    const simulator = await simulatorFor({ crowd: CROWD });
    const busy = { status: 429, message: "Too many requests", headers: { "Retry-After": "1" } };
    simulator.fail({ path: "/pods", fault: busy, after: 2, times: 1 });
    const keys = keysOf(await podsOf(partsOf(simulator)));
    expect(keys).toEqual(expect.arrayContaining(troubledKeys(CROWD)));
  });

  it.each([
    { fault: { status: 500, message: "etcd is gone" }, code: "serverError" },
    { fault: { status: 403 }, code: "forbidden" },
    { fault: "cut-off", code: "unreachable" },
    { fault: "hung-up", code: "unreachable" },
    { fault: "stalled", code: "timeout" },
  ] as const)("fails on the way ($code): says so, after what was there before", async ({ fault, code }) => {
    const simulator = await simulatorFor({ crowd: CROWD });
    simulator.fail({ path: "continue=", fault, after: 4 });
    const found: string[] = [];
    const reading = (async () => {
      for await (const { pods } of partsOf(simulator, {}, 2_000)) found.push(...keysOf(pods));
    })();
    await expect(reading).rejects.toMatchObject({ name: "UserError", code });
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(60);
  });

  it("is slow: waits for it", async () => {
    const simulator = await simulatorFor({ crowd: { pods: 20, looping: 2 } });
    simulator.fail({ path: "/pods", fault: { delayMs: 300 } });
    await expect(podsOf(partsOf(simulator))).resolves.not.toEqual([]);
  });

  it("answers with something else: says that it is no list", async () => {
    const simulator = await simulatorFor({});
    simulator.on("/api/v1/pods", '{"kind":"Status"}');
    await expect(podsOf(partsOf(simulator))).rejects.toMatchObject({ code: "badAnswer" });
    simulator.on("/api/v1/pods", "<html>");
    await expect(podsOf(partsOf(simulator))).rejects.toMatchObject({ code: "badAnswer" });
  });
});
