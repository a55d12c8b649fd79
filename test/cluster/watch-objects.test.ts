import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import { watchObjects } from "../../src/cluster/watch-objects.ts";
import { failure, LabApi } from "../support/watch-lab/api.ts";
import { VirtualTimers } from "../support/watch-lab/virtual-timers.ts";

const PATH = "/api/v1/namespaces/prod/pods";
const S = 1_000;
const MINUTE = 60 * S;

let timers: VirtualTimers;
let api: LabApi;
let told: string[];
let ending: AbortController;

beforeEach(() => {
  timers = new VirtualTimers();
  api = new LabApi(timers);
  told = [];
  ending = new AbortController();
});

const nameOf = (object: unknown): string => (object as { metadata: { name: string } }).metadata.name;

function follow(): Promise<void> {
  const handler = {
    listed: (objects: readonly unknown[]) => void told.push(`listed ${objects.map(nameOf)}`),
    changed: (object: unknown) => void told.push(`changed ${nameOf(object)}`),
    deleted: (object: unknown) => void told.push(`deleted ${nameOf(object)}`),
    trouble: (trouble: Error | null) => void (trouble !== null && told.push(`trouble: ${trouble.message}`)),
  };
  const source = { path: PATH, fieldSelector: "metadata.name=web-0" };
  return watchObjects(api.connection(), source, handler, timers, ending.signal);
}

function put(name: string): void {
  api.put(PATH, { metadata: { name } });
}

function endAfter(text: string): void {
  api.each((pipe) => {
    pipe.send(text);
    pipe.end();
  });
}

function endAfterBookmark(): void {
  api.bookmark();
  api.each((pipe) => pipe.end());
}

function endAfterChange(): void {
  put("a");
  api.each((pipe) => pipe.end());
}

const watches = (): number => api.asked.filter(({ isWatch }) => isWatch).length;
const lists = (): number => api.asked.length - watches();

describe("watchObjects()", () => {
  it("lists what there is, then tells every change as it comes", async () => {
    put("a");
    void follow();
    await timers.pass(1 * S);
    put("b");
    api.remove(PATH, "a");
    await timers.pass(1 * S);
    expect(told).toEqual(["listed a", "changed b", "deleted a"]);
    expect([lists(), watches()]).toEqual([1, 1]);
  });

  it.each([
    { how: "ended by the server", act: () => api.each((pipe) => pipe.end()) },
    { how: "broken by the network", act: () => api.each((pipe) => pipe.end(failure("unreachable", 0))) },
    { how: "cut in the middle of a line", act: () => endAfter('{"type":"ADD') },
    {
      how: "ended by an error in the stream",
      act: () => api.each((pipe) => pipe.send('{"type":"ERROR","object":{}}')),
    },
  ])("takes the thread up where it was when the watch is $how", async ({ act }) => {
    put("a");
    void follow();
    await timers.pass(1 * S);
    act();
    put("b");
    await timers.pass(3 * S);
    expect(told.filter((line) => !line.startsWith("trouble"))).toEqual(["listed a", "changed b"]);
    expect(lists()).toBe(1);
  });

  it("begins after the last bookmark, so that what was long ago may be forgotten", async () => {
    put("a");
    void follow();
    await timers.pass(1 * S);
    api.put("/api/v1/namespaces/prod/events", { metadata: { name: "of another kind" } });
    api.bookmark();
    await timers.pass(1 * S);
    api.compact();
    api.each((pipe) => pipe.end());
    await timers.pass(3 * S);
    expect(lists()).toBe(1);
    expect(api.open).toBe(1);
  });

  it.each([
    { where: "in the stream", tell: true },
    { where: "to the request", tell: false },
  ])("lists anew when the server answers 410 $where", async ({ tell }) => {
    put("a");
    void follow();
    await timers.pass(1 * S);
    if (tell) api.each((pipe) => pipe.send('{"type":"ERROR","object":{"code":410,"message":"too old"}}'));
    else {
      api.refusal = failure("unreachable", 0);
      api.each((pipe) => pipe.end());
      put("b");
      api.compact();
      api.refusal = null;
    }
    put("b");
    await timers.pass(5 * S);
    expect(told.at(-1)).toBe("listed a,b");
    expect(lists()).toBe(2);
    expect(told.join()).not.toContain("trouble");
  });

  it("notices a connection on which nothing comes any more", async () => {
    put("a");
    void follow();
    await timers.pass(1 * S);
    api.each((pipe) => pipe.stall());
    put("b");
    await timers.pass(5 * MINUTE + 20 * S);
    expect(told).toEqual(["listed a", "trouble: nothing is heard on the connection", "changed b"]);
  });

  it("notices it sooner where bookmarks have come", async () => {
    void follow();
    await timers.pass(1 * S);
    api.bookmark();
    await timers.pass(1 * S);
    api.each((pipe) => pipe.stall());
    await timers.pass(155 * S);
    expect(watches()).toBe(2);
  });

  it("does not take a quiet watch for a dead one while bookmarks come", async () => {
    void follow();
    for (let minute = 0; minute < 60; minute++) {
      await timers.pass(1 * MINUTE);
      api.bookmark();
    }
    expect(told.join()).not.toContain("trouble");
    expect(watches()).toBe(1);
  });
});

