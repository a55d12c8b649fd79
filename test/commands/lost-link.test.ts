import { describe, expect, it, vi } from "vitest";
import { failure, LAB_PATHS } from "../../lab/watch/api.ts";
import { CrashLoop } from "../../lab/watch/crash-loop.ts";
import { ListLab } from "../../lab/watch/list-lab.ts";
import { firstOf, PodLab } from "../../lab/watch/pod-lab.ts";
import { type Caught, RunCatcher } from "../../src/commands/catch/catch-run.ts";
import { watchEta } from "../../src/commands/eta/watch-eta.ts";
import { type Waited, waitRun } from "../../src/commands/wait/wait.ts";
import { type Frame, WatchSession } from "../../src/commands/watch/watch-session.ts";
import { etaOf } from "../../src/explain/eta/eta.ts";
import { etaPart } from "../../src/explain/eta/parts.ts";
import { caughtClause } from "../../src/render/catch/catch-words.ts";
import { lastingLoss, renderLive } from "../../src/render/watch/live.ts";
import type { ListFrame } from "../../src/render/watch/live-list.ts";
import { timeoutLines } from "../../src/render/watch/live-wait.ts";
import { S } from "../support/builders.ts";
import { aRawPod } from "../support/raw-objects.ts";

const FAULTS = {
  "is cut for 20s": (lab: Pick<PodLab, "api" | "timers">) => {
    lab.api.refusal = failure("unreachable", 0);
    lab.api.each((pipe) => pipe.end(failure("unreachable", 0)));
    lab.timers.after(20 * S, () => {
      lab.api.refusal = null;
    });
  },
  "stalls for two minutes": (lab: Pick<PodLab, "api" | "timers">) => lab.api.stall(120 * S),
} as const;

const EACH = Object.entries(FAULTS).map(([what, happen]) => ({ what, happen }));

async function crashingPod() {
  const lab = new PodLab();
  const loop = new CrashLoop(lab, () => 2 * S);
  while (loop.restartCount < 3 || !loop.isDown) await lab.timers.pass(S);
  const first = firstOf(lab.api.stored(LAB_PATHS.pods)[0]);
  const observation = { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] };
  return { lab, loop, pod: { observation, first, replacement: null } };
}

