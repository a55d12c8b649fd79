import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { failure } from "../../lab/watch/api.ts";
import { nameOf, ObjectLab } from "../../lab/watch/object-lab.ts";
import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";
import { watchObjects } from "../../src/cluster/watch/watch-objects.ts";

const S = 1_000;
const MINUTE = 60 * S;

let lab: ObjectLab;

beforeEach(() => {
  lab = new ObjectLab();
});

function endAfterBookmark(): void {
  lab.api.bookmark();
  lab.end();
}

function endAfterChange(): void {
  lab.put("a");
  lab.end();
}

describe("the pauses of watchObjects()", () => {
  it.each([
    { how: "ends at once", answer: () => lab.end() },
    { how: "ends right after a bookmark", answer: () => endAfterBookmark() },
    { how: "ends right after an event", answer: () => endAfterChange() },
  ])("keep a watch that $how from spinning", async ({ answer }) => {
    void lab.follow();
    for (let step = 0; step < 600; step++) {
      await lab.timers.pass(1 * S);
      answer();
    }
    // Ten minutes: the pauses grow to 15 s on average. An event every second is told all the same.
    expect(lab.watches).toBeGreaterThan(20);
    expect(lab.watches).toBeLessThan(70);
    expect(lab.lists).toBe(1);
  });

  it("keep to twelve attempts in any minute, however short chance makes each of them", async () => {
    vi.spyOn(lab.timers, "random").mockReturnValue(0);
    void lab.follow();
    for (let step = 0; step < 6_000; step++) {
      await lab.timers.pass(100);
      endAfterBookmark();
    }
    const beganAtMs = lab.api.asked.filter(({ isWatch }) => isWatch).map(({ atMs }) => atMs);
    expect(beganAtMs.length).toBeGreaterThan(100);
    const spansMs = beganAtMs.slice(12).map((atMs, index) => atMs - (beganAtMs[index] ?? 0));
    expect(Math.min(...spansMs)).toBeGreaterThanOrEqual(1 * MINUTE);
  });

  it("are as long as a server asks for", async () => {
    void lab.follow();
    await lab.timers.pass(1 * S);
    const asked = { message: "too many requests", status: 429, retryAfterMs: 45 * S };
    lab.api.refusal = new RequestFailure("server-error", asked);
    lab.end();
    await lab.timers.pass(10 * MINUTE);
    const refused = lab.api.asked.slice(2).map(({ atMs }) => atMs);
    expect(refused.length).toBeGreaterThan(5);
    const gaps = refused.slice(1).map((atMs, index) => atMs - (refused[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(45 * S);
  });

  it("grow while the server cannot be reached, and end when it can", async () => {
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.refusal = failure("unreachable", 0);
    lab.end();
    await lab.timers.pass(10 * MINUTE);
    expect(lab.watches).toBeLessThan(70);
    const attempts = lab.api.asked.map(({ atMs }) => atMs);
    const gaps = attempts.slice(1).map((atMs, index) => atMs - (attempts[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30 * S);
    expect(Math.max(...gaps.slice(0, 3))).toBeLessThan(4 * S);
    lab.api.refusal = null;
    await lab.timers.pass(31 * S);
    expect(lab.api.open).toBe(1);
  });

  it("are short again after a watch that lasted", async () => {
    void lab.follow();
    for (let round = 0; round < 10; round++) {
      await lab.timers.pass(1 * MINUTE);
      lab.end();
      await lab.timers.pass(1 * S);
      expect(lab.api.open).toBe(1);
    }
  });
});

describe("the end of watchObjects()", () => {
  it("comes with its signal, and leaves nothing behind", async () => {
    const watching = lab.follow();
    await lab.timers.pass(1 * S);
    for (let round = 0; round < 20; round++) {
      lab.end();
      await lab.timers.pass(1 * MINUTE);
    }
    expect(getEventListeners(lab.ending.signal, "abort").length).toBeLessThan(3);
    lab.ending.abort();
    await lab.timers.pass(0);
    await watching;
    expect([lab.api.open, lab.timers.pending, getEventListeners(lab.ending.signal, "abort").length]).toEqual([0, 0, 0]);
  });

  it("comes while it pauses, too", async () => {
    lab.api.refusal = failure("unreachable", 0);
    const watching = lab.follow();
    await lab.timers.pass(2 * MINUTE);
    lab.ending.abort();
    await watching;
    expect(lab.timers.pending).toBe(0);
  });

  it("is a failure where rights are missing, at the beginning or later", async () => {
    const watching = lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.refusal = failure("forbidden", 403);
    lab.end();
    const failing = expect(watching).rejects.toMatchObject({ kind: "forbidden" });
    await lab.timers.pass(2 * S);
    await failing;
  });

  it("is a bug's, if there is one", async () => {
    lab.put("a");
    const handler = { listed: () => nameOf(undefined), changed: () => {}, deleted: () => {}, trouble: () => {} };
    const watching = watchObjects(
      lab.api.connection(),
      { path: "/pods", fieldSelector: "" },
      handler,
      lab.timers,
      lab.ending.signal,
    );
    await expect(watching).rejects.toThrow(TypeError);
  });
});
