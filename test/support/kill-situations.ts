import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { stated } from "../../src/explain/words/evidence.ts";
import { atClock, backingOff, between, exit, inCrashLoopBackOff, later, onePod, runs } from "./explanations.ts";

export function killedByLiveness(): Explanation {
  const app = inCrashLoopBackOff(160_000, {
    name: "web",
    restartCount: 6,
    nextRestart: between("13:44:53", "13:45:23"),
    lastExit: exit("13:41:34", "13:42:13", {
      exitCode: 137,
      cause: "liveness-probe",
      causeBasis: "inferred",
      meaning:
        "The kubelet probably killed it: its liveness probe (GET :8080/healthz) failed 3 times in a row, 3s apart (last answer: HTTP 500). It did not stop within its grace period of 30s, so SIGKILL followed (exit code 137).",
    }),
    history: later(5, runs(137, ["13:40:53", "13:41:33"], ["13:41:34", "13:42:13"])),
    why: "The kubelet waits 2m40s after this exit, 5m (maximum) after the next. When the kubelet kills a container itself, it counts the wait from the previous exit, so some restarts are immediate.",
    evidence: [
      stated("message-names-the-delay", 'the kubelet\'s message "back-off 2m40s restarting failed container=web"'),
      stated("killing-event", "6 events Killing: Container web failed liveness probe, will be restarted"),
    ],
  });
  return onePod("13:42:30", [app], { verdict: "crash-looping" });
}

export function outOfMemory(): Explanation {
  const app = backingOff(160_000, {
    reported: "OOMKilled",
    restartCount: 5,
    nextRestart: between("13:42:08", "13:42:38"),
    lastExit: exit("13:39:27", "13:39:28", {
      exitCode: 137,
      reason: "OOMKilled",
      cause: "oom",
      meaning: "OOMKilled (exit code 137): it exceeded its 24Mi memory limit after 1s.",
    }),
    why: "The kubelet waits 2m40s after this exit, 5m (maximum) after the next.",
    evidence: [stated("last-two-runs", "the last two runs and the wait of 1m22s between them")],
  });
  return onePod("13:40:00", [app], { verdict: "crash-looping" });
}

export function resetDuringTheWait(): Explanation {
  const app = backingOff(160_000, {
    restartCount: 5,
    nextRestart: between("13:49:34", "13:50:21"),
    reset: { atMs: atClock("13:49:34"), how: "during-the-wait" },
    lastExit: exit("13:39:34", "13:48:54"),
    why: "The back-off resets 40s after this exit (10m after the last start), which ends the 2m40s wait: the kubelet restarts it at its next sync. The next wait is only 10s.",
    evidence: [stated("last-two-runs", "the last two runs")],
  });
  return onePod("13:49:00", [app], { verdict: "crash-looping" });
}
