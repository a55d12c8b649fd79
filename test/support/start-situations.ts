import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { stated } from "../../src/explain/words/evidence.ts";
import { atClock, between, container, exit, inCrashLoopBackOff, onePod, policy, runs } from "./explanations.ts";

export function healthy(): Explanation {
  return onePod("13:56:00", [container({ history: runs(0, ["13:36:49", null]) })]);
}

export function imagePullBackOff(): Explanation {
  const image = "registry.invalid/team/app:v1";
  const nextPull = between("13:42:31", "13:42:47");
  const app = container({
    image,
    state: "starting",
    reported: "ImagePullBackOff",
    nextRestart: nextPull,
    imagePull: { image, cause: "network is unreachable", delayMs: 160_000, nextPull },
    why: "Image pull failed: network is unreachable. Image pulls have their own back-off: 2m40s after the last failure.",
    evidence: [stated("failed-pulls", "5 events Failed: Failed to pull image, the last at 2026-11-21T13:39:51Z")],
  });
  return onePod("13:40:30", [app], { phase: "Pending", verdict: "image-pull-back-off" });
}

export function startFailing(): Explanation {
  const app = container({
    state: "starting",
    reported: "CreateContainerConfigError",
    nextRestart: between("13:45:06", "13:45:17"),
    obstacle: {
      kind: "container",
      reason: "CreateContainerConfigError",
      message: 'configmap "absent" not found',
      cause: 'configmap "absent" not found',
    },
    why: 'The container cannot be created: configmap "absent" not found. The kubelet retries every 10-15s and starts it once that is fixed.',
    evidence: [stated("waiting-reason", 'the status: CreateContainerConfigError, configmap "absent" not found')],
  });
  return onePod("13:45:04", [app], { phase: "Pending", verdict: "start-failing" });
}

export function withoutNode(): Explanation {
  const app = container({
    state: "starting",
    reported: null,
    delayBasis: null,
    obstacle: {
      kind: "scheduling",
      reason: "FailedScheduling",
      message: "0/3 nodes are available: 3 Insufficient memory",
      cause: "0/3 nodes are available: 3 Insufficient memory",
      repeated: { count: 4, firstAtMs: atClock("13:20:00"), lastAtMs: atClock("13:38:00") },
    },
    why: "0/3 nodes are available: 3 Insufficient memory. No kubelet has the pod yet: the scheduler assigns it as soon as a node fits.",
  });
  const assumed = policy({ kubeletVersion: null, basis: "assumed" });
  const unscheduled = { node: null, phase: "Pending", verdict: "start-failing", policy: assumed } as const;
  return onePod("13:40:00", [app], { ...unscheduled });
}

export function initializing(): Explanation {
  const setup = container({ name: "setup", type: "init", history: runs(0, ["13:39:12", null]) });
  const app = container({ state: "blocked", reported: "PodInitializing", delayMs: null, delayBasis: null });
  return onePod("13:40:00", [setup, app], { phase: "Pending", verdict: "pending" });
}

export function initLoop(): Explanation {
  const setup = inCrashLoopBackOff(160_000, {
    name: "setup",
    type: "init",
    restartCount: 5,
    nextRestart: between("13:42:25", "13:42:55"),
    lastExit: exit("13:39:43", "13:39:45", {
      exitCode: 4,
      meaning: "Exit code 4: the program stopped with an error.",
    }),
    why: "The kubelet waits 2m40s after this exit, 5m (maximum) after the next.",
  });
  const app = container({
    state: "blocked",
    reported: "PodInitializing",
    delayMs: null,
    delayBasis: null,
    why: "It starts when the init containers and sidecars before it have finished or started.",
  });
  return onePod("13:41:30", [setup, app], { phase: "Pending", verdict: "crash-looping" });
}
