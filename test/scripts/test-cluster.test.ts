import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compare } from "../../scripts/test-cluster/comparison.ts";
import { isTimeToChangeImage } from "../../scripts/test-cluster/image-changer.ts";
import { plannedPods } from "../../scripts/test-cluster/manifest.ts";
import { type Prediction, predictionLine } from "../../scripts/test-cluster/prediction.ts";
import { SCENARIOS } from "../../scripts/test-cluster/scenarios.ts";
import { settingsFrom } from "../../scripts/test-cluster/settings.ts";
import { isGood, resultLines } from "../../scripts/test-cluster/table.ts";
import { exitOf, ONE_WAIT, podLine, recordingOf, START_MS } from "./made-up-recording.ts";

const RECORDINGS = [recordingOf(ONE_WAIT)];

/** Said at a second of the one wait: the next start is between two seconds, the delay is so long. */
function predictionAt(second: number, window: readonly [number, number] | null, more: object = {}): Prediction {
  const nextRestart = window && {
    notBeforeMs: START_MS + window[0] * 1000,
    likelyByMs: START_MS + window[1] * 1000,
    confidence: 0.95,
  };
  const said = {
    name: "app",
    state: "backing-off",
    restartCount: 4,
    delayMs: 10_000,
    delayBasis: "inferred",
    nextRestart,
  };
  const whole = { ...said, lastExit: null, evidence: [{ rule: "gap-tells-the-delay" }], ...more };
  return {
    atMs: START_MS + second * 1000,
    node: "node-x",
    pod: "web",
    uid: "uid-1",
    exitedId: "a",
    said: whole as never,
  };
}

function interventionAt(second: number, node = "node-x", pod: string | null = null) {
  return { atMs: START_MS + second * 1000, node, pod, what: "something" };
}

describe("compare()", () => {
  it.each([
    { window: [16, 20], outcome: "inside", why: "the start at second 18 is in the window" },
    { window: [19.5, 25], outcome: "inside", why: "1.5 s before it still counts" },
    { window: [19.501, 25], outcome: "early", why: "and a millisecond more does not" },
    { window: [10, 16.5], outcome: "inside", why: "1.5 s after it still counts" },
    { window: [10, 16.499], outcome: "late", why: "and a millisecond more does not" },
    { window: null, outcome: "unanswered", why: "no window is no answer" },
  ] as const)("calls a window $window $outcome: $why", ({ window, outcome }) => {
    const { judgements } = compare([predictionAt(7, window)], RECORDINGS, []);
    expect(judgements.map((judgement) => judgement.outcome)).toEqual([outcome]);
  });

  it.each([
    { delayMs: 10_000, delay: "right" },
    { delayMs: 20_000, delay: "wrong" },
  ])("calls a delay of $delayMs ms $delay, for the kubelet named 10 s", ({ delayMs, delay }) => {
    const { judgements } = compare([predictionAt(7, [16, 20], { delayMs })], RECORDINGS, []);
    expect(judgements.map((judgement) => judgement.delay)).toEqual([delay]);
  });

  it.each([
    {
      second: 7,
      interventions: [interventionAt(12)],
      leftOut: { disturbed: 1 },
      why: "a restart of the kubelet ended the wait",
    },
    { second: 13, interventions: [interventionAt(12)], leftOut: {}, why: "after the restart it is known" },
    { second: 7, interventions: [interventionAt(12, "node-y")], leftOut: {}, why: "another node does not matter" },
    { second: 7, interventions: [interventionAt(12, "node-x", "api")], leftOut: {}, why: "nor does another pod" },
    {
      second: 18.9,
      interventions: [],
      leftOut: {},
      why: "what started at second 18 may have started as late as 18.999",
    },
    { second: 19, interventions: [], leftOut: { tooLate: 1 }, why: "and was up at 19, though the API showed it later" },
  ])("of a prediction at second $second leaves out $leftOut: $why", ({ second, interventions, leftOut }) => {
    const comparison = compare([predictionAt(second, [16, 20])], RECORDINGS, interventions);
    expect(comparison.leftOut).toEqual({ disturbed: 0, tooLate: 0, withoutEnd: 0, ...leftOut });
    expect(comparison.judgements).toHaveLength(Object.keys(leftOut).length === 0 ? 1 : 0);
  });

  it("leaves out what was rightly said to run already", () => {
    const { leftOut } = compare([predictionAt(18, null, { state: "running" })], RECORDINGS, []);
    expect(leftOut.tooLate).toBe(1);
  });

  it("leaves out a wait that was not over, and a prediction about another instance", () => {
    const open = compare([predictionAt(7, [16, 20])], [recordingOf(ONE_WAIT.slice(0, -1))], []);
    const other = compare([{ ...predictionAt(7, [16, 20]), exitedId: "z" }], RECORDINGS, []);
    expect([open, other].map(({ leftOut }) => leftOut.withoutEnd)).toEqual([1, 1]);
  });

  it("takes the end of what could not be started for its start", () => {
    const failed = podLine(19, { containerID: "b", state: exitOf("b", "1970-01-01T00:00:00Z", 18) });
    const { judgements } = compare([predictionAt(7, [16, 20])], [recordingOf([...ONE_WAIT.slice(0, -1), failed])], []);
    expect(judgements.map(({ outcome, moment }) => [outcome, moment.wait.nextStartedAtMs - START_MS])).toEqual([
      ["inside", 18_000],
    ]);
  });
});

