import { describe, expect, it } from "vitest";
import type { EventSnapshot, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aStatus, terminated } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

const S = 1_000;
const EXIT_MS = Date.UTC(2026, 10, 21, 12, 10);
/** The wait after it is 20s. */
const READY_MS = EXIT_MS + 20 * S;
const LAST_START_MS = EXIT_MS - 5 * S;
const NODE = aNode({ kubeletVersion: "v1.34.4" });

/** A container after its third exit; the start before that took `tookS` from its Created event, the exit `noticedS` to show. */
function crashed(tookS: number, noticedS: number, image: Partial<ReturnType<typeof aContainer>> = {}) {
  const state = terminated(LAST_START_MS, EXIT_MS, { containerID: "containerd://c" });
  const lastState = terminated(LAST_START_MS - 60 * S, LAST_START_MS - (12 + tookS) * S, {
    containerID: "containerd://b",
  });
  const ready = { type: "ContainersReady", status: "False", reason: null, message: null } as const;
  const pod: Partial<PodSnapshot> = {
    containers: [aContainer(image)],
    statuses: [aStatus({ state, lastState, restartCount: 2, containerID: "containerd://c" })],
    conditions: [{ ...ready, lastTransitionAtMs: EXIT_MS + noticedS * S }],
  };
  return { pod, events: [created(LAST_START_MS - tookS * S)] };
}

function created(atMs: number, more: Partial<EventSnapshot> = {}): EventSnapshot {
  return anEvent({ type: "Normal", reason: "Created", message: "Container created", firstAtMs: atMs, ...more });
}

function askedAt(atMs: number, { pod, events }: ReturnType<typeof crashed>, more: EventSnapshot[] = []) {
  return explainApp(pod, { atMs, node: NODE, events: [...events, ...more] });
}

describe("explain(): a node that starts containers late", () => {
  it.each<{ why: string; tookS: number; noticedS: number; leastS: number; mostS: number; said: RegExp | null }>([
    { why: "on time", tookS: 0, noticedS: 1, leastS: 5, mostS: 18, said: null },
    {
      why: "the last start took 15s",
      tookS: 15,
      noticedS: 1,
      leastS: 25,
      mostS: 70,
      said: /late \(by \d+s to \d+s\)$/,
    },
    { why: "the exit took 12s to be noticed", tookS: 1, noticedS: 12, leastS: 25, mostS: 70, said: /late \(by/ },
    { why: "a gap of minutes has another reason", tookS: 0, noticedS: 300, leastS: 5, mostS: 18, said: null },
  ])("$why: up to $mostS s after the wait", ({ tookS, noticedS, leastS, mostS, said }) => {
    const app = askedAt(EXIT_MS + 13 * S, crashed(tookS, noticedS));
    const latestS = ((app.nextRestart?.likelyByMs ?? 0) - READY_MS) / S;
    expect(latestS).toBeGreaterThanOrEqual(leastS);
    expect(latestS).toBeLessThanOrEqual(mostS);
    const text = app.evidence.find(({ rule }) => rule === "slow-starts")?.text ?? null;
    if (said === null) expect(text).toBeNull();
    else expect(text).toMatch(said);
  });

  it("is not called overdue where starts are late, and is where they are not", () => {
    const atMs = READY_MS + 30 * S;
    expect(askedAt(atMs, crashed(0, 1)).overdue).not.toBeNull();
    expect(askedAt(atMs, crashed(15, 12)).overdue).toBeNull();
  });

  it("counts from the sync that has begun the start", () => {
    const begun = created(READY_MS + 2 * S);
    const { nextRestart } = askedAt(READY_MS + 3 * S, crashed(0, 1), [begun]);
    expect(nextRestart?.likelyByMs).toBeLessThanOrEqual(READY_MS + 7 * S);
    expect(askedAt(READY_MS + 30 * S, crashed(0, 1), [begun]).overdue?.expectedByMs).toBeLessThan(READY_MS + 20 * S);
  });
});

describe("explain(): a start that pulls its image", () => {
  const pulled = (took: string) =>
    created(EXIT_MS - 6 * S, { reason: "Pulled", message: `Successfully pulled image "a" in ${took}`, name: took });
  const latestS = (image: Partial<ReturnType<typeof aContainer>>, events: EventSnapshot[] = [], afterS = -7) =>
    ((askedAt(READY_MS + afterS * S, crashed(0, 1, image), events).nextRestart?.likelyByMs ?? 0) - READY_MS) / S;

  it.each<{ why: string; image: Partial<ReturnType<typeof aContainer>>; pulls: boolean }>([
    { why: "IfNotPresent has it", image: { image: "a:latest", imagePullPolicy: "IfNotPresent" }, pulls: false },
    { why: "Always asks", image: { image: "a:1", imagePullPolicy: "Always" }, pulls: true },
  ])("$why", ({ image, pulls }) => expect(latestS(image) > 20).toBe(pulls));

  it("learns from the pulls of earlier restarts", () => {
    const always = { imagePullPolicy: "Always" };
    expect(latestS(always, ["80ms", "90ms", "70ms"].map(pulled))).toBeLessThan(latestS(always));
    const started = created(EXIT_MS - 5 * S, { reason: "Started" });
    expect(latestS(always, [pulled("41s"), started])).toBe(latestS(always));
    expect(latestS(always, [pulled("25s (41s including waiting)")])).toBeGreaterThan(latestS(always) + 20);
  });

  it("has only the start ahead of it once the image is pulled", () => {
    const pulling = created(READY_MS + S, { reason: "Pulling", message: "Pulling image" });
    expect(latestS({}, [pulling], 3)).toBeGreaterThan(12);
    expect(latestS({}, [pulling, created(READY_MS + 2 * S)], 3)).toBeLessThanOrEqual(7);
  });
});
