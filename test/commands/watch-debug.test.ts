import { beforeEach, describe, expect, it } from "vitest";
import { LAB_PATHS } from "../../lab/watch/api.ts";
import { ListLab } from "../../lab/watch/list-lab.ts";
import { firstOf, PodLab } from "../../lab/watch/pod-lab.ts";
import type { VirtualTimers } from "../../lab/watch/virtual-timers.ts";
import { DebugTrace } from "../../src/commands/debug/debug.ts";
import { ListSession } from "../../src/commands/list/watch-list.ts";
import { WatchSession } from "../../src/commands/watch/watch-session.ts";
import { aRawPod } from "../support/api-server.ts";

const S = 1_000;

let lines: string[];

beforeEach(() => {
  lines = [];
});

const traceBy = (timers: VirtualTimers): DebugTrace =>
  new DebugTrace(
    (line) => void lines.push(line),
    () => timers.nowMs(),
  );

/** The first line of each container's replay. */
const replays = (): string[] => lines.filter((line) => / restarts=\d+ /.test(line));

async function drain(frames: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of frames);
}

describe("--debug of a watch", () => {
  it("tells the replay of a pod again whenever something of it is new, and not as time passes", async () => {
    const lab = new PodLab();
    const raw = aRawPod();
    lab.put(LAB_PATHS.pods, raw);
    const trace = traceBy(lab.timers);
    const first = firstOf(raw);
    const observation = { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] };
    const request = { observation, first, nodeConfig: "auto" as const, kubelet: {}, trace };
    const session = new WatchSession(lab.api.connection(), request, lab.timers);
    void drain(session.frames());
    await lab.timers.pass(5 * S);
    const begun = replays().length;
    expect(begun).toBeGreaterThan(0);
    await lab.timers.pass(30 * S);
    expect(replays()).toHaveLength(begun);
    lab.put(LAB_PATHS.pods, JSON.parse(JSON.stringify(raw).replace('"restartCount":5', '"restartCount":77')));
    await lab.timers.pass(2 * S);
    expect(replays().slice(begun)).toEqual([
      expect.stringMatching(/^debug replay prod\/web-0 app state=.* restarts=77 /),
    ]);
    session.end();
  });

  it("tells the replays of a list, and that of each pod that changes", async () => {
    const lab = new ListLab();
    lab.down("web-0");
    const trace = traceBy(lab.timers);
    const session = new ListSession(lab.api.connection(), { namespace: "prod" }, {}, lab.timers, S, trace);
    void drain(session.frames());
    await lab.timers.pass(30 * S);
    const restarts = (): string[] =>
      replays().map((line) => /(web-\d) .* restarts=(\d+)/.exec(line)?.slice(1).join() ?? "");
    expect(restarts()).toEqual(["web-0,5"]);
    lab.down("web-0", 6);
    lab.down("web-1");
    await lab.timers.pass(30 * S);
    expect(restarts()).toEqual(["web-0,5", "web-0,6", "web-1,5"]);
    session.end();
  });
});
