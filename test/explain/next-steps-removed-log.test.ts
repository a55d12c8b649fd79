import { describe, expect, it } from "vitest";
import { aContainer, aNode, aStatus, madeUpRecord, RESTART_ALL_ON_42, running, S, T0_MS } from "../support/builders.ts";
import { stepsFor } from "../support/steps.ts";

describe("the log of a run that RestartAllContainers removed", () => {
  const removed = madeUpRecord("RestartingAllContainers");
  const statuses = [aStatus({ restartCount: 3, state: running(T0_MS + 68 * S), lastState: removed })];
  const containers = [aContainer({ restartPolicyRules: [RESTART_ALL_ON_42] })];
  const uid = "7c8b7f0e-0000-4000-8000-000000000001";
  const config = { maxContainerRestartPeriodMs: null, featureGates: {}, syncFrequencyMs: null };
  const of = (folder: string) =>
    `kubectl get --raw /api/v1/nodes/node-a/proxy/logs/${folder}/default_web_${uid}/app/2.log`;

  it.each([
    { version: "v1.36.3", config: null, command: of("pods"), why: "the kubelet keeps the log file" },
    {
      version: "v1.37.1",
      config: { podLogsDir: "/var/log/all/pods" },
      command: of("all/pods"),
      why: "the kubelet's podLogsDir is another folder",
    },
    {
      version: "v1.37.1",
      config: { podLogsDir: "/data/pods" },
      command: null,
      why: "the kubelet's podLogsDir is outside /var/log",
    },
    { version: "v1.37.1", config: { servesLogs: false }, command: null, why: "the kubelet serves no files" },
    {
      version: "v1.35.4",
      config: { featureGates: { AllAlpha: true } },
      command: null,
      why: "the kubelet removes the log file",
    },
  ])("in $version: $why", ({ version, config: changed, command }) => {
    const node = aNode({ kubeletVersion: version });
    const kubeletConfig = changed === null ? null : { ...config, ...changed };
    const steps = stepsFor({ statuses, containers }, { node, kubeletConfig });
    expect(steps.filter(({ what }) => what === "read the crash").map((step) => step.command)).toEqual(
      command === null ? [] : [command],
    );
  });
});