describe("the pauses of watchObjects()", () => {
  it.each([
    { how: "ends at once", answer: () => api.each((pipe) => pipe.end()) },
    { how: "ends right after a bookmark", answer: () => endAfterBookmark() },
    { how: "ends right after an event", answer: () => endAfterChange() },
  ])("keep a watch that $how from spinning", async ({ answer }) => {
    void follow();
    for (let step = 0; step < 600; step++) {
      await timers.pass(1 * S);
      answer();
    }
    // Ten minutes: the pauses grow to 15 s on average. An event every second is told all the same.
    expect(watches()).toBeGreaterThan(20);
    expect(watches()).toBeLessThan(70);
    expect(lists()).toBe(1);
  });

  it("grow while the server cannot be reached, and end when it can", async () => {
    void follow();
    await timers.pass(1 * S);
    api.refusal = failure("unreachable", 0);
    api.each((pipe) => pipe.end());
    await timers.pass(10 * MINUTE);
    expect(watches()).toBeLessThan(70);
    const attempts = api.asked.map(({ atMs }) => atMs);
    const gaps = attempts.slice(1).map((atMs, index) => atMs - (attempts[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30 * S);
    expect(Math.max(...gaps.slice(0, 3))).toBeLessThan(4 * S);
    api.refusal = null;
    await timers.pass(31 * S);
    expect(api.open).toBe(1);
  });

  it("are short again after a watch that lasted", async () => {
    void follow();
    for (let round = 0; round < 10; round++) {
      await timers.pass(1 * MINUTE);
      api.each((pipe) => pipe.end());
      await timers.pass(1 * S);
      expect(api.open).toBe(1);
    }
  });
});

describe("the end of watchObjects()", () => {
  it("comes with its signal, and leaves nothing behind", async () => {
    const watching = follow();
    await timers.pass(1 * S);
    for (let round = 0; round < 20; round++) {
      api.each((pipe) => pipe.end());
      await timers.pass(1 * MINUTE);
    }
    expect(getEventListeners(ending.signal, "abort").length).toBeLessThan(3);
    ending.abort();
    await timers.pass(0);
    await watching;
    expect([api.open, timers.pending, getEventListeners(ending.signal, "abort").length]).toEqual([0, 0, 0]);
  });

  it("comes while it pauses, too", async () => {
    api.refusal = failure("unreachable", 0);
    const watching = follow();
    await timers.pass(2 * MINUTE);
    ending.abort();
    await watching;
    expect(timers.pending).toBe(0);
  });

  it("is a failure where rights are missing, at the beginning or later", async () => {
    const watching = follow();
    await timers.pass(1 * S);
    api.refusal = failure("forbidden", 403);
    api.each((pipe) => pipe.end());
    const failing = expect(watching).rejects.toMatchObject({ kind: "forbidden" });
    await timers.pass(2 * S);
    await failing;
  });

  it("is a bug's, if there is one", async () => {
    put("a");
    const handler = { listed: () => nameOf(undefined), changed: () => {}, deleted: () => {}, trouble: () => {} };
    const watching = watchObjects(api.connection(), { path: PATH, fieldSelector: "" }, handler, timers, ending.signal);
    await expect(watching).rejects.toThrow(TypeError);
  });
});
