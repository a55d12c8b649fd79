import { describe, expect, it } from "vitest";
import type { ContainerExplanation, PodExplanation } from "../../src/explain/answer/explanation.ts";
import { prose } from "../../src/explain/answer/prose.ts";
import { nextStart } from "../../src/render/page/next-start.ts";
import { atClock, between, container, DOWN, pod } from "../support/explanations.ts";
import { PAGE } from "../support/page.ts";

describe("nextStart()", () => {
  it.each<{ why: string; it: ContainerExplanation; more?: Partial<PodExplanation>; says: string }>([
    {
      why: "a window of one second",
      it: container({ ...DOWN, nextRestart: between("13:40:15", "13:40:15") }),
      says: "Restarts in 15s (14:40:15 GMT+1, 95% confidence).",
    },
    {
      why: "the delay is unknown",
      it: container({ ...DOWN, delayMs: null, nextRestart: between("13:40:15", "13:40:30") }),
      says: "Restarts in 15s-30s (14:40:15-14:40:30 GMT+1, 95% confidence).",
    },
    {
      why: "the first restart has no delay",
      it: container({ ...DOWN, state: "restarting", delayMs: 0, nextRestart: between("13:40:00", "13:40:02") }),
      says: "Restarts without delay, within 2s (by 14:40:02 GMT+1, 95% confidence).",
    },
    {
      why: "an attempt to start it is overdue",
      it: container({
        ...DOWN,
        state: "starting",
        overdue: { expectedByMs: atClock("13:38:00") },
        whatToCheck: "check node b",
      }),
      says: "Overdue by 2m: the kubelet should have tried to start it again by 14:38:00 GMT+1; check node b.",
    },
    {
      why: "a pull is overdue",
      it: container({
        ...DOWN,
        state: "starting",
        imagePull: { image: "web:1", cause: "", delayMs: 80_000, nextPull: null },
        overdue: { expectedByMs: atClock("13:38:00") },
        whatToCheck: prose`its status is from ${{ atMs: atClock("13:36:00") }}`,
      }),
      says: "Overdue by 2m: the kubelet should have pulled web:1 again by 14:38:00 GMT+1; its status is from 14:36:00 GMT+1.",
    },
    { why: "no window is known", it: container(DOWN), says: "Not enough data to predict the next restart." },
    {
      why: "its node is NotReady",
      it: container(DOWN),
      more: { gaps: [{ code: "node-not-ready", message: "Node node-a is not ready." }] },
      says: "Node node-a is NotReady: nothing on it restarts until it is back.",
    },
    {
      why: "its node does not exist",
      it: container(DOWN),
      more: { gaps: [{ code: "node-not-found", message: "Node node-a does not exist. No kubelet starts it." }] },
      says: "Node node-a does not exist. No kubelet starts it.",
    },
    {
      why: "it runs on a node that is NotReady",
      it: container({ forecast: "If it exits, it restarts immediately." }),
      more: { gaps: [{ code: "node-not-ready", message: "Node node-a is not ready." }] },
      says: "Node node-a is NotReady: nothing on it restarts until it is back.",
    },
    {
      why: "it runs, its next exit leads to a wait, and no reset is known",
      it: container({ delayMs: 40_000, restartCount: 3, forecast: "If it exits now, the kubelet waits 40s." }),
      says: "If it exits now, the kubelet waits 40s.",
    },
    {
      why: "it has restarted and has no back-off",
      it: container({ restartCount: 3 }),
      says: "No back-off: if it exits, it restarts immediately.",
    },
    {
      why: "the time until the reset is rounded up to the second",
      it: container({
        ...{ delayMs: 40_000, restartCount: 3, forecast: "If it fails now, the kubelet waits 40s." },
        reset: { atMs: atClock("13:45:00") + 400, how: "if-it-keeps-running" },
      }),
      says: "If it fails now, the kubelet waits 40s. If it is still up at 14:45:00 GMT+1 (in 5m1s), the back-off resets and the next restart is immediate.",
    },
    { why: "the delay of a running container is unknown", it: container({ delayMs: null, forecast: null }), says: "" },
    { why: "an ordinary start", it: container({ state: "starting", reported: "ContainerCreating" }), says: "" },
    { why: "it waits for other containers", it: container({ state: "blocked" }), says: "" },
    {
      why: "when the image is pulled next is unknown",
      it: container({
        state: "starting",
        reported: "ErrImagePull",
        imagePull: { image: "a:1", cause: "", delayMs: null, nextPull: null },
      }),
      says: "Not enough data to predict the next restart.",
    },
  ])("says when the container starts next, or nothing: $why", ({ it: explained, more, says }) => {
    expect(nextStart(pod([explained], more), explained, PAGE)).toBe(says);
  });
});
