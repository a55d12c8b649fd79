import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { container, exit, inCrashLoopBackOff, onePod, policy } from "./explanations.ts";

const OVER = { delayMs: null, delayBasis: null } as const;

export function completed(): Explanation {
  const task = container({
    ...OVER,
    name: "task",
    state: "completed",
    reported: "Completed",
    lastExit: exit("13:40:01", "13:40:07", {
      exitCode: 0,
      reason: "Completed",
      meaning: "Exit code 0: it finished successfully.",
    }),
    why: "restartPolicy OnFailure does not restart it after success.",
  });
  return onePod("13:56:00", [task], {
    name: "nightly-29921140-zt66s",
    owner: { kind: "Job", name: "nightly-29921140" },
    phase: "Succeeded",
    verdict: "completed",
  });
}

export function failed(): Explanation {
  const task = container({
    ...OVER,
    name: "task",
    state: "failed",
    reported: "Error",
    lastExit: exit("13:38:21", "13:38:26"),
    why: "restartPolicy Never does not restart it after exit code 1.",
  });
  return onePod("13:39:00", [task], {
    name: "export-9cxwv",
    owner: { kind: "Job", name: "export" },
    phase: "Failed",
    verdict: "failed",
  });
}

export function terminating(): Explanation {
  const app = container({
    ...OVER,
    state: "failed",
    reported: "Error",
    restartCount: 6,
    lastExit: exit("13:42:28", "13:42:30"),
    why: "The pod is being deleted; its containers will not restart.",
  });
  return onePod("13:50:00", [app], { verdict: "terminating" });
}

export function nodeNotReady(): Explanation {
  const app = inCrashLoopBackOff(300_000, {
    restartCount: 6,
    lastExit: exit("13:42:33", "13:42:38"),
    why: "The kubelet waits 5m after this exit, the maximum on node-a.",
  });
  const gaps = [
    {
      code: "node-not-ready",
      message: "Node node-a is NotReady (kubelet not responding). Nothing on it restarts until it is back.",
    },
    {
      code: "events-forbidden",
      message:
        "No permission to read the pod's events (list events); restarts and kills are inferred from the pod's status alone.",
    },
  ];
  return onePod("13:46:00", [app], {
    verdict: "crash-looping",
    gaps,
    policy: policy(),
  });
}

export function withoutStatus(): Explanation {
  const app = container({ ...OVER, state: "unknown", reported: null, why: "The pod has no status." });
  return onePod("13:40:00", [app], {
    phase: null,
    verdict: "unknown",
    policy: policy({ kubeletVersion: null, basis: "assumed" }),
  });
}
