import { beforeEach, describe, expect, it } from "vitest";
import { failure } from "../../lab/watch/api.ts";
import { ListLab } from "../../lab/watch/list-lab.ts";

const S = 1_000;
const MINUTE = 60 * S;

let lab: ListLab;

beforeEach(() => {
  lab = new ListLab();
});

describe("ListSession, when the watch is in trouble,", () => {
  it.each([
    { how: "ends", act: () => lab.api.each((pipe) => pipe.end()) },
    { how: "breaks", act: () => lab.api.each((pipe) => pipe.end(failure("unreachable", 0))) },
    { how: "is cut in a line", act: () => lab.api.each((pipe) => pipe.send('{"type":"MODIFIED","object":{"meta')) },
  ])("loses no change and doubles none when the watch $how", async ({ act }) => {
    lab.down("web-0");
    lab.down("web-1");
    void lab.follow();
    await lab.timers.pass(5 * S);
    act();
    lab.down("web-0", 6);
    lab.up("web-1");
    lab.down("web-2");
    await lab.timers.pass(5 * S);
    expect(lab.told).toEqual(["web-0 5", "web-1 5", "web-0 6", "web-2 5", "web-1 up"]);
    expect([lab.lists, lab.watches]).toEqual([1, 2]);
    expect(lab.frames.every(({ trouble }) => trouble === null)).toBe(true);
  });

  it("lists anew, without telling anything twice, when the server has forgotten what came in between", async () => {
    lab.down("web-0");
    lab.down("web-1");
    void lab.follow();
    await lab.timers.pass(5 * S);
    lab.api.each((pipe) => pipe.send('{"type":"ERROR","object":{"code":410,"message":"too old resource version"}}'));
    lab.remove("web-1");
    lab.down("web-2");
    lab.api.compact();
    await lab.timers.pass(5 * S);
    expect(lab.told).toEqual(["web-0 5", "web-1 5", "web-2 5", "web-1 up"]);
    expect(lab.lists).toBe(2);
    expect(lab.api.open).toBe(1);
  });

  it("gives a cluster whose lists take long nine times as long before it lists anew", async () => {
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

  it("lists every five seconds where it may not watch", async () => {
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
    expect(lab.frames.at(-1)?.trouble?.because).toBe("it was asked to fail as unreachable");
    lab.api.refusal = null;
    await lab.timers.pass(40 * S);
    expect(lab.frames.at(-1)?.trouble).toBeNull();
  });

  it("keeps the list while the server cannot be reached, asks less and less often, and says so", async () => {
    lab.down("web-0");
    void lab.follow();
    await lab.timers.pass(5 * S);
    lab.api.refusal = failure("unreachable", 0);
    lab.api.each((pipe) => pipe.end());
    await lab.timers.pass(10 * MINUTE);
    expect(lab.watches).toBeLessThan(80);
    const { trouble, list } = lab.frames.at(-1) ?? {};
    expect(trouble?.because).toBe("it was asked to fail as unreachable");
    expect((list?.atMs ?? 0) - (trouble?.sinceMs ?? 0)).toBeGreaterThan(580 * S);
    expect(list?.items).toHaveLength(1);
    lab.api.refusal = null;
    await lab.timers.pass(31 * S);
    expect(lab.frames.at(-1)?.trouble).toBeNull();
    expect(lab.told).toEqual(["web-0 5"]);
  });
});
