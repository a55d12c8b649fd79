import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import { failure } from "../../lab/watch/api.ts";
import { ObjectLab } from "../../lab/watch/object-lab.ts";
import { nothingElse, whileAllowed } from "../../src/cluster/watch/watch-retry.ts";

const S = 1_000;
const MINUTE = 60 * S;

let lab: ObjectLab;

beforeEach(() => {
  lab = new ObjectLab();
});

describe("the thread of watchObjects()", () => {
  it("does not go back when changes are told again, or in the wrong order", async () => {
    void lab.follow();
    await lab.timers.pass(1 * S);
    for (const name of ["a", "b", "a"]) lab.put(name);
    lab.api.tellAgain(3);
    lab.remove("b");
    lab.api.tellAgain(4);
    lab.end();
    await lab.timers.pass(3 * S);
    expect(lab.told).toEqual(["listed ", "changed a", "changed b", "changed a", "deleted b", "deleted b"]);
    expect(lab.lists).toBe(1);
  });

  it("is there again by itself after an API server that refused everybody for some seconds", async () => {
    const ending = new AbortController();
    const polls: string[] = [];
    const watched = whileAllowed(
      () => lab.follow(),
      async (signal) => {
        polls.push("instead");
        await nothingElse(signal);
      },
      lab.timers,
      ending.signal,
    );
    await lab.timers.pass(1 * S);
    lab.api.refusal = failure("forbidden", 403);
    lab.end();
    await lab.timers.pass(10 * S);
    lab.api.refusal = null;
    lab.put("a");
    await lab.timers.pass(20 * S);
    expect(lab.told.at(-1)).toBe("listed a");
    expect(polls).toEqual(["instead"]);
    ending.abort();
    lab.ending.abort();
    await watched;
    expect(lab.timers.pending).toBe(0);
  });

  it("is tried ever more seldom where rights are missing", async () => {
    lab.api.refusal = failure("forbidden", 403);
    const ending = new AbortController();
    const watched = whileAllowed(() => lab.follow(), nothingElse, lab.timers, ending.signal);
    await lab.timers.pass(60 * MINUTE);
    expect(lab.api.asked.length).toBeGreaterThan(10);
    expect(lab.api.asked.length).toBeLessThan(20);
    ending.abort();
    await watched;
    expect([lab.timers.pending, getEventListeners(ending.signal, "abort").length]).toEqual([0, 0]);
  });
});
