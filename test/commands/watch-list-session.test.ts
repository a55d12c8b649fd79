import { beforeEach, describe, expect, it } from "vitest";
import { failure } from "../../lab/watch/api.ts";
import { ListLab } from "../../lab/watch/list-lab.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { S } from "../support/builders.ts";

let lab: ListLab;

beforeEach(() => {
  lab = new ListLab();
});

describe("ListSession", () => {
  it("lists once, and shows each change once, soon after it", async () => {
    lab.down("web-0");
    void lab.follow();
    await lab.timers.pass(10 * S);
    lab.down("web-0", 6);
    lab.down("web-1");
    await lab.timers.pass(200);
    expect(lab.told).toEqual(["web-0 5", "web-0 6", "web-1 5"]);
    lab.up("web-0", 6);
    lab.remove("web-1");
    await lab.timers.pass(60 * MINUTE_MS);
    expect(lab.told.slice(3).sort()).toEqual(["web-0 up", "web-1 up"]);
    expect(lab.lists).toBe(1);
  });

  it("shows what happened between the list and the watch", async () => {
    const connection = lab.api.connection();
    let isFirst = true;
    void lab.follow({
      ...connection,
      stream: (path, options) => {
        if (isFirst) lab.down("web-0");
        isFirst = false;
        return connection.stream(path, options);
      },
    });
    await lab.timers.pass(2 * S);
    expect(lab.told).toEqual(["web-0 5"]);
  });

  it("explains the pods again as time passes: a wait is over", async () => {
    lab.down("web-0");
    void lab.follow();
    await lab.timers.pass(2 * S);
    expect(lab.frames.at(-1)?.list.items).toMatchObject([{ state: "backing-off" }]);
    await lab.timers.pass(20 * MINUTE_MS);
    expect(lab.frames.at(-1)?.list.items).toMatchObject([{ state: "restarting" }]);
    expect(lab.lists).toBe(1);
  });

  it("keeps a pod that is up again until its back-off has reset", async () => {
    lab.down("web-0");
    void lab.follow();
    await lab.timers.pass(10 * MINUTE_MS);
    lab.up("web-0", 6, new Date(lab.timers.nowMs()).toISOString());
    await lab.timers.pass(9 * MINUTE_MS);
    expect(lab.frames.at(-1)?.list.items).toMatchObject([{ state: "running", restartCount: 6, nextRestart: null }]);
    await lab.timers.pass(2 * MINUTE_MS);
    expect(lab.frames.at(-1)?.list.items).toEqual([]);
    expect([lab.lists, lab.session?.podCount]).toEqual([1, 0]);
  });

  it("keeps a pod that is up again by the API server's clock if the local clock is ahead", async () => {
    lab.laptop.clockOffMs = 30 * MINUTE_MS;
    lab.down("web-0");
    void lab.follow();
    await lab.timers.pass(MINUTE_MS);
    lab.up("web-0", 6, new Date(lab.timers.nowMs()).toISOString());
    await lab.timers.pass(MINUTE_MS);
    expect(lab.frames.at(-1)?.list.items).toMatchObject([{ state: "running", restartCount: 6 }]);
  });

  it("shows a pod that has not been Ready for 2 minutes, and immediately when it is Ready again", async () => {
    void lab.follow();
    await lab.timers.pass(10 * S);
    lab.unready("web-0");
    await lab.timers.pass(2 * MINUTE_MS - 10 * S);
    expect(lab.told).toEqual([]);
    await lab.timers.pass(20 * S);
    expect(lab.told).toEqual(["web-0 not Ready"]);
    lab.up("web-0", 0);
    await lab.timers.pass(200);
    expect(lab.told).toEqual(["web-0 not Ready", "web-0 Ready"]);
    expect(lab.lists).toBe(1);
  });

  it("gives a frame every second, and leaves nothing behind when it ends", async () => {
    const ended = lab.follow();
    await lab.timers.pass(60 * S);
    const moments = lab.frames.map(({ list }) => list.atMs);
    expect(new Set(moments.slice(1).map((atMs, index) => atMs - (moments[index] ?? 0)))).toEqual(new Set([1 * S]));
    expect(moments.length).toBeGreaterThanOrEqual(60);
    lab.session?.end();
    await lab.timers.pass(0);
    await ended;
    expect([lab.timers.pending, lab.api.open]).toEqual([0, 0]);
  });

  it("reads all nodes at first, and a new node once when a pod is on it", async () => {
    const asked = () => lab.api.asked.filter(({ path }) => path.includes("/nodes")).map(({ path }) => path);
    lab.down("web-0");
    void lab.follow();
    await lab.timers.pass(5 * S);
    lab.api.put("/api/v1/nodes", { metadata: { name: "node-b" } });
    for (const restarts of [6, 7, 8]) {
      lab.down("web-0", restarts);
      lab.down("web-1", restarts, "node-b");
      lab.down("web-2", restarts, "node-c");
      await lab.timers.pass(5 * S);
    }
    expect(asked()).toEqual(["/api/v1/nodes", "/api/v1/nodes/node-b", "/api/v1/nodes/node-c"]);
  });

  it("holds the pods that are down, and no others", async () => {
    for (let index = 0; index < 300; index++) lab.up(`healthy-${index}`);
    lab.down("web-0");
    lab.down("web-1");
    void lab.follow();
    await lab.timers.pass(5 * S);
    expect(lab.session?.podCount).toBe(2);
    const framesBefore = lab.frames.length;
    for (let index = 0; index < 3_000; index++) lab.up(`healthy-${index % 1_000}`, index);
    await lab.timers.pass(500);
    expect(lab.session?.podCount).toBe(2);
    expect(lab.frames.length - framesBefore).toBeLessThanOrEqual(1);
    lab.up("web-0");
    lab.remove("web-1");
    await lab.timers.pass(500);
    expect(lab.session?.podCount).toBe(0);
  });

  it("fails if the first list fails, and after it on an unexpected error", async () => {
    const connection = lab.api.connection();
    const refused = { ...connection, get: () => Promise.reject(failure("forbidden", 403)) };
    await expect(lab.follow(refused)).rejects.toMatchObject({ kind: "forbidden" });
    const failing = lab.follow({ ...connection, stream: () => Promise.reject(new TypeError("a bug")) });
    const failed = expect(failing).rejects.toThrow("a bug");
    await lab.timers.pass(5 * S);
    await failed;
  });

  it("ends immediately in the middle of the first list", async () => {
    const ended = lab.follow({ ...lab.api.connection(), get: () => new Promise(() => {}) });
    await lab.timers.pass(5 * S);
    lab.session?.end();
    await ended;
    expect(lab.frames).toEqual([]);
  });
});

