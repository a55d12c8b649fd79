import { getEventListeners, once } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import { failure } from "../../lab/watch/api.ts";
import { ObjectLab } from "../../lab/watch/object-lab.ts";
import { VirtualTimers } from "../../lab/watch/virtual-timers.ts";
import { ServerClock } from "../../src/cluster/api/server-clock.ts";
import { sleep } from "../../src/cluster/connection/timers.ts";
import { KnownVersions } from "../../src/cluster/watch/object-watch.ts";
import { whileAllowed } from "../../src/cluster/watch/watch-retry.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { S } from "../support/builders.ts";

let lab: ObjectLab;

beforeEach(() => {
  lab = new ObjectLab();
});

describe("watchObjects() across broken connections", () => {
  it("ignores repeated changes in any order, but reports a repeated deletion again", async () => {
    void lab.follow();
    await lab.timers.pass(1 * S);
    for (const name of ["a", "b", "a"]) lab.put(name);
    lab.api.watches.repeat(3);
    lab.remove("b");
    lab.api.watches.repeat(4);
    lab.end();
    await lab.timers.pass(3 * S);
    expect(lab.told).toEqual(["listed ", "changed a", "changed b", "changed a", "deleted b", "deleted b"]);
    expect(lab.lists).toBe(1);
  });

  it("reconnects by itself after an API server has rejected all clients for some seconds", async () => {
    const ending = new AbortController();
    const polls: string[] = [];
    const watched = whileAllowed(
      { timers: lab.timers, signal: ending.signal },
      () => lab.follow(),
      async (signal) => {
        polls.push("instead");
        await once(signal, "abort");
      },
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

  it("retries with growing pauses without the right to watch", async () => {
    lab.api.refusal = failure("forbidden", 403);
    const ending = new AbortController();
    const watched = whileAllowed({ timers: lab.timers, signal: ending.signal }, () => lab.follow());
    await lab.timers.pass(60 * MINUTE_MS);
    expect(lab.api.asked.length).toBeGreaterThan(10);
    expect(lab.api.asked.length).toBeLessThan(20);
    ending.abort();
    await watched;
    expect([lab.timers.pending, getEventListeners(ending.signal, "abort").length]).toEqual([0, 0]);
  });
});

function object(uid: string, resourceVersion: string): object {
  return { metadata: { uid, resourceVersion } };
}

describe("KnownVersions", () => {
  it.each([
    { why: "no change twice, and no change that is older than the last", versions: "5 7 7 6 8", taken: "5 7 8" },
    { why: "no change from before the beginning of the watch", since: "10", versions: "9 10 11", taken: "11" },
    {
      why: "a change whose version cannot be compared, but only once",
      since: "10",
      versions: "abc abc 10",
      taken: "abc",
    },
  ])("takes $why", ({ since, versions, taken }) => {
    const known = new KnownVersions();
    if (since !== undefined) known.beginAfter(since);
    expect(versions.split(" ").filter((version) => known.addIfNew(object("a", version), false))).toEqual(
      taken.split(" "),
    );
  });

  it("takes a deletion with the version of the last change, but none from before it", () => {
    const known = new KnownVersions();
    known.addIfNew(object("a", "10"), false);
    expect(known.addIfNew(object("a", "9"), true)).toBe(false);
    expect(known.addIfNew(object("a", "10"), true)).toBe(true);
  });

  it("starts over with a list, because a restored server counts from lower numbers", () => {
    const known = new KnownVersions();
    known.beginAfter("1000");
    known.addIfNew(object("a", "1001"), false);
    known.clear();
    known.beginAfter("50");
    expect(known.addIfNew(object("a", "51"), false)).toBe(true);
  });

  it("remembers the latest thousand objects, and takes what has no version", () => {
    const known = new KnownVersions();
    for (let index = 0; index < 1_100; index++) known.addIfNew(object(`${index}`, "10"), false);
    expect(known.addIfNew(object("1099", "9"), false)).toBe(false);
    expect(known.addIfNew(object("0", "9"), false)).toBe(true);
    expect(known.addIfNew({ metadata: { name: "a" } }, false)).toBe(true);
  });
});

describe("ServerClock", () => {
  /** Simulates a Date header that was written halfway through the request. */
  const hear = (clock: ServerClock, localMs: number, tookMs = 20, aheadMs = 3_700): void =>
    clock.heard(Math.floor((localMs + aheadMs - tookMs / 2) / 1000) * 1000, localMs - tookMs, localMs);

  it("is unknown before the first answer with a Date header", () => {
    const clock = new ServerClock();
    clock.heard(null, 0, 1);
    expect([clock.isSet, clock.nowMs(5)]).toEqual([false, null]);
  });

  it("is right to half a second after one answer, and to 60 ms after thirty", () => {
    const clock = new ServerClock();
    const error = (localMs: number): number => Math.abs((clock.nowMs(localMs) ?? 0) - localMs - 3_700);
    hear(clock, 100_000);
    expect(error(100_000)).toBeLessThanOrEqual(510);
    for (let index = 0; index < 30; index++) hear(clock, 100_000 + index * 137);
    expect(error(104_000)).toBeLessThan(60);
  });

  it("follows a server's clock that drifts, and one that is set back", () => {
    const clock = new ServerClock();
    for (let second = 0; second < 86_400; second += 60) hear(clock, second * 1000, 20, 3_700 + second * 0.1);
    expect(clock.nowMs(86_400_000)).toBeGreaterThan(86_400_000 + 3_700 + 8_640 - 700);
    expect(clock.nowMs(86_400_000)).toBeLessThan(86_400_000 + 3_700 + 8_640 + 700);
    hear(clock, 86_400_000, 20, -3_600_000);
    expect(clock.nowMs(86_400_000)).toBeLessThan(86_400_000 - 3_599_000);
  });
});

describe("sleep()", () => {
  it("ends after the time or with its signal, and immediately if the signal has already come", async () => {
    const timers = new VirtualTimers();
    const ending = new AbortController();
    const woken: string[] = [];
    void sleep(timers, 1_000, ending.signal).then(() => woken.push("by time"));
    void sleep(timers, 9_000, ending.signal).then(() => woken.push("by the signal"));
    await timers.pass(1_000);
    expect(woken).toEqual(["by time"]);
    ending.abort();
    await timers.pass(0);
    await sleep(timers, 9_000, ending.signal);
    expect([woken, timers.pending]).toEqual([["by time", "by the signal"], 0]);
  });
});
