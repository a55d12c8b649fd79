import type { ContainerExplanation, Explanation, Run } from "../../src/explain/answer/explanation.ts";
import { SECOND_MS } from "../../src/kubelet/go-duration.ts";
import { atClock, container, exit, explanation, inCrashLoopBackOff, pod } from "./explanations.ts";

const WAIT_MS = 300 * SECOND_MS;

export function longLoop(): Explanation {
  return explanation("13:40:00", [crashLooping([longLooping(2)])]);
}

export function watchedLoop(): Explanation {
  return explanation("13:40:00", [crashLooping([longLooping(500)])]);
}

export function quickRestarts(): Explanation {
  const nowMs = atClock("13:40:00");
  const history = Array.from({ length: 400 }, (_, start): Run => {
    const startedAtMs = nowMs - (400 - start) * 4 * SECOND_MS;
    const isLast = start === 399;
    const finishedAtMs = isLast ? null : startedAtMs + 4 * SECOND_MS;
    const waitedMs = isLast ? null : 0;
    return {
      start,
      startedAtMs,
      finishedAtMs,
      exitCode: isLast ? null : 1,
      waitedMs,
      basis: "observed",
      startedBetweenMs: null,
    };
  });
  const app = container({
    restartCount: 399,
    lastExit: exit("13:39:52", "13:39:56", { cause: "restart-all" }),
    history,
  });
  return explanation("13:40:00", [crashLooping([app])]);
}

function crashLooping(containers: readonly ContainerExplanation[]) {
  return pod(containers, { verdict: "crash-looping" });
}

function longLooping(seen: number): ContainerExplanation {
  const count = 500;
  const lastFinishMs = atClock("13:38:30");
  const endOf = (start: number): number => lastFinishMs - (count - 1 - start) * (WAIT_MS + 45 * SECOND_MS);
  const history = Array.from({ length: count }, (_, start): Run => {
    const isSeen = start >= count - seen;
    const [startedAtMs, finishedAtMs] = [endOf(start) - 40 * SECOND_MS, endOf(start)];
    const between = [
      endOf(0) - 60 * SECOND_MS + start * WAIT_MS,
      endOf(count - seen) - (count - seen - start) * WAIT_MS,
    ] as const;
    return {
      start,
      startedAtMs: isSeen ? startedAtMs : null,
      finishedAtMs: isSeen ? finishedAtMs : null,
      exitCode: isSeen ? 1 : null,
      waitedMs: isSeen && start < count - 1 ? WAIT_MS + 5 * SECOND_MS : null,
      basis: isSeen ? "observed" : "inferred",
      startedBetweenMs: isSeen ? null : between,
    };
  });
  return inCrashLoopBackOff(WAIT_MS, {
    restartCount: count - 1,
    nextRestart: { notBeforeMs: lastFinishMs + WAIT_MS, likelyByMs: lastFinishMs + WAIT_MS + 15_000 },
    lastExit: exit("13:37:50", "13:38:30"),
    history,
    why: "The kubelet waits 5m after this exit, the maximum on node-a.",
    evidence: [],
  });
}
