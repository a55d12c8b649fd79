import { describe, expect, it } from "vitest";
import { LAB_PATHS } from "../../lab/watch/api.ts";
import { firstOf, PodLab } from "../../lab/watch/pod-lab.ts";
import { type Waited, waitRun } from "../../src/commands/wait/wait.ts";
import { type PodsFrame, WorkloadSession } from "../../src/commands/watch/workload-session.ts";
import { S } from "../support/builders.ts";
import { aRawPod } from "../support/raw-objects.ts";

function aWatched(lab: PodLab, name: string) {
  const raw = aRawPod({ metadata: { name, uid: name } });
  lab.put(LAB_PATHS.pods, raw);
  return firstOf(raw);
}

describe("waitRun()", () => {
  it("ends at its timeout although the pod that replaces a deleted one is found then", async () => {
    const lab = new PodLab();
    const first = aWatched(lab, "web-0");
    const observation = { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] };
    const next = { observation, first: aWatched(lab, "web-1"), replacement: null };
    const replacement = (signal: AbortSignal) =>
      new Promise<typeof next>((resolve) => signal.addEventListener("abort", () => resolve(next)));
    const request = {
      ...{ pod: { observation, first, replacement }, goal: "reset" as const, container: undefined, kubelet: {} },
      ...{ timeoutMs: 20 * S, whenInterrupted: new Promise<void>(() => {}), onFrame: () => {}, onDeleted: () => {} },
    };
    let waited: Waited | null = null;
    void waitRun(lab.api.connection(), request, lab.timers).then((result) => {
      waited = result;
    });
    await lab.timers.pass(5 * S);
    lab.api.remove(LAB_PATHS.pods, "web-0");
    await lab.timers.pass(30 * S);
    expect(waited).toMatchObject({ state: { kind: "waiting" }, replaced: null });
  });
});

describe("WorkloadSession", () => {
  it("shows the last frame of a pod that is deleted while the frame before is being drawn", async () => {
    const lab = new PodLab();
    const pods = ["web-0", "web-1"].map((name) => aWatched(lab, name));
    const observation = { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods };
    const selection = { matched: 2, leftOutFine: 0, leftOutFailing: 0, named: [] };
    const request = { observation, selection, nodeConfig: "auto" as const, kubelet: {}, find: async () => observation };
    const session = new WorkloadSession(lab.api.connection(), request, lab.timers);
    const frames: PodsFrame[] = [];
    void (async () => {
      for await (const frame of session.frames()) {
        frames.push(frame);
        if (frames.length === 2) lab.api.remove(LAB_PATHS.pods, "web-0");
        await new Promise<void>((resolve) => lab.timers.after(2 * S, resolve));
      }
    })();
    await lab.timers.pass(40 * S);
    session.end();
    const ends = frames.flatMap(({ frames: shown }) => shown.flatMap(({ end }) => end ?? []));
    expect(ends).toHaveLength(1);
  });
});