describe.each(EACH)("when the link $what", ({ happen }) => {
  it("explain -w does not call a restart overdue that it may have missed, and says since when it is disconnected", async () => {
    const { lab, pod } = await crashingPod();
    const frames: Frame[] = [];
    const request = { ...pod, nodeConfig: "auto" as const, kubelet: {} };
    const session = new WatchSession(lab.api.connection(), request, lab.timers);
    void (async () => {
      for await (const frame of session.frames()) frames.push(frame);
    })();
    await lab.timers.pass(5 * S);
    const lostAtMs = lab.timers.nowMs();
    happen(lab);
    await lab.timers.pass(300 * S);
    session.end();
    expect(frames.filter(({ explanation }) => explanation.pods[0]?.containers[0]?.overdue != null)).toEqual([]);
    const lost = frames.filter(({ connectionLoss, nowMs }) => lastingLoss(connectionLoss, nowMs) !== null);
    expect((lost[0]?.nowMs ?? Number.POSITIVE_INFINITY) - lostAtMs).toBeLessThanOrEqual(46 * S);
    expect(Math.abs((lost[0]?.connectionLoss?.sinceMs ?? 0) - lostAtMs)).toBeLessThanOrEqual(6 * S);
    const screen = renderLive(lost.at(-1) as Frame, { columns: 200, rows: 60, color: false });
    expect(screen).toMatch(/Disconnected since .+, retrying\. Showing the (last known state|state at .+)\./);
    expect(frames.at(-1)?.connectionLoss).toBeNull();
  });

  it("list -w does not call a restart overdue that it may have missed, but does so later if the restart is overdue", async () => {
    const lab = new ListLab();
    const loop = new CrashLoop(lab, () => 2 * S);
    while (loop.restartCount < 3 || !loop.isDown) await lab.timers.pass(S);
    const following = lab.follow();
    await lab.timers.pass(5 * S);
    happen(lab);
    await lab.timers.pass(300 * S);
    const isOverdue = (): boolean => lab.frames.some(({ list }) => list.items.some(({ overdue }) => overdue !== null));
    const isLost = ({ connectionLoss, nowMs }: ListFrame): boolean => lastingLoss(connectionLoss, nowMs) !== null;
    expect([isOverdue(), lab.frames.some(isLost)]).toEqual([false, true]);
    expect(lab.frames.at(-1)).toMatchObject({ connectionLoss: null, nowMs: lab.frames.at(-1)?.list.atMs });
    loop.cutOff(true);
    await lab.timers.pass(600 * S);
    expect(isOverdue()).toBe(true);
    lab.session?.end();
    await lab.timers.pass(S);
    await following;
  });

  it("eta -w gives up only after it is connected again", async () => {
    const { lab, pod } = await crashingPod();
    const { pods, ...now } = pod.observation;
    const slow = { name: "app", restartCount: 0, ready: false, state: { waiting: { reason: "ContainerCreating" } } };
    const status = { phase: "Pending", containerStatuses: [slow] };
    lab.api.put(LAB_PATHS.pods, { ...aRawPod({ metadata: { name: "slow-0", uid: "slow-0" } }), status });
    const place = { namespace: "prod", pod: "slow-0", container: "app" };
    const part = etaPart({ ...now, pods: [...pods] }, {});
    const eta = etaOf({ ...part, unknown: [{ reason: "starting", place }] }, now);
    const notes: string[] = [];
    let exitCode: number | null = null;
    const request = {
      ...{ eta, announce: async () => {}, scope: { namespace: "prod" }, output: "json" as const, hasNotify: false },
      note: (sentence: string) => void notes.push(sentence),
    };
    vi.spyOn(process.stdout, "write").mockImplementation((_, ...rest: unknown[]) => {
      for (const done of rest) if (typeof done === "function") done();
      return true;
    });
    const watching = watchEta(lab.api.connection(), request, lab.timers).then((code) => {
      exitCode = code;
    });
    const givesUpAtMs = (eta.quantilesOfDown.at(-1)?.likelyByMs ?? 0) + 60 * S;
    // By then, the container has come up and crashed again.
    await lab.timers.pass(givesUpAtMs - 10 * S - lab.timers.nowMs());
    happen(lab);
    await lab.timers.pass(19 * S);
    expect(exitCode).toBe(null);
    await lab.timers.pass(300 * S);
    await watching;
    expect([exitCode, ...notes]).toEqual([
      1,
      expect.stringMatching(/^Disconnected since .+, retrying\.$/),
      "Connected again.",
      expect.stringMatching(/^Gave up after .+ crashed again, .+, so the cause is not fixed\.$/),
    ]);
  });

  it("wait blames neither the kubelet nor the pod at its timeout", async () => {
    const { lab, pod } = await crashingPod();
    const frames: Frame[] = [];
    let waited: Waited | null = null;
    const request = {
      ...{ pod, goal: "recovered" as const, container: undefined, kubelet: {}, timeoutMs: 24 * S },
      ...{ whenInterrupted: new Promise<void>(() => {}), onDeleted: () => {} },
      onFrame: (frame: Frame) => void frames.push(frame),
    };
    const waiting = waitRun(lab.api.connection(), request, lab.timers).then((result) => {
      waited = result;
    });
    await lab.timers.pass(10 * S);
    happen(lab);
    await lab.timers.pass(20 * S);
    await waiting;
    expect(frames.some(({ explanation }) => explanation.pods[0]?.containers[0]?.overdue != null)).toBe(false);
    const { frame, state } = waited as unknown as Waited;
    const [shown] = frame.explanation.pods;
    if (shown === undefined) throw new Error("no pod");
    expect(state.kind).toBe("waiting");
    expect(timeoutLines("recovered", shown, 24 * S, frame)).toEqual([
      expect.stringMatching(
        /^Timed out after 24s: disconnected since .+\. Until then, pod\/web-0 had not recovered\.$/,
      ),
    ]);
  });

  it("wait ends with a restart after the link is back", async () => {
    const { lab, pod } = await crashingPod();
    const states: string[] = [];
    const request = {
      ...{ pod, goal: "restart" as const, container: undefined, kubelet: {}, timeoutMs: 600 * S },
      ...{ whenInterrupted: new Promise<void>(() => {}), onDeleted: () => {}, onFrame: () => {} },
    };
    const waiting = waitRun(lab.api.connection(), request, lab.timers).then(
      ({ state }) => void states.push(state.kind),
    );
    await lab.timers.pass(5 * S);
    happen(lab);
    await lab.timers.pass(200 * S);
    await waiting;
    expect(states).toEqual(["happened"]);
  });

  it("catch writes into its file that the connection was lost", async () => {
    const { lab, pod } = await crashingPod();
    let caught: Caught | "deleted" | null = null;
    const request = {
      ...{ ...pod, kubelet: {}, container: "app", isNow: false, goal: "exit" as const, mostLogBytes: 2 ** 20 },
      ...{ timeoutMs: 90 * S, whenInterrupted: new Promise<void>(() => {}) },
      ...{ onFrame: () => {}, onWaiting: () => {}, onBegun: () => {} },
      ...{ isReplacement: false, willBeReplaced: false },
    };
    const catching = new RunCatcher(lab.api.connection(), request, lab.timers).run().then((result) => {
      caught = result;
    });
    await lab.timers.pass(5 * S);
    const lostAtMs = lab.timers.nowMs();
    happen(lab);
    await lab.timers.pass(100 * S);
    await catching;
    const { disconnected, run } = (caught as unknown as Caught).catch;
    expect(disconnected).toHaveLength(1);
    expect(Math.abs((disconnected[0]?.sinceMs ?? 0) - lostAtMs)).toBeLessThanOrEqual(6 * S);
    const clause = caughtClause((caught as unknown as Caught).catch, (caught as unknown as Caught).explanation);
    if (run === null) expect(clause).toContain("app was not observed to restart (the connection was lost once)");
    else expect(clause).toMatch(/ \(the connection was lost once\)$/);
  });
});

