import { SIGKILL, SIGKILL_EXIT_CODE } from "../../kubelet/exit-codes.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { Evidence } from "../answer/explanation.ts";
import { runLengthMs } from "../history/runs.ts";
import type { EventSnapshot, TerminatedState } from "../observed/observation.ts";
import type { Prediction } from "../prediction/prediction.ts";

/** Assumed: a node's SystemOOM event explains a kill within this time before or after the event. */
const SYSTEM_OOM_SLACK_MS = 30_000;

/** SystemOOM is about the memory of the node (`Start`, pkg/kubelet/oom/oom_watcher_linux.go, v1.37.1). */
function systemOom({ finishedAtMs }: TerminatedState, { observed }: Prediction): EventSnapshot | undefined {
  return observed.nodeEvents.find(
    ({ reason, lastAtMs }) =>
      reason === "SystemOOM" && Math.abs((lastAtMs ?? 0) - (finishedAtMs ?? 0)) <= SYSTEM_OOM_SLACK_MS,
  );
}

export function outOfMemory(exit: TerminatedState, prediction: Prediction): string {
  const { exitCode, startedAtMs, finishedAtMs } = exit;
  const { isFromStatus } = prediction.facts.spec;
  const isKnown = startedAtMs !== null && finishedAtMs !== null;
  const ran = isKnown ? ` after ${formatBriefDuration(runLengthMs(exit))}` : "";
  const limit = limitOf(prediction);
  const what =
    systemOom(exit, prediction) !== undefined
      ? "the node ran out of memory"
      : limit !== null
        ? `${limit.whose === "pod" ? "the pod" : "it"} exceeded its ${limit.limit} memory limit`
        : isFromStatus === true
          ? "it was out of memory"
          : "the container has no memory limit, so the node ran out of memory";
  return `OOMKilled (exit code ${exitCode}): ${what}${ran}.`;
}

function limitOf({ facts, observed }: Prediction) {
  const { memoryLimit } = facts.spec;
  if (memoryLimit !== null) return { whose: "container", limit: memoryLimit } as const;
  const { memoryLimit: ofPod } = observed.pod;
  return ofPod === null ? null : ({ whose: "pod", limit: ofPod } as const);
}

/**
 * Whether the kernel kills all processes of a container that exceeds its memory limit; null if unknown. A kubelet with
 * `failCgroupV1` does not run on cgroup v1 (`validateKubeletOSConfiguration`,
 * pkg/kubelet/apis/config/validation/validation_linux.go, v1.37.1). On cgroup v2, `singleProcessOOMKill` is false by
 * default (`NewMainKubelet`, pkg/kubelet/kubelet.go, v1.37.1).
 */
function killsWhole({ observed: { kubeletConfig: config } }: Prediction): boolean | null {
  if (config === null || config.source !== undefined) return null;
  if (config.singleProcessOOMKill === true) return false;
  return config.failCgroupV1 === true ? true : null;
}

/** Assumed order: the likeliest sender of SIGKILL comes first. */
export function killersOf(exit: TerminatedState, prediction: Prediction): readonly [string, ...string[]] {
  const oom = systemOom(exit, prediction);
  const limit = limitOf(prediction);
  const whole = killsWhole(prediction);
  const [, victim] = /victim process: ([^,]+),/.exec(oom?.message ?? "") ?? [];
  const ofNode =
    oom && `probably by the kernel: the node ran out of memory${victim ? ` (SystemOOM, victim ${victim})` : ""}`;
  const single =
    "the kernel kills single processes on this node (singleProcessOOMKill), which does not show as OOMKilled";
  const atLimit = limit === null || whole === true ? null : `at its ${limit.limit} memory limit`;
  const areNodeEventsMissing = prediction.observed.missing.some(({ what }) => what === "node-events");
  const candidates = [
    ofNode ?? null,
    atLimit !== null && whole === false ? `perhaps ${atLimit}: ${single}` : null,
    canBeKubelet(exit, prediction) ? "perhaps by the kubelet, after a failed probe and the grace period" : null,
    atLimit !== null && whole === null
      ? `perhaps ${atLimit}, if the kernel killed only a child of its main process`
      : null,
    areNodeEventsMissing && oom === undefined ? "perhaps by the node's OOM killer, whose events were not read" : null,
  ].filter((candidate) => candidate !== null);
  const [first, ...others] = [
    ...candidates,
    "by a process on the node or in the container; Kubernetes does not record which",
  ];
  return [first ?? "", ...others];
}

/** Assumed: after a failed probe, SIGKILL follows only when the grace period is over. */
function canBeKubelet(exit: TerminatedState, { facts: { spec }, observed }: Prediction): boolean {
  const probes = [spec.livenessProbe, spec.startupProbe].filter((probe) => probe !== null);
  const isLong = probes.some(({ gracePeriodMs }) => runLengthMs(exit) >= (gracePeriodMs ?? observed.pod.gracePeriodMs));
  return isLong || (probes.length > 0 && exit.startedAtMs === null);
}

export function killerEvidence(prediction: Prediction): Evidence[] {
  const { lastExit: exit, lastCause } = prediction.facts;
  const isKill = exit !== null && lastCause?.cause === "signal" && lastCause.stoppedWith === undefined;
  if (!isKill || (exit.signal ?? exit.exitCode - 128) !== SIGKILL || exit.exitCode > SIGKILL_EXIT_CODE) return [];
  const [, ...others] = killersOf(exit, prediction);
  const isRuledOut =
    killsWhole(prediction) === true && limitOf(prediction) !== null && systemOom(exit, prediction) === undefined;
  const notLimit =
    "SIGKILL did not come from its memory limit: the kernel kills whole containers here, which shows as OOMKilled";
  return [
    ...(isRuledOut ? [{ basis: "inferred", rule: "memory-limit-ruled-out", text: notLimit } as const] : []),
    ...others.map((other) => ({ basis: "assumed", rule: "other-sigkill", text: `or it was killed ${other}` }) as const),
  ];
}
