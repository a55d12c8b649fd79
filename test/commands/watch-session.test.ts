import { beforeEach, describe, expect, it } from "vitest";
import { failure, LAB_PATHS } from "../../lab/watch/api.ts";
import { CrashLoop } from "../../lab/watch/crash-loop.ts";
import { Laptop } from "../../lab/watch/laptop.ts";
import { firstOf, PodLab } from "../../lab/watch/pod-lab.ts";
import { noticingJumps, type Timers } from "../../src/cluster/connection/timers.ts";
import { linesOf } from "../../src/commands/watch/watch-explain.ts";
import { type Frame, WatchSession } from "../../src/commands/watch/watch-session.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { HOUR_MS } from "../../src/kubelet/go-duration.ts";
import { renderLive } from "../../src/render/watch/live.ts";
import { S } from "../support/builders.ts";
import { aRawOwnedPod, aRawReplicaSet, aRawWorkload } from "../support/raw-workloads.ts";

const LOOK = { columns: 80, rows: 60, color: false };
const APPS = "/apis/apps/v1/namespaces/prod";

interface Watching {
  readonly timers?: Timers;
  readonly onFrame: (frame: Frame) => void;
}

function watch(lab: PodLab, raw: unknown, { timers = lab.timers, onFrame }: Watching): WatchSession {
  const first = firstOf(raw);
  const observation = { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] };
  const request = { observation, first, nodeConfig: "auto" as const, kubelet: {} };
  const session = new WatchSession(lab.api.connection(), request, timers);
  void (async () => {
    for await (const frame of session.frames()) onFrame(frame);
  })();
  return session;
}

function putDeployment(lab: PodLab, reason: string, status: string): void {
  const progressing = { type: "Progressing", status, reason, lastTransitionTime: "2026-11-21T12:00:30Z" };
  const spec = { replicas: 3, selector: { matchLabels: { app: "web" } } };
  const rolled = { updatedReplicas: 1, availableReplicas: 2, conditions: [progressing] };
  lab.put(`${APPS}/deployments`, aRawWorkload("Deployment", "web", { spec, status: rolled }));
}

it("knows the owners of a watched pod, and says when their rollout gets stuck", async () => {
  const lab = new PodLab();
  putDeployment(lab, "ReplicaSetUpdated", "True");
  lab.put(`${APPS}/replicasets`, aRawReplicaSet("web", "abc", 1, "web:1"));
  const raw = aRawOwnedPod({ kind: "ReplicaSet", name: "web-abc" }, "web-0", { app: "web" });
  lab.put(LAB_PATHS.pods, raw);
  const frames: Frame[] = [];
  watch(lab, raw, { onFrame: (frame) => void frames.push(frame) });
  await lab.timers.pass(5 * S);
  const shown = () => frames.at(-1)?.explanation.pods[0];
  const evidence = (): string => (shown()?.ownerEvidence ?? []).map(({ text }) => textInUtc(text)).join("\n");
  expect(shown()?.owners?.map(({ name }) => name)).toEqual(["web-abc", "web"]);
  expect(evidence()).toMatch(/^the rollout of Deployment web waits: 1 of 3 replicas updated, 2 available/m);
  putDeployment(lab, "ProgressDeadlineExceeded", "False");
  await lab.timers.pass(180 * S);
  expect(evidence()).toMatch(/^the rollout of Deployment web is stuck since /m);
});

describe("a watch on a laptop", () => {
  let lab: PodLab;
  let laptop: Laptop;
  let loop: CrashLoop;
  let frames: Frame[];
  let lines: string[];

  beforeEach(async () => {
    lab = new PodLab();
    laptop = new Laptop(lab.timers);
    loop = new CrashLoop(lab, () => 300 * S);
    [frames, lines] = [[], []];
    const { body } = await lab.api.connection().get(`${LAB_PATHS.pods}/web-0`);
    const linesIn = linesOf(LOOK, true);
    const onFrame = (frame: Frame): void => {
      frames.push(frame);
      lines.push(linesIn({ frames: [frame] }));
    };
    watch(lab, body, { timers: noticingJumps(laptop), onFrame });
    await lab.timers.pass(60 * S);
  });

  function last(): Frame {
    const frame = frames.at(-1);
    if (frame === undefined) throw new Error("nothing was shown");
    return frame;
  }

  function offMs(): number {
    return Math.abs(last().explanation.atMs - lab.timers.nowMs());
  }

  describe("that slept for eight hours", () => {
    beforeEach(async () => {
      lab.api.each((pipe) => pipe.stall());
      laptop.sleep(8 * HOUR_MS);
      await lab.timers.pass(8 * HOUR_MS);
      lab.api.watches.compact();
    });

    it("shows the right time and the right state within seconds", async () => {
      await lab.timers.pass(4 * S);
      expect(offMs()).toBeLessThanOrEqual(1.5 * S);
      expect(last().connectionLoss).toBeNull();
      expect(last().explanation.pods[0]?.containers[0]?.restartCount).toBe(loop.restartCount);
    });

    it("counts the restarts that it slept through on one line", async () => {
      await lab.timers.pass(4 * S);
      const unseen = /app restarted (\d+) times while disconnected \(\d+ to \d+\)\./.exec(lines.join(""));
      expect(Number(unseen?.[1])).toBeGreaterThan(60);
      expect(lines.join("").match(/while disconnected/g)).toHaveLength(1);
    });

    it("says since when it is not connected if the network is not back yet", async () => {
      lab.api.refusal = failure("unreachable", 0);
      await lab.timers.pass(4 * S);
      const { connectionLoss, explanation } = last();
      expect(explanation.atMs - (connectionLoss?.sinceMs ?? 0)).toBeGreaterThan(8 * HOUR_MS - 60 * S);
      expect(renderLive(last(), LOOK)).toMatch(/\nDisconnected since [^(]+ \(it was asked to fail as\s+unreachable\)/);
    });
  });

  describe("whose clock is set", () => {
    it.each([
      { how: "three hours ahead", clockMs: 3 * HOUR_MS },
      { how: "three hours back", clockMs: -3 * HOUR_MS },
    ])("shows the server's time again within seconds: $how", async ({ clockMs }) => {
      laptop.clockOffMs = clockMs;
      await lab.timers.pass(5 * S);
      expect(offMs()).toBeLessThanOrEqual(1.5 * S);
      const asked = lab.api.asked.length;
      await lab.timers.pass(60 * S);
      expect(offMs()).toBeLessThanOrEqual(1.5 * S);
      expect(lab.api.asked.length - asked).toBeLessThan(10);
    });
  });
});
