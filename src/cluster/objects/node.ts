import type { KubeletConfig, NodeSnapshot, Taint } from "../../explain/observed/observation.ts";
import { GATES } from "../../kubelet/versions.ts";
import { duration, flag, list, map, mapped, object, readObject, text, time, word } from "./declaration.ts";
import { at, isObject } from "./json-access.ts";
import { CONDITIONS, METADATA } from "./metadata.ts";

const TAINTS = list(
  mapped(
    object({ key: text, effect: word("NoSchedule", "PreferNoSchedule", "NoExecute"), timeAdded: time }, "key"),
    ({ key, effect, timeAdded }): Taint | null => (key === null ? null : { key, effect, addedAtMs: timeAdded }),
  ),
);

export const NODE = mapped(
  object({
    metadata: object(METADATA),
    spec: object({
      unschedulable: flag,
      taints: TAINTS,
    }),
    status: object({
      nodeInfo: object({ kubeletVersion: text, architecture: text }),
      conditions: CONDITIONS,
      declaredFeatures: list(text),
    }),
  }),
  ({ metadata, spec, status }): NodeSnapshot => ({
    name: metadata.name ?? "",
    uid: metadata.uid,
    ...(metadata.creationTimestamp !== null && { createdAtMs: metadata.creationTimestamp }),
    kubeletVersion: status.nodeInfo.kubeletVersion,
    ...(status.nodeInfo.architecture !== null && { architecture: status.nodeInfo.architecture }),
    ...(status.declaredFeatures.length > 0 && { declaredFeatures: status.declaredFeatures }),
    ...(spec.unschedulable === true && { isUnschedulable: true }),
    ...(spec.taints.length > 0 && { taints: spec.taints }),
    conditions: status.conditions,
  }),
);

export function toNodeSnapshot(raw: unknown): NodeSnapshot {
  return readObject(NODE, raw);
}

export const KUBELET_CONFIG = mapped(
  object({
    crashLoopBackOff: object({ maxContainerRestartPeriod: duration }),
    featureGates: map(flag, [...Object.keys(GATES), "AllAlpha", "AllBeta"]),
    syncFrequency: duration,
    podLogsDir: text,
    enableDebuggingHandlers: flag,
    enableSystemLogHandler: flag,
    singleProcessOOMKill: flag,
    failCgroupV1: flag,
  }),
  ({ crashLoopBackOff, featureGates, syncFrequency, podLogsDir, ...flags }): KubeletConfig => {
    const servesLogs = flags.enableDebuggingHandlers === false ? false : flags.enableSystemLogHandler;
    return {
      maxContainerRestartPeriodMs: crashLoopBackOff.maxContainerRestartPeriod,
      featureGates,
      syncFrequencyMs: syncFrequency,
      ...(podLogsDir !== null && { podLogsDir }),
      ...(servesLogs !== null && { servesLogs }),
      ...(flags.singleProcessOOMKill !== null && { singleProcessOOMKill: flags.singleProcessOOMKill }),
      ...(flags.failCgroupV1 !== null && { failCgroupV1: flags.failCgroupV1 }),
    };
  },
);

export function toKubeletConfig(raw: unknown): KubeletConfig | null {
  const config = kubeletConfigIn(raw);
  return config === null ? null : readObject(KUBELET_CONFIG, config);
}

export function kubeletConfigIn(raw: unknown): unknown {
  const config = at(raw, "kubeletconfig");
  if (isObject(config)) return config;
  return at(raw, "kind") === "KubeletConfiguration" ? raw : null;
}
