import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { prose } from "../../src/explain/answer/prose.ts";
import { stated } from "../../src/explain/words/evidence.ts";
import {
  atClock,
  backingOff,
  between,
  container,
  cycles,
  exit,
  explanation,
  inCrashLoopBackOff,
  inferred,
  later,
  onePod,
  policy,
  runs,
} from "./explanations.ts";

export function shownAsError(): Explanation {
  const history = cycles("13:36:25", [1, 12, 26, 48, 86]);
  const app = backingOff(160_000, {
    restartCount: 5,
    delayBasis: "inferred",
    nextRestart: between("13:42:28", "13:42:58"),
    lastExit: exit("13:39:43", "13:39:48"),
    history: inferred(4, history),
    why: "The kubelet waits 2m40s after this exit, 5m (maximum) after the next.",
    evidence: [
      stated(
        "last-two-runs",
        prose`the last two runs, from ${{ atMs: atClock("13:38:12") }} and ${{ atMs: atClock("13:39:43") }}, and the wait of 1m26s between them`,
      ),
      {
        basis: "inferred",
        rule: "curve-from-creation",
        text: "the four runs before those, from the pod's creation on",
      },
      { basis: "inferred", rule: "wait-fits-delay", text: "the delay of 2m40s: it follows a wait that fits 1m20s" },
    ],
  });
  const loop = {
    verdict: "crash-looping",
  } as const;
  return onePod("13:40:10", [app], {
    ...loop,
    policy: policy({ basis: "version" }),
    plan: ["app: keep waiting (2m18s of 2m40s left)."],
    gaps: [
      {
        code: "node-config-forbidden",
        message: "No permission to read the kubelet's configuration (get nodes/proxy); assuming the v1.37.1 defaults.",
      },
    ],
  });
}

export function shownAsCrashLoopBackOff(): Explanation {
  const app = inCrashLoopBackOff(80_000, {
    restartCount: 4,
    nextRestart: between("13:40:16", "13:40:31"),
    lastExit: exit("13:38:51", "13:38:56"),
    history: inferred(3, cycles("13:37:02", [0, 13, 24, 52])),
    why: "The kubelet waits 1m20s after this exit, 2m40s after the next.",
  });
  return onePod("13:39:20", [app], {
    node: "node-d",
    verdict: "crash-looping",
    policy: policy({ kubeletVersion: "v1.34.4", retry: "every-10s" }),
  });
}

export function waitIsOver(): Explanation {
  const app = inCrashLoopBackOff(300_000, {
    state: "restarting",
    restartCount: 6,
    nextRestart: between("13:48:26", "13:48:33"),
    lastExit: exit("13:43:13", "13:43:18"),
    history: later(5, runs(1, ["13:40:21", "13:40:26"], ["13:43:13", "13:43:18"])),
    why: "The 5m wait is over; it restarts at the kubelet's next sync.",
  });
  return onePod("13:48:26", [app], {
    node: "node-d",
    verdict: "crash-looping",
    policy: policy({ kubeletVersion: "v1.34.4", retry: "every-10s" }),
  });
}

export function overdue(): Explanation {
  const { atBasis, pods } = waitIsOver();
  const late = pods.map((one) => ({
    ...one,
    containers: one.containers.map((app) => ({
      ...app,
      nextRestart: null,
      overdue: { expectedByMs: atClock("13:48:33") },
      whatToCheck: "check the kubelet and the container runtime on node node-d",
    })),
  }));
  return { ...explanation("13:53:33", late), atBasis };
}

export function upAfterCrashes(): Explanation {
  const app = container({
    restartCount: 4,
    delayMs: 80_000,
    reset: { atMs: atClock("13:48:07"), how: "if-it-keeps-running" },
    lastExit: exit("13:37:10", "13:37:10"),
    history: later(3, runs(1, ["13:37:10", "13:37:10"], ["13:38:07", null])),
    why: "It is running. If it exits now, the kubelet waits 1m20s. Once it has run for 10m, the back-off is gone: the first restart is immediate, the next waits 10s.",
    evidence: [stated("last-two-runs", "this run and the one before, and the wait of 57s between them")],
  });
  return onePod("13:43:00", [app], {
    verdict: "crash-looping",
  });
}
