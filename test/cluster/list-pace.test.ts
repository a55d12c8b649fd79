import { gzipSync } from "node:zlib";
import nock from "nock";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { paced } from "../../src/cluster/api/list-pace.ts";
import { useFakeApiServer } from "../support/api-server.ts";
import { SERVER, writeKubeconfig } from "../support/kubeconfig.ts";

const ANSWER = { body: {}, serverClockMs: null };

/** Answers after a moment, and counts how many wait for it. */
function slowServer(): { get: () => Promise<typeof ANSWER>; most: () => number } {
  let [waiting, most] = [0, 0];
  return {
    most: () => most,
    get: async () => {
      most = Math.max(most, ++waiting);
      await new Promise((resolve) => setTimeout(resolve, 5));
      waiting--;
      return ANSWER;
    },
  };
}

describe("paced()", () => {
  it("lets only so many requests wait at the same time, of both kinds together", async () => {
    const server = slowServer();
    const { ask, askEach } = paced(server, { atOnce: 3, perSecond: 1_000_000, burst: 1 });
    await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? ask : askEach)("/", {})));
    expect(server.most()).toBe(3);
  });

  it("sends many no faster than the rate, once the burst is used up", async () => {
    const startedAtMs = performance.now();
    const { askEach } = paced(slowServer(), { atOnce: 100, perSecond: 100, burst: 10 });
    await Promise.all(Array.from({ length: 30 }, () => askEach("/", {})));
    expect(performance.now() - startedAtMs).toBeGreaterThan(190);
  });
});

describe("get() of a compressed answer", () => {
  useFakeApiServer();

  const get = (): Promise<unknown> => connect({ kubeconfig: writeKubeconfig(), env: {} }).get("/api/v1/pods");
  const compressed = gzipSync(JSON.stringify({ items: ["ü".repeat(1000)] }));
  const server = () => nock(SERVER, { reqheaders: { "accept-encoding": "gzip" } }).get("/api/v1/pods");

  it("reads it", async () => {
    server().reply(200, compressed, { "Content-Encoding": "gzip" });
    await expect(get()).resolves.toMatchObject({ body: { items: ["ü".repeat(1000)] } });
  });

  it("fails if it is cut off", async () => {
    server().reply(200, compressed.subarray(0, 30), { "Content-Encoding": "gzip" });
    await expect(get()).rejects.toMatchObject({ kind: "bad-answer" });
  });
});
