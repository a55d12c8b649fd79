import type {
  ContainerExplanation,
  Explanation,
  LastExit,
  PodExplanation,
  PolicyExplanation,
  Run,
  Window,
} from "../../src/explain/answer/explanation.ts";
import { stated } from "../../src/explain/words/evidence.ts";
import { formatBriefDuration, formatGoDuration } from "../../src/kubelet/go-duration.ts";

export function atClock(clock: string): number {
  return Date.parse(`2026-11-21T${clock}Z`);
}

export function between(from: string, to: string): Window {
  return { notBeforeMs: atClock(from), likelyByMs: atClock(to) };
}

export function runs(exitCode: number, ...spans: readonly (readonly [string, string | null])[]): Run[] {
  return spans.map(([started, finished], start) => {
    const next = spans[start + 1];
    return {
      start,
      startedAtMs: atClock(started),
      finishedAtMs: finished === null ? null : atClock(finished),
      exitCode: finished === null ? null : exitCode,
      waitedMs: finished === null || next === undefined ? null : atClock(next[0]) - atClock(finished),
      basis: "observed" as const,
      startedBetweenMs: null,
    };
  });
}

/** Runs of five seconds, each of which exits with 1. `waits` are the seconds between the runs. */
export function cycles(began: string, waits: readonly number[]): Run[] {
  const clock = (atMs: number): string => new Date(atMs).toISOString().slice(11, 19);
  let startedAtMs = atClock(began);
  const spans = [0, ...waits].map((wait, index) => {
    startedAtMs += (wait + (index === 0 ? 0 : 5)) * 1000;
    return [clock(startedAtMs), clock(startedAtMs + 5_000)] as const;
  });
  return runs(1, ...spans);
}

export function later(by: number, history: readonly Run[]): Run[] {
  return history.map((run) => ({ ...run, start: run.start + by }));
}

export function inferred(count: number, history: readonly Run[]): Run[] {
  return history.map((run) => {
    const { start, startedAtMs, waitedMs } = run;
    if (start >= count || startedAtMs === null) return run;
    const startedBetweenMs = [startedAtMs - 1000, startedAtMs + 1000] as const;
    const unseen = { startedAtMs: null, finishedAtMs: null, exitCode: null, waitedMs };
    return { start, ...unseen, basis: "inferred" as const, startedBetweenMs };
  });
}

export function exit(started: string | null, finished: string, more: Partial<LastExit> = {}): LastExit {
  return {
    startedAtMs: started === null ? null : atClock(started),
    finishedAtMs: atClock(finished),
    exitCode: 1,
    signal: null,
    reason: "Error",
    message: null,
    cause: "exited",
    causeBasis: "observed",
    meaning: "Exit code 1: the program stopped with an error.",
    crash: more.meaning ?? "Exit code 1: the program stopped with an error.",
    ...more,
  };
}

const NEVER_EXITED = "It has not exited since it was created, so the kubelet keeps no back-off for it.";

export function container(more: Partial<ContainerExplanation> = {}): ContainerExplanation {
  const { why = NEVER_EXITED } = more;
  return {
    name: "app",
    type: "app",
    image: "localhost/busybox:1",
    state: "running",
    reported: "Running",
    restartCount: 0,
    isReady: null,
    isCrashLooping: false,
    isDelayDoubtful: false,
    failingSince: null,
    delayMs: 0,
    delayBasis: "inferred",
    nextRestart: null,
    overdue: null,
    whatToCheck: "",
    reset: null,
    ...forecastFor(more),
    podEndsAtMs: null,
    hookRunsSinceMs: null,
    beingKilled: null,
    expectedKill: null,
    obstacle: null,
    knownBug: null,
    lastExit: null,
    history: [],
    imagePull: null,
    ways: null,
    waitSentence: "",
    why,
    whyWithoutWait: why,
    evidence: [],
    ...(more.state === "backing-off" && typeof more.why === "string" && waitIn(more.why)),
    ...more,
  };
}

function waitIn(why: string) {
  const waitSentence = why.replace(/ When the .*/, "");
  return { waitSentence, whyWithoutWait: why.slice(waitSentence.length).trim() };
}

function forecastFor({ state = "running", type = "app", delayMs = 0 }: Partial<ContainerExplanation>) {
  if (state !== "running" || delayMs === null) return { ifItExits: null, forecast: null };
  const exits = type === "init" ? "fails" : "exits";
  const forecast =
    delayMs === 0
      ? `No back-off: if it ${exits}, it restarts immediately.`
      : `If it ${exits} now, the kubelet waits ${formatBriefDuration(delayMs)}.`;
  return { ifItExits: [{ probe: null, delayMs }], forecast };
}

export function policy(more: Partial<PolicyExplanation> = {}): PolicyExplanation {
  return {
    initialMs: 10_000,
    maxMs: 300_000,
    resetAfterMs: 600_000,
    retry: "at-expiry",
    kubeletVersion: "v1.37.1",
    basis: "configz",
    ...more,
  };
}

export function pod(containers: readonly ContainerExplanation[], more: Partial<PodExplanation> = {}): PodExplanation {
  return {
    namespace: "shop",
    name: "cart-6649d49b6c-x2x7p",
    uid: "2d3642d3-ba37-4089-8042-b715e4713b92",
    node: "node-a",
    phase: "Running",
    owner: { kind: "ReplicaSet", name: "cart-6649d49b6c" },
    createdAtMs: null,
    deletion: null,
    verdict: "running",
    ending: null,
    availability: null,
    obstacle: null,
    policy: policy(),
    containers,
    plan: ["Nothing is due: all containers run as they should."],
    gaps: [],
    ...more,
  };
}

export function explanation(
  clock: string,
  pods: readonly PodExplanation[],
  more: Partial<Explanation> = {},
): Explanation {
  return { atMs: atClock(clock), atBasis: "server-clock", pods, ...more };
}

export function onePod(clock: string, ...of: Parameters<typeof pod>): Explanation {
  return explanation(clock, [pod(...of)]);
}

export function backingOff(delayMs: number, more: Partial<ContainerExplanation>): ContainerExplanation {
  return container({ state: "backing-off", reported: "Error", delayMs, ...more });
}

export function inCrashLoopBackOff(delayMs: number, more: Partial<ContainerExplanation>): ContainerExplanation {
  const message = `back-off ${formatGoDuration(delayMs)} restarting failed container=${more.name ?? "app"}`;
  const evidence = [stated("message-names-the-delay", `the kubelet's message "${message}"`)];
  return backingOff(delayMs, { reported: "CrashLoopBackOff", delayBasis: "observed", evidence, ...more });
}

export const DOWN = {
  state: "backing-off",
  reported: "Error",
  delayMs: 20_000,
  lastExit: exit("13:39:50", "13:39:55"),
} as const;
