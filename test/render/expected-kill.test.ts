import { expect, it } from "vitest";
import { nextStart } from "../../src/render/page/next-start.ts";
import { atClock, container, pod } from "../support/explanations.ts";
import { PAGE } from "../support/page.ts";

const FORECAST = "If its liveness probe fails again or it exits, it restarts immediately.";

it.each([
  { untilS: 1, when: "at about 14:50:00 GMT+1 (in 10m)", why: "the second of the probe is known" },
  { untilS: 20, when: "14:50:00-14:50:20 GMT+1 (in 10m)", why: "any second of the probe's period is possible" },
])("nextStart() says when a probe that fails again kills the container: $why", ({ untilS, when }) => {
  const notBeforeMs = atClock("13:50:00");
  const window = { notBeforeMs, likelyByMs: notBeforeMs + untilS * 1_000 };
  const app = container({ restartCount: 3, forecast: FORECAST, expectedKill: { probe: "liveness-probe", ...window } });
  const kill = `Its liveness probe fails again: if it goes on, the kubelet kills it ${when}.`;
  expect(nextStart(pod([app]), app, PAGE)).toBe(`${FORECAST} ${kill}`);
});
