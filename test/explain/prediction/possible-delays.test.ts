import { describe, expect, it } from "vitest";
import { possibleDelays } from "../../../src/explain/prediction/possible-delays.ts";
import { aNode, S } from "../../support/builders.ts";
import { at, explainApp, statusOf } from "../../support/explain-pod.ts";

describe("possibleDelays()", () => {
  it.each([
    { chances: [[20, 1]], delays: [20], why: "one delay is sure" },
    {
      chances: [
        [20, 0.95],
        [40, 0.05],
      ],
      delays: [20],
      why: "one delay is almost certain",
    },
    {
      chances: [
        [40, 0.31],
        [20, 0.69],
      ],
      delays: [20, 40],
      why: "two delays are possible",
    },
    {
      chances: [
        [20, 0.5],
        [40, 0.44],
        [80, 0.06],
      ],
      delays: [20, 40],
      why: "the first two delays together have 90%",
    },
    {
      chances: [
        [20, 0.3],
        [0, 0.4],
        [20, 0.3],
      ],
      delays: [20, 0],
      why: "equal delays count together",
    },
    {
      chances: [
        [20, 30],
        [40, 10],
      ],
      delays: [20, 40],
      why: "weights need not add up to 1",
    },
    {
      chances: [
        [20, 0.4],
        [40, 0.6],
      ],
      first: 20,
      delays: [20, 40],
      why: "the caller chooses the first delay",
    },
    { chances: [], delays: [0], why: "no delay is known" },
  ])("returns $delays: $why", ({ chances, first, delays }) => {
    const weighed = chances.map(([delayMs = 0, share = 0]) => ({ delayMs, share }));
    const { delayMs, otherDelaysMs = [] } = possibleDelays(weighed, first);
    expect([delayMs, ...otherDelaysMs]).toEqual(delays);
  });
});

describe("a delay that is not certain", () => {
  const seen = { node: aNode({ kubeletVersion: "v1.34.4" }), kubeletConfig: null };
  const runs = [[970, 975], [995]] as const;

  it("comes with the other possible one while the container runs", () => {
    const app = explainApp({ statuses: [statusOf({ runs, restarts: 4 })] }, { atMs: at(1_000), ...seen });
    expect(app).toMatchObject({ delayMs: 40 * S, otherDelaysMs: [20 * S], ifItExits: [{ otherDelaysMs: [20 * S] }] });
    expect(app.forecast).toBe("If it exits now, the kubelet waits 20s or 40s.");
  });

  it("comes with the other possible one while the container is down", () => {
    const down = [runs[0], [995, 1_000]] as const;
    const app = explainApp({ statuses: [statusOf({ runs: down, restarts: 4 })] }, { atMs: at(1_001), ...seen });
    expect(app).toMatchObject({ delayMs: 40 * S, otherDelaysMs: [20 * S] });
    expect(app.waitSentence).toMatch(/^The kubelet waits 20s or 40s after this exit/);
  });
});
