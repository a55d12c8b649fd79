import { beforeEach, describe, expect, it } from "vitest";
import { failure } from "../../lab/watch/api.ts";
import { ObjectLab } from "../../lab/watch/object-lab.ts";

const S = 1_000;
const MINUTE = 60 * S;

let lab: ObjectLab;

beforeEach(() => {
  lab = new ObjectLab();
});

describe("watchObjects()", () => {
  it("lists what there is, then tells every change as it comes", async () => {
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
    {
      how: "ended by an error in the stream",
      act: () => lab.api.each((pipe) => pipe.send('{"type":"ERROR","object":{}}')),
    },
  ])("takes the thread up where it was when the watch is $how", async ({ act }) => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    act();
    lab.put("b");
    await lab.timers.pass(3 * S);
    expect(lab.told.filter((line) => !line.startsWith("trouble"))).toEqual(["listed a", "changed b"]);
    expect(lab.lists).toBe(1);
  });

  it("begins after the last bookmark, so that what was long ago may be forgotten", async () => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.put("/api/v1/namespaces/prod/events", { metadata: { name: "of another kind" } });
    lab.api.bookmark();
    await lab.timers.pass(1 * S);
    lab.api.compact();
    lab.end();
    await lab.timers.pass(3 * S);
    expect(lab.lists).toBe(1);
    expect(lab.api.open).toBe(1);
  });

  it.each([
    { where: "in the stream", tell: true },
    { where: "to the request", tell: false },
  ])("lists anew when the server answers 410 $where", async ({ tell }) => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    if (tell) lab.api.each((pipe) => pipe.send('{"type":"ERROR","object":{"code":410,"message":"too old"}}'));
    else {
      lab.api.refusal = failure("unreachable", 0);
      lab.end();
      lab.put("b");
      lab.api.compact();
      lab.api.refusal = null;
    }
    lab.put("b");
    await lab.timers.pass(5 * S);
    expect(lab.told.at(-1)).toBe("listed a,b");
    expect(lab.lists).toBe(2);
    expect(lab.told.join()).not.toContain("trouble");
  });

  it("notices a connection on which nothing comes any more", async () => {
    lab.put("a");
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.each((pipe) => pipe.stall());
    lab.put("b");
    await lab.timers.pass(5 * MINUTE + 20 * S);
    expect(lab.told).toEqual(["listed a", "trouble: nothing is heard on the connection", "changed b"]);
  });

  it("notices it sooner where bookmarks have come", async () => {
    void lab.follow();
    await lab.timers.pass(1 * S);
    lab.api.bookmark();
    await lab.timers.pass(1 * S);
    lab.api.each((pipe) => pipe.stall());
    await lab.timers.pass(155 * S);
    expect(lab.watches).toBe(2);
  });

  it("does not take a quiet watch for a dead one while bookmarks come", async () => {
    void lab.follow();
    for (let minute = 0; minute < 60; minute++) {
      await lab.timers.pass(1 * MINUTE);
      lab.api.bookmark();
    }
    expect(lab.told.join()).not.toContain("trouble");
    expect(lab.watches).toBe(1);
  });
});
