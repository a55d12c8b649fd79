import { beforeEach, describe, expect, it } from "vitest";
import { failure, LAB_PATHS, LabApi } from "../../lab/watch/api.ts";
import { VirtualTimers } from "../../lab/watch/virtual-timers.ts";
import { ServerLink } from "../../src/cluster/watch/link.ts";
import { UserError } from "../../src/errors.ts";
import { S } from "../support/builders.ts";

describe("ServerLink", () => {
  let timers: VirtualTimers;
  let api: LabApi;
  let link: ServerLink;
  let ended: string[];

  beforeEach(() => {
    timers = new VirtualTimers();
    api = new LabApi(timers);
    link = new ServerLink(api.connection(), timers);
    ended = [];
  });

  async function follow(path: string = LAB_PATHS.pods): Promise<() => void> {
    const query = { watch: "true" };
    const { lines, close } = await link.connection.stream(path, { query, signal: new AbortController().signal });
    void (async () => {
      for await (const _ of lines);
    })().catch((error) => void ended.push(`${path}: ${error.message}`));
    await timers.pass(0);
    return close;
  }

  const asked = (): number => api.asked.filter(({ path }) => path === "/version").length;

  it("sends one request after half a minute of silence, for all streams, and another after the next silence", async () => {
    await follow(LAB_PATHS.pods);
    await follow(LAB_PATHS.events);
    await timers.pass(29 * S);
    expect(asked()).toBe(0);
    await timers.pass(2 * S);
    expect(asked()).toBe(1);
    await timers.pass(30 * S);
    expect({ asked: asked(), ended }).toEqual({ asked: 2, ended: [] });
  });

  it("sends no request while lines arrive", async () => {
    await follow();
    for (let passed = 0; passed < 120; passed += 20) {
      await timers.pass(20 * S);
      api.watches.bookmark();
    }
    await timers.pass(1 * S);
    expect({ asked: asked(), silentMs: timers.nowMs() - link.heardAtMs }).toEqual({ asked: 0, silentMs: 1 * S });
  });

  it("ends all streams within 45s of a stall, and says since when nothing has arrived", async () => {
    await follow(LAB_PATHS.pods);
    await follow(LAB_PATHS.events);
    const stalledAtMs = timers.nowMs();
    api.stall(300 * S);
    await timers.pass(45 * S);
    const words = "nothing is heard on the connection";
    expect(ended.sort()).toEqual([`${LAB_PATHS.events}: ${words}`, `${LAB_PATHS.pods}: ${words}`]);
    expect(link.heardAtMs).toBe(stalledAtMs);
    expect(timers.pending).toBe(1);
  });

  it.each([
    { why: "status 403", refusal: failure("forbidden", 403), isLost: false },
    { why: "the error page of a proxy", refusal: failure("bad-answer", 200), isLost: false },
    {
      why: "missing credentials, without which no request is sent",
      refusal: new UserError("badCredentials", "", ""),
      isLost: false,
    },
    { why: "a refused connection", refusal: failure("unreachable", 0), isLost: true },
  ])("takes the connection for lost after $why: $isLost", async ({ refusal, isLost }) => {
    await follow();
    api.refusal = refusal;
    await timers.pass(100 * S);
    expect(ended.length > 0).toBe(isLost);
    expect(asked()).toBeLessThan(4);
  });

  it("sends no request after all streams are closed", async () => {
    const [one, other] = [await follow(), await follow(LAB_PATHS.events)];
    one();
    expect(timers.pending).toBe(1);
    other();
    await timers.pass(100 * S);
    expect({ asked: asked(), pending: timers.pending }).toEqual({ asked: 0, pending: 0 });
  });
});