describe("ListSession, without a working watch,", () => {
  it("lists again, and prints nothing twice, if the server has dropped the changes in between", async () => {
    lab.down("web-0");
    lab.down("web-1");
    void lab.follow();
    await lab.timers.pass(5 * S);
    lab.api.each((pipe) => pipe.send('{"type":"ERROR","object":{"code":410,"message":"too old resource version"}}'));
    lab.remove("web-1");
    lab.down("web-2");
    lab.api.watches.compact();
    await lab.timers.pass(5 * S);
    expect(lab.told).toEqual(["web-0 5", "web-1 5", "web-2 5", "web-1 up"]);
    expect(lab.lists).toBe(2);
    expect(lab.api.open).toBe(1);
  });

  it("waits nine times as long as a list took before it lists again", async () => {
    const connection = lab.api.connection();
    const slowly = async (path: string, options = {}) => {
      await new Promise<void>((resolve) => void lab.timers.after(6 * S, resolve));
      return connection.get(path, options);
    };
    void lab.follow({ ...connection, get: slowly, stream: () => Promise.reject(failure("server-error", 410)) });
    await lab.timers.pass(600 * S);
    expect(lab.lists).toBeGreaterThan(5);
    expect(lab.lists).toBeLessThanOrEqual(11);
  });

  it("lists every five seconds without the right to watch", async () => {
    lab.down("web-0");
    const connection = lab.api.connection();
    void lab.follow({ ...connection, stream: () => Promise.reject(failure("forbidden", 403)) });
    await lab.timers.pass(60 * S);
    expect(lab.lists).toBeGreaterThanOrEqual(11);
    expect(lab.lists).toBeLessThanOrEqual(13);
    lab.down("web-0", 6);
    await lab.timers.pass(6 * S);
    expect(lab.told).toEqual(["web-0 5", "web-0 6"]);
    lab.api.refusal = failure("unreachable", 0);
    await lab.timers.pass(20 * S);
    expect(lab.frames.at(-1)?.connectionLoss?.because).toBe("it was asked to fail as unreachable");
    lab.api.refusal = null;
    await lab.timers.pass(40 * S);
    expect(lab.frames.at(-1)?.connectionLoss).toBeNull();
  });

  it("keeps the list while the server cannot be reached, retries with growing pauses, and says since when", async () => {
    lab.down("web-0");
    void lab.follow();
    await lab.timers.pass(5 * S);
    lab.api.refusal = failure("unreachable", 0);
    lab.api.each((pipe) => pipe.end());
    await lab.timers.pass(10 * MINUTE_MS);
    expect(lab.watches).toBeLessThan(80);
    const { connectionLoss, list } = lab.frames.at(-1) ?? {};
    expect(connectionLoss?.because).toBe("it was asked to fail as unreachable");
    expect((list?.atMs ?? 0) - (connectionLoss?.sinceMs ?? 0)).toBeGreaterThan(580 * S);
    expect(list?.items).toHaveLength(1);
    lab.api.refusal = null;
    await lab.timers.pass(31 * S);
    expect(lab.frames.at(-1)?.connectionLoss).toBeNull();
    expect(lab.told).toEqual(["web-0 5"]);
  });
});
