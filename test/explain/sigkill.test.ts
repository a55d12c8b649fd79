import { describe, expect, it } from "vitest";
import type { ContainerSpec, KubeletConfig, PodObservation } from "../../src/explain/observed/observation.ts";
import { aContainer, anEvent, aProbe, aStatus, running, S, T0_MS, terminated } from "../support/builders.ts";
import { explainPod } from "../support/explain-pod.ts";

const CONFIG: KubeletConfig = { maxContainerRestartPeriodMs: 300_000, featureGates: {}, syncFrequencyMs: 60_000 };
const OOM = anEvent({
  reason: "SystemOOM",
  message: "System OOM encountered, victim process: java, pid: 812",
  container: null,
  firstAtMs: T0_MS + 41 * S,
});

function killed(spec: Partial<ContainerSpec>, config: Partial<KubeletConfig>, seen: Partial<PodObservation> = {}) {
  const exit = terminated(T0_MS, T0_MS + 40 * S, { exitCode: 137 });
  const status = aStatus({
    restartCount: 1,
    containerID: "containerd://1",
    state: running(T0_MS + 41 * S),
    lastState: exit,
  });
  const kubeletConfig = { ...CONFIG, ...config };
  const pod = { containers: [aContainer(spec)], statuses: [status] };
  const [app] = explainPod(pod, { atMs: T0_MS + 60 * S, kubeletConfig, ...seen }).containers;
  const evidence = app?.evidence.filter(({ rule }) => /sigkill|memory-limit/.test(rule)) ?? [];
  return { meaning: app?.lastExit?.meaning, evidence: evidence.map(({ text }) => text) };
}

const SOMEONE = "by a process on the node or in the container; Kubernetes does not record which";
const CHILD = "perhaps at its 64Mi memory limit, if the kernel killed only a child of its main process";
const RULED_OUT =
  "SIGKILL did not come from its memory limit: the kernel kills whole containers here, which shows as OOMKilled";
const V2 = { failCgroupV1: true };

describe("exit code 137 without OOMKilled", () => {
  it.each([
    { why: "nothing shows who sent SIGKILL", spec: {}, config: V2, seen: {}, first: SOMEONE, evidence: [] },
    {
      why: "the node ran out of memory",
      spec: { memoryLimit: "64Mi" },
      config: V2,
      seen: { nodeEvents: [OOM] },
      first: "probably by the kernel: the node ran out of memory (SystemOOM, victim java)",
      evidence: [`or it was killed ${SOMEONE}`],
    },
    {
      why: "cgroup v2 kills the whole container",
      spec: { memoryLimit: "64Mi" },
      config: V2,
      seen: {},
      first: SOMEONE,
      evidence: [RULED_OUT],
    },
    {
      why: "the node kills single processes",
      spec: { memoryLimit: "64Mi" },
      config: { ...V2, singleProcessOOMKill: true },
      seen: {},
      first:
        "perhaps at its 64Mi memory limit: the kernel kills single processes on this node (singleProcessOOMKill), which does not show as OOMKilled",
      evidence: [`or it was killed ${SOMEONE}`],
    },
    {
      why: "the kubelet may run with cgroup v1",
      spec: { memoryLimit: "64Mi" },
      config: {},
      seen: {},
      first: CHILD,
      evidence: [`or it was killed ${SOMEONE}`],
    },
    {
      why: "the configuration is kubeadm's, not the node's",
      spec: { memoryLimit: "64Mi" },
      config: { ...V2, source: "kubeadm" as const },
      seen: {},
      first: CHILD,
      evidence: [`or it was killed ${SOMEONE}`],
    },
    {
      why: "the node's events were not read",
      spec: {},
      config: V2,
      seen: { missing: [{ what: "node-events", why: "forbidden" }] as const },
      first: "perhaps by the node's OOM killer, whose events were not read",
      evidence: [`or it was killed ${SOMEONE}`],
    },
  ])("$why", ({ spec, config, seen, first, evidence }) => {
    expect(killed(spec, config, seen)).toEqual({ meaning: `Exit code 137: killed with SIGKILL, ${first}.`, evidence });
  });

  it("does not name a probe kill if the run was shorter than the probe's grace period", () => {
    const events = [anEvent({ type: "Normal", reason: "Started", message: "Container started", firstAtMs: T0_MS })];
    const short = killed({ livenessProbe: aProbe({ gracePeriodMs: 60_000 }) }, V2, { events });
    expect(short.meaning).toContain(SOMEONE);
  });
});
