import { describe, expect, it } from "vitest";
import { observationAt } from "../../lab/recordings/recorded-moment.ts";
import type { Recording } from "../../lab/recordings/recordings.ts";
import { explained, type Recorded } from "./recorded.ts";

/**
 * Each row has the pod, the seconds since its first recorded version, its verdict, and state/reported/cause of each
 * container.
 */
const SCENARIOS = `
  agent-lh6n5                      1500 crash-looping       agent backing-off/CrashLoopBackOff/exited
  api-6f5fd85495-5g9w8              330 crash-looping       app backing-off/CrashLoopBackOff/exited
  cap-then-long                    1500 crash-looping       app running/Running/exited
  command-not-found                  60 crash-looping       app backing-off/RunContainerError/start-error
  command-not-found                 330 crash-looping       app backing-off/CrashLoopBackOff/start-error
  config-missing                     60 start-failing       app starting/CreateContainerConfigError/-
  container-onfailure-in-never-pod   60 crash-looping       app backing-off/Error/exited + other running/Running/-
  db-0                              330 crash-looping       store backing-off/CrashLoopBackOff/exited
  deleted-and-back                 1500 crash-looping       app backing-off/Error/exited
  exit0                              60 crash-looping       app backing-off/Completed/exited
  exit1-after-0s                     60 crash-looping       app backing-off/Error/exited
  exit1-after-12s                   330 crash-looping       app backing-off/CrashLoopBackOff/exited
  exit1-after-150s                   60 running             app running/Running/-
  exit1-after-240s                  330 running             app running/Running/exited
  exit1-after-42s                    60 running             app running/Running/exited
  exit1-after-42s                   330 crash-looping       app backing-off/Error/exited
  exit1-after-5s                     60 crash-looping       app backing-off/Error/exited
  exit1-after-90s                   330 crash-looping       app running/Running/exited
  export-9cxwv                       60 failed              task failed/Error/exited
  grow-then-dropped                 330 crash-looping       app running/Running/exited
  grow-then-kept                   1500 crash-looping       app backing-off/CrashLoopBackOff/exited
  grow-then-reset                  1500 crash-looping       app restarting/CrashLoopBackOff/exited
  healthy                          1500 running             app running/Running/-
  held-while-deleted                330 crash-looping       app backing-off/CrashLoopBackOff/exited
  held-while-deleted               1500 terminating         app failed/Error/exited
  image-bad-name                     60 start-failing       app starting/InvalidImageName/-
  image-changed                    1500 crash-looping       app backing-off/Error/exited
  image-never                        60 start-failing       app starting/ErrImageNeverPull/-
  image-unreachable                  60 image-pull-back-off app starting/ErrImagePull/-
  image-unreachable                1500 image-pull-back-off app starting/ImagePullBackOff/-
  import-thwlb                       60 crash-looping       task backing-off/Error/exited
  init-crashes                       60 crash-looping       setup backing-off/Error/exited + app blocked/PodInitializing/-
  init-done-app-crashes              60 crash-looping       setup completed/Completed/exited + app backing-off/Error/exited
  init-recovers                      60 running             setup completed/Completed/exited + app running/Running/exited
  init-recovers                     330 crash-looping       setup completed/Completed/exited + app backing-off/Error/exited
  killed-by-signal                   60 crash-looping       app backing-off/Error/signal
  liveness-after-a-while           1500 crash-looping       app running/Running/liveness-probe
  liveness-ignores-term              60 running             app running/Running/liveness-probe
  liveness-ignores-term            1500 crash-looping       app backing-off/CrashLoopBackOff/liveness-probe
  liveness-quick-exit                60 crash-looping       app backing-off/CrashLoopBackOff/liveness-probe
  never-exit1                        60 failed              app failed/Error/exited
  nightly-29921140-zt66s             60 terminating         task running/Running/exited
  no-node                            60 pending             app starting/-/-
  onfailure-exit0                    60 completed           app completed/Completed/exited
  onfailure-exit1                    60 crash-looping       app backing-off/Error/exited
  oom                                60 crash-looping       app backing-off/OOMKilled/oom
  poststart-fails                    60 running             app running/PostStartHookError/post-start-hook
  poststart-fails                  1500 crash-looping       app backing-off/CrashLoopBackOff/post-start-hook
  recovers                          330 crash-looping       app running/Running/exited
  recovers                         1500 running             app running/Running/exited
  rules-no-match                     60 failed              app failed/Error/exited
  rules-restart-all                  60 crash-looping       trigger running/Running/restart-all + other running/Running/restart-all
  rules-restart-on-42                60 crash-looping       app backing-off/Error/exited
  sidecar-crashes                   330 crash-looping       proxy backing-off/CrashLoopBackOff/exited + app running/Running/-
  startup-probe-fails               330 crash-looping       app backing-off/CrashLoopBackOff/startup-probe
  termination-message                60 crash-looping       app backing-off/Error/exited
  two-crashers                     1500 crash-looping       fast backing-off/CrashLoopBackOff/exited + slow backing-off/CrashLoopBackOff/exited + steady running/Running/-
  varied-lengths                     60 crash-looping       app backing-off/Completed/exited
`;

const rows = SCENARIOS.trim()
  .split("\n")
  .map((line) => {
    const [pod = "", seconds = "", verdict = "", ...containers] = line.trim().split(/\s+/);
    return { pod, seconds: Number(seconds), verdict, containers: containers.join(" ") };
  });

function explainedAt(recording: Recording, seconds: number) {
  const observation = observationAt(recording, (recording.lines[0]?.atMs ?? 0) + seconds * 1_000);
  const [pod] = observation === null ? [] : explained(observation).pods;
  const containers = pod?.containers.map(({ name, state, reported, lastExit }) => {
    return `${name} ${state}/${reported ?? "-"}/${lastExit?.cause ?? "-"}`;
  });
  return { verdict: pod?.verdict, containers: containers?.join(" + ") };
}

export function describeScenarios(recorded: Recorded): void {
  const recordings = recorded.recordings.filter(({ node }) => node === "node-a");

  describe("verdict and state of what real kubelets did", () => {
    it.each(rows)("$pod after $seconds s: $verdict", ({ pod, seconds, verdict, containers }) => {
      const recording = recordings.find((candidate) => candidate.pod === pod);
      if (recording === undefined) throw new Error(`no recording ${pod}`);
      expect(explainedAt(recording, seconds)).toEqual({ verdict, containers });
    });

    it("has a row for every kind of recording of node-a", () => {
      const scenario = (pod: string) => pod.replace(/-[a-z0-9]{5}$/, "").replace(/-(\d+|[a-f0-9]{10})$/, "");
      const asserted = new Set(rows.map(({ pod }) => scenario(pod)));
      expect(recordings.map(({ pod }) => scenario(pod)).filter((name) => !asserted.has(name))).toEqual([]);
    });
  });
}
