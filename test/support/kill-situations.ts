import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { at, between, container, exit, explanation, pod, runs, seen } from "./explanations.ts";

/** A liveness probe that always fails and a program that ignores SIGTERM: killed after its grace period. */
export function killedByLiveness(): Explanation {
  const app = container({
    name: "web",
    state: "backing-off",
    reported: "CrashLoopBackOff",
    restartCount: 6,
    delayMs: 160_000,
    delayBasis: "observed",
    nextRestart: between("13:44:53", "13:45:23"),
    lastExit: exit("13:41:34", "13:42:13", {
      exitCode: 137,
      cause: "liveness-probe",
      causeBasis: "inferred",
      meaning:
        "Its liveness probe failed, it ignored SIGTERM, and after the grace period of 30s the kubelet sent SIGKILL (128 + 9).",
    }),
    history: runs(137, ["13:40:53", "13:41:33"], ["13:41:34", "13:42:13"]).map((run) => ({
      ...run,
      start: run.start + 5,
    })),
    why: "After a kill by a probe the kubelet first compares its delay with the exit before the last one. That is why some restarts came at once; this one waits 2m40s from the kill at 2026-11-21T13:42:13Z.",
    evidence: [
      seen("message-names-the-delay", 'the kubelet\'s message "back-off 2m40s restarting failed container=web"'),
      seen("killing-event", "6 events Killing: Container web failed liveness probe, will be restarted"),
    ],
  });
  return explanation("13:42:30", [pod([app], { verdict: "crash-looping", summary: "web crash-loops." })]);
}

/** Killed by the kernel for its memory limit. */
export function outOfMemory(): Explanation {
  const app = container({
    state: "backing-off",
    reported: "OOMKilled",
    restartCount: 5,
    delayMs: 160_000,
    nextRestart: between("13:42:08", "13:42:38"),
    lastExit: exit("13:39:27", "13:39:28", {
      exitCode: 137,
      reason: "OOMKilled",
      cause: "oom",
      meaning: "The kernel killed it because it used more memory than its limit allows (128 + 9, SIGKILL).",
    }),
    why: "It has been killed six times, each time 1 or 2s after its start. This wait is 2m40s, from 2026-11-21T13:39:28Z.",
    evidence: [seen("last-two-runs", "the last two runs and the wait of 1m22s between them")],
  });
  return explanation("13:40:00", [
    pod([app], { verdict: "crash-looping", summary: "app runs out of memory again and again." }),
  ]);
}

/** It ran 9m20s after its last restart, so the back-off is dropped while it waits. */
export function resetDuringTheWait(): Explanation {
  const app = container({
    state: "backing-off",
    reported: "Error",
    restartCount: 5,
    delayMs: 160_000,
    nextRestart: between("13:49:34", "13:50:21"),
    reset: { atMs: at("13:49:34"), how: "during-the-wait" },
    lastExit: exit("13:39:34", "13:48:54"),
    why: "It ran for 9m20s, and the kubelet drops the back-off 10m after the start at 2026-11-21T13:39:34Z, which comes before the end of the wait of 2m40s.",
    evidence: [seen("last-two-runs", "the last two runs")],
  });
  return explanation("13:49:00", [
    pod([app], { verdict: "crash-looping", summary: "app waits, but not as long as its delay." }),
  ]);
}
