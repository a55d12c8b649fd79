import { describe, expect, it } from "vitest";
import {
  decideRestart,
  type RestartSpec,
  type RestartTraits,
  restartingExits,
  restartPolicyInForce,
} from "../../src/kubelet/restart-policy.ts";

const NEW: RestartTraits = { hasRestartRules: true, hasRestartAll: true };
const OLD: RestartTraits = { hasRestartRules: false, hasRestartAll: false };
const APP: RestartSpec = { type: "app", podPolicy: "Always", containerPolicy: null, rules: [] };
const ON_42 = [{ action: "Restart", operator: "In", exitCodes: [42] }] as const;
const ALL_ON_88 = [{ action: "RestartAllContainers", operator: "In", exitCodes: [88] }] as const;
const NOT_IN = [{ action: "Restart", operator: "NotIn", exitCodes: [3] }] as const;

describe("decideRestart()", () => {
  it.each<{
    why: string;
    spec: Partial<RestartSpec>;
    exitCode: number;
    probe?: boolean;
    traits?: RestartTraits;
    decision: string;
  }>([
    { why: "Always restarts a failure", spec: {}, exitCode: 1, decision: "restart" },
    { why: "Always restarts a success too", spec: {}, exitCode: 0, decision: "restart" },
    { why: "OnFailure restarts a failure", spec: { podPolicy: "OnFailure" }, exitCode: 1, decision: "restart" },
    { why: "OnFailure leaves a success", spec: { podPolicy: "OnFailure" }, exitCode: 0, decision: "stay-down" },
    { why: "Never leaves all", spec: { podPolicy: "Never" }, exitCode: 1, decision: "stay-down" },
    {
      why: "a container's policy wins",
      spec: { podPolicy: "Never", containerPolicy: "OnFailure" },
      exitCode: 1,
      decision: "restart",
    },
    { why: "an init container runs to success", spec: { type: "init" }, exitCode: 0, decision: "stay-down" },
    { why: "a failed init container restarts", spec: { type: "init" }, exitCode: 4, decision: "restart" },
    {
      why: "a failed init container of a Never pod does not",
      spec: { type: "init", podPolicy: "Never" },
      exitCode: 4,
      decision: "stay-down",
    },
    {
      why: "a sidecar restarts whatever the pod says",
      spec: { type: "sidecar", podPolicy: "Never", containerPolicy: "Always" },
      exitCode: 0,
      decision: "restart",
    },
    { why: "an ephemeral container never", spec: { type: "ephemeral" }, exitCode: 1, decision: "stay-down" },
    { why: "a rule comes first", spec: { podPolicy: "Never", rules: ON_42 }, exitCode: 42, decision: "restart" },
    {
      why: "without a match the policies decide",
      spec: { podPolicy: "Never", rules: ON_42 },
      exitCode: 1,
      decision: "stay-down",
    },
    {
      why: "a probe kill does not ask the rules",
      spec: { podPolicy: "Never", rules: ON_42 },
      exitCode: 42,
      probe: true,
      decision: "stay-down",
    },
    {
      why: "a probe kill restarts under OnFailure even with exit code 0",
      spec: { podPolicy: "OnFailure" },
      exitCode: 0,
      probe: true,
      decision: "restart",
    },
    { why: "NotIn matches all others", spec: { podPolicy: "Never", rules: NOT_IN }, exitCode: 1, decision: "restart" },
    { why: "a rule may restart all", spec: { rules: ALL_ON_88 }, exitCode: 88, decision: "restart-all" },
    {
      why: "a kubelet that knows no rules goes by the policies",
      spec: { podPolicy: "Never", rules: ON_42 },
      exitCode: 42,
      traits: OLD,
      decision: "stay-down",
    },
    {
      why: "a kubelet that knows no policies of containers goes by the pod's",
      spec: { podPolicy: "Never", containerPolicy: "OnFailure" },
      exitCode: 1,
      traits: OLD,
      decision: "stay-down",
    },
    {
      why: "every kubelet knows the policy of a sidecar",
      spec: { type: "sidecar", podPolicy: "Never", containerPolicy: "Always" },
      exitCode: 0,
      traits: OLD,
      decision: "restart",
    },
  ])("$why", ({ spec, exitCode, probe = false, traits = NEW, decision }) => {
    expect(decideRestart({ ...APP, ...spec }, exitCode, probe, traits)).toBe(decision);
  });
});

describe("restartingExits()", () => {
  it.each<{ why: string; spec: Partial<RestartSpec>; traits?: RestartTraits; exits: string }>([
    { why: "Always", spec: {}, exits: "any" },
    { why: "OnFailure", spec: { podPolicy: "OnFailure" }, exits: "failures" },
    { why: "Never", spec: { podPolicy: "Never" }, exits: "none" },
    { why: "an init container", spec: { type: "init" }, exits: "failures" },
    {
      why: "a sidecar of a Never pod",
      spec: { type: "sidecar", podPolicy: "Never", containerPolicy: "Always" },
      exits: "any",
    },
    { why: "an ephemeral container", spec: { type: "ephemeral" }, exits: "none" },
    { why: "Never with a rule", spec: { podPolicy: "Never", rules: ON_42 }, exits: "any" },
    {
      why: "a rule that the kubelet does not know",
      spec: { podPolicy: "Never", rules: ON_42 },
      traits: OLD,
      exits: "none",
    },
  ])("$why: $exits", ({ spec, traits = NEW, exits }) => {
    expect(restartingExits({ ...APP, ...spec }, traits)).toBe(exits);
  });
});

describe("restartPolicyInForce()", () => {
  it.each<{ why: string; spec: Partial<RestartSpec>; traits: RestartTraits; policy: string }>([
    { why: "the container's own comes first", spec: { containerPolicy: "Never" }, traits: NEW, policy: "Never" },
    { why: "older kubelets do not know it", spec: { containerPolicy: "Never" }, traits: OLD, policy: "Always" },
    { why: "the pod's where it has none", spec: { podPolicy: "OnFailure" }, traits: NEW, policy: "OnFailure" },
    {
      why: "a sidecar's is known to all",
      spec: { type: "sidecar", podPolicy: "Never", containerPolicy: "Always" },
      traits: OLD,
      policy: "Always",
    },
  ])("$why", ({ spec, traits, policy }) => {
    expect(restartPolicyInForce({ ...APP, ...spec }, traits)).toBe(policy);
  });
});