describe("eta -w that is stopped while the link stalls", () => {
  it("says that what has happened since then is unknown, and does not call an announced time wrong", async () => {
    const { lab, pod } = await crashingPod();
    const { pods, ...now } = pod.observation;
    const eta = etaOf(etaPart({ ...now, pods: [...pods] }, {}), now);
    const [printed, notes]: [string[], string[]] = [[], []];
    const request = {
      ...{ eta, announce: async () => {}, scope: { namespace: "prod" }, output: "table" as const, hasNotify: false },
      note: (sentence: string) => void notes.push(sentence),
    };
    vi.spyOn(process.stdout, "write").mockImplementation((text, ...rest: unknown[]) => {
      printed.push(String(text));
      for (const done of rest) if (typeof done === "function") done();
      return true;
    });
    const watching = watchEta(lab.api.connection(), request, lab.timers);
    await lab.timers.pass(2 * S);
    lab.api.stall(120 * S);
    await lab.timers.pass(100 * S);
    process.emit("SIGINT");
    await lab.timers.pass(S);
    expect(await watching).toBe(130);
    expect(notes).toEqual([expect.stringMatching(/^Disconnected since /)]);
    expect(printed.at(-1)).toMatch(
      /^Disconnected since .+\. Until then, 0 of 1 were up again; what has come up or crashed since is unknown\.\n$/,
    );
  });
});
