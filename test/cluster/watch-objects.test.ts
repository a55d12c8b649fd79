import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { failure, LAB_PATHS } from "../../lab/watch/api.ts";
import { nameOf, ObjectLab } from "../../lab/watch/object-lab.ts";
import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";
import { watchObjects } from "../../src/cluster/watch/watch-objects.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { S } from "../support/builders.ts";

let lab: ObjectLab;

beforeEach(() => {
  lab = new ObjectLab();
});

describe("watchObjects()", () => {
  it("lists the objects, then reports each change", async () => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.put("b");
    lab.remove("a");
    await lab.timers.pass(1 * S);
    expect(lab.told).toEqual(["listed a", "changed b", "deleted a"]);
    expect([lab.lists, lab.watches]).toEqual([1, 1]);
  });

  it.each([
    { how: "ended by the server", act: () => lab.end() },
    { how: "broken by the network", act: () => lab.api.each((pipe) => pipe.end(failure("unreachable", 0))) },
    { how: "cut in the middle of a line", act: () => lab.endAfter('{"type":"ADD') },
    { how: "ended by an error in it", act: () => lab.api.each((pipe) => pipe.send('{"type":"ERROR","object":{}}')) },
  ])("continues from the last version after the watch is $how", async ({ act }) => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    act();
    lab.put("b");
    await lab.timers.pass(3 * S);
    expect(lab.told.filter((line) => !line.startsWith("lost"))).toEqual(["listed a", "changed b"]);
    expect(lab.lists).toBe(1);
  });

  it("continues after the last bookmark, so that the server may forget older versions", async () => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.put("/api/v1/namespaces/prod/events", { metadata: { name: "of another kind" } });
    lab.api.watches.bookmark();
    await lab.timers.pass(1 * S);
    lab.api.watches.compact();
    lab.end();
    await lab.timers.pass(3 * S);
    expect(lab.lists).toBe(1);
    expect(lab.api.open).toBe(1);
  });

  it.each([
    { where: "in the stream", tell: true },
    { where: "to the request", tell: false },
  ])("lists again after a 410 $where", async ({ tell }) => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    if (tell) lab.api.each((pipe) => pipe.send('{"type":"ERROR","object":{"code":410,"message":"too old"}}'));
    else {
      lab.api.refusal = failure("unreachable", 0);
      lab.end();
      lab.put("b");
      lab.api.watches.compact();
      lab.api.refusal = null;
    }
    lab.put("b");
    await lab.timers.pass(5 * S);
    expect(lab.told.at(-1)).toBe("listed a,b");
    expect(lab.lists).toBe(2);
    expect(lab.told.join()).not.toContain("lost");
  });

  it("reconnects within 5m20s if a connection falls silent", async () => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.each((pipe) => pipe.stall());
    lab.put("b");
    await lab.timers.pass(5 * MINUTE_MS + 20 * S);
    expect(lab.told).toEqual(["listed a", "lost: nothing is heard on the connection", "changed b"]);
  });

  it("reconnects within 155s if a connection falls silent after a bookmark", async () => {
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.watches.bookmark();
    await lab.timers.pass(1 * S);
    lab.api.each((pipe) => pipe.stall());
    await lab.timers.pass(155 * S);
    expect(lab.watches).toBe(2);
  });

  it("does not take a quiet watch for a dead one while bookmarks come", async () => {
    void lab.follow();
    for (let minute = 0; minute < 60; minute++) {
      await lab.timers.pass(1 * MINUTE_MS);
      lab.api.watches.bookmark();
    }
    expect(lab.told.join()).not.toContain("lost");
    expect(lab.watches).toBe(1);
  });
});

function endAfterChangeAndBookmark(): void {
  lab.put("a");
  lab.api.watches.bookmark();
  lab.end();
}