describe("the table", () => {
  it("has a row per pod, per node and for all, then the totals and a verdict", () => {
    const predictions = [predictionAt(7, [16, 20]), predictionAt(9, [16, 22]), predictionAt(11, [10, 12])];
    const open = { ...predictionAt(7, [16, 20]), exitedId: "z" };
    expect(resultLines(compare([...predictions, open], RECORDINGS, []))).toEqual([
      "node/pod    waits  predictions  inside  early    late  delay right  median window",
      "node-x/web      1            3  66.7 %  0.0 %  33.3 %      100.0 %          4.0 s",
      "node-x/*        1            3  66.7 %  0.0 %  33.3 %      100.0 %          4.0 s",
      "all             1            3  66.7 %  0.0 %  33.3 %      100.0 %          4.0 s",
      "",
      "inside         66.7 %, 2 of 3 (no answer counts as a miss: 0)",
      "promised       95.0 % of the windows, by their own confidence",
      "delay right    100.0 %, 3 of 3 whose delay the kubelet named",
      "median window  4.0 s",
      "left out       0 whose wait was ended by what nobody can foresee, 0 made after the start, 1 whose wait has no known end or is too short",
      "verdict: inside too rarely (least 95.0 %)",
    ]);
  });

  it.each([
    { inside: 19, wrong: 0, right: 100, good: true },
    { inside: 18, wrong: 0, right: 100, good: false },
    { inside: 19, wrong: 2, right: 98, good: false },
    { inside: 0, wrong: 0, right: 0, good: false },
  ])("of $inside inside in 20 and $right right delays in 100 says good: $good", ({ inside, wrong, right, good }) => {
    const predictions = Array.from({ length: wrong + right }, (_, index) =>
      predictionAt(7, index % 20 < inside ? [16, 20] : [30, 40], { delayMs: index < wrong ? 1 : 10_000 }),
    );
    const { judgements } = compare(predictions, RECORDINGS, []);
    expect(isGood(judgements)).toBe(good);
  });
});

describe("isTimeToChangeImage()", () => {
  const [pod] = plannedPods(
    SCENARIOS.filter(({ changesImage }) => changesImage),
    ["node-x"],
  );

  it.each([
    { second: 7, more: {}, isTime: true, why: "it waits for another nine seconds after its fourth restart" },
    { second: 12, more: {}, isTime: false, why: "it restarts too soon" },
    { second: 7, more: { restartCount: 3 }, isTime: false, why: "its delay has not grown yet" },
  ])("says $isTime: $why", ({ second, more, isTime }) => {
    if (pod === undefined) throw new Error("No scenario changes an image.");
    expect(isTimeToChangeImage(predictionAt(second, [16, 20], more), pod)).toBe(isTime);
  });
});

describe("predictionLine()", () => {
  it("is JSON in seconds and RFC 3339", () => {
    expect(JSON.parse(predictionLine(predictionAt(7, [16, 20])))).toMatchObject({
      at: "2026-11-21T12:00:07.000Z",
      container: "app",
      exited: "a",
      delaySeconds: 10,
      nextRestart: { notBefore: "2026-11-21T12:00:16.000Z", likelyBy: "2026-11-21T12:00:20.000Z" },
      rules: ["gap-tells-the-delay"],
    });
  });
});

describe("npm run test:cluster", () => {
  const script = fileURLToPath(new URL("../../scripts/test-cluster.ts", import.meta.url));

  it("is skipped, in one line, where there is no kubectl", () => {
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8", env: { PATH: "/nowhere" } });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "Skipped: kubectl is not on PATH.\n" });
  });

  it("refuses what it does not know", () => {
    expect(() => settingsFrom(["--minutes", "soon"])).toThrow('--minutes cannot be "soon".');
    const { status, stderr } = spawnSync(process.execPath, [script, "--what"], { encoding: "utf8" });
    expect(stderr).toContain("Usage: npm run test:cluster");
    expect(status).toBe(2);
  });
});