describe("the pauses of watchObjects()", () => {
  it("grow for a watch that always ends right after a change and a bookmark", async () => {
    void lab.follow();
    for (let step = 0; step < 600; step++) {
      await lab.timers.pass(1 * S);
      endAfterChangeAndBookmark();
    }
    // In these ten minutes, the pauses grow, although an event arrives every second.
    expect(lab.watches).toBeGreaterThan(20);
    expect(lab.watches).toBeLessThan(70);
    expect(lab.lists).toBe(1);
  });

  it("allow at most twelve attempts in any minute, even if jitter makes each pause 0", async () => {
    vi.spyOn(lab.timers, "random").mockReturnValue(0);
    void lab.follow();
    for (let step = 0; step < 6_000; step++) {
      await lab.timers.pass(100);
      endAfterChangeAndBookmark();
    }
    const beganAtMs = lab.api.asked.filter(({ isWatch }) => isWatch).map(({ atMs }) => atMs);
    expect(beganAtMs.length).toBeGreaterThan(100);
    const spansMs = beganAtMs.slice(12).map((atMs, index) => atMs - (beganAtMs[index] ?? 0));
    expect(Math.min(...spansMs)).toBeGreaterThanOrEqual(1 * MINUTE_MS);
  });

  it("are at least as long as Retry-After", async () => {
    void lab.follow();
    await lab.timers.pass(1 * S);
    const asked = { message: "too many requests", status: 429, retryAfterMs: 45 * S };
    lab.api.refusal = new RequestFailure("server-error", asked);
    lab.end();
    await lab.timers.pass(10 * MINUTE_MS);
    const refused = lab.api.asked.slice(2).map(({ atMs }) => atMs);
    expect(refused.length).toBeGreaterThan(5);
    const gaps = refused.slice(1).map((atMs, index) => atMs - (refused[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(45 * S);
  });

  it("go on while the server cannot be reached, and end when it can", async () => {
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.refusal = failure("unreachable", 0);
    lab.end();
    await lab.timers.pass(10 * MINUTE_MS);
    lab.api.refusal = null;
    await lab.timers.pass(31 * S);
    expect(lab.api.open).toBe(1);
  });

  it("grow to 30 s with full jitter, and are short again only after a watch of 30 s", async () => {
    vi.spyOn(lab.timers, "random").mockReturnValue(0.999);
    void lab.follow();
    const pausesS: number[] = [];
    for (const livedS of [1, 1, 1, 1, 1, 1, 28, 30, 1]) {
      await lab.timers.pass(livedS * S);
      lab.end();
      let seconds = 0;
      for (; lab.api.open === 0; seconds++) await lab.timers.pass(1 * S);
      pausesS.push(seconds);
    }
    expect(pausesS).toEqual([1, 2, 4, 8, 16, 30, 30, 1, 2]);
  });
});

describe("the end of watchObjects()", () => {
  it("comes with its signal, and leaves nothing behind", async () => {
    const watching = lab.follow();
    await lab.timers.pass(1 * S);
    for (let round = 0; round < 20; round++) {
      lab.end();
      await lab.timers.pass(1 * MINUTE_MS);
    }
    expect(getEventListeners(lab.ending.signal, "abort").length).toBeLessThan(3);
    lab.ending.abort();
    await lab.timers.pass(0);
    await watching;
    expect([lab.api.open, lab.timers.pending, getEventListeners(lab.ending.signal, "abort").length]).toEqual([0, 0, 0]);
  });

  it("comes with its signal while it lists, and then nothing is reported", async () => {
    lab.put("a");
    const watching = lab.follow();
    lab.ending.abort();
    await lab.timers.pass(0);
    await watching;
    expect(lab.told).toEqual([]);
  });

  it("comes with its signal while it pauses, too", async () => {
    lab.api.refusal = failure("unreachable", 0);
    const watching = lab.follow();
    await lab.timers.pass(2 * MINUTE_MS);
    lab.ending.abort();
    await watching;
    expect(lab.timers.pending).toBe(0);
  });

  it("is a failure when the right to watch is withdrawn", async () => {
    const watching = lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.refusal = failure("forbidden", 403);
    lab.end();
    const failing = expect(watching).rejects.toMatchObject({ kind: "forbidden" });
    await lab.timers.pass(2 * S);
    await failing;
  });

  it("is the error that a handler throws", async () => {
    lab.put("a");
    const handler = {
      listed: () => nameOf(undefined),
      changed: () => {},
      deleted: () => {},
      connectionChanged: () => {},
    };
    const on = { connection: lab.api.connection(), timers: lab.timers, signal: lab.ending.signal };
    const watching = watchObjects(on, { path: LAB_PATHS.pods, fieldSelector: "" }, handler);
    await expect(watching).rejects.toThrow(TypeError);
  });
});
