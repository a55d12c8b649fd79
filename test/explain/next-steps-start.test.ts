import { describe, expect, it } from "vitest";
import { anEvent, aStatus, S, T0_MS, waiting } from "../support/builders.ts";
import { condition } from "../support/owners.ts";
import { commands, stepsFor } from "../support/steps.ts";

const DESCRIBE = "kubectl describe pod web -n default";
const REPLICA = { owner: { kind: "ReplicaSet", name: "api-7" } };

describe("the next steps of another pod", () => {
  const notFound = 'MountVolume.SetUp failed for volume "settings" : configmap "absent" not found';
  const pending = { phase: "Pending", statuses: [aStatus({ state: waiting("ContainerCreating"), containerID: null })] };
  const config = (message: string) => ({
    statuses: [aStatus({ state: waiting("CreateContainerConfigError", message), containerID: null })],
  });
  const BAD_PATH = anEvent({
    reason: "FailedMount",
    message: 'MountVolume.SetUp failed for volume "data" : hostPath type check failed: /data is not a directory',
    container: null,
    firstAtMs: T0_MS + 60 * S,
  });
  const unscheduled = (message: string) => ({
    nodeName: null,
    statuses: [],
    conditions: [condition("PodScheduled", "False", { reason: "Unschedulable", message })],
  });
  const pull = { statuses: [aStatus({ state: waiting("ImagePullBackOff"), containerID: null })] };
  it.each([
    { why: "runs", pod: { statuses: [aStatus()] }, are: [] },
    { why: "has completed", pod: { phase: "Succeeded" }, are: [] },
    {
      why: "is being deleted",
      pod: { deletionAtMs: T0_MS },
      are: [DESCRIBE, "kubectl wait --for=delete pod/web --timeout=60s -n default"],
    },
    {
      why: "was evicted",
      pod: { phase: "Failed", reason: "Evicted", message: "The node was low on resource: memory.", statuses: [] },
      are: ["kubectl describe node node-a", DESCRIBE],
    },
    ...["Pod was rejected: ", "Pod "].map((prefix) => ({
      why: `was rejected with "${prefix}"`,
      pod: {
        phase: "Failed",
        reason: "Evicted",
        message: `${prefix}The node had condition: [DiskPressure]. `,
        statuses: [],
      },
      are: ["kubectl describe node node-a", DESCRIBE],
    })),
    {
      why: "lacks a ConfigMap",
      pod: config('configmap "absent" not found'),
      are: ["kubectl get configmaps -n default", DESCRIBE],
    },
    {
      why: "lacks a ConfigMap, and backs off without having run",
      pod: { statuses: [aStatus({ state: waiting("CrashLoopBackOff"), containerID: null })] },
      observed: {
        events: [
          anEvent({ reason: "Failed", message: 'Error: configmap "absent" not found', firstAtMs: T0_MS + 60 * S }),
        ],
      },
      are: ["kubectl get configmaps -n default", DESCRIBE],
    },
    {
      why: "lacks a key of a Secret",
      pod: config("couldn't find key url in Secret default/db"),
      are: [
        "kubectl get secret db -o 'go-template={{range $k, $v := .data}}{{println $k}}{{end}}' -n default",
        DESCRIBE,
      ],
    },
    {
      why: "lacks a key of a ConfigMap",
      pod: config("couldn't find key url in ConfigMap default/db"),
      are: ["kubectl describe configmap db -n default", DESCRIBE],
    },
    {
      why: "cannot mount a volume",
      pod: pending,
      observed: {
        events: [anEvent({ reason: "FailedMount", message: notFound, container: null, firstAtMs: T0_MS + 60 * S })],
      },
      are: ["kubectl get configmaps -n default", DESCRIBE],
    },
    { why: "cannot pull its image", pod: { ...pull, ...REPLICA }, are: [DESCRIBE] },
    {
      why: "cannot mount a hostPath, although it has a claim",
      pod: { ...pending, claims: ["data-web"] },
      observed: { events: [BAD_PATH] },
      are: [DESCRIBE],
    },
    {
      why: "cannot mount a claim",
      pod: { ...pending, claims: ["data-web"] },
      observed: { events: [{ ...BAD_PATH, message: 'MountVolume.MountDevice failed for volume "pvc-1"' }] },
      are: ["kubectl describe pvc data-web -n default", DESCRIBE],
    },
    ...[
      "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
      "0/3 nodes are available: 3 node(s) had volume node affinity conflict.",
      "0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind.",
    ].map((message) => ({
      why: `waits for a claim: ${message}`,
      pod: { ...pending, ...unscheduled(message), claims: ["data-web", "logs-web"] },
      are: ["kubectl describe pvc data-web logs-web -n default", DESCRIBE],
    })),
    {
      why: "waits for a node, although it has a claim",
      pod: { ...pending, ...unscheduled("0/3 nodes are available: 3 Insufficient cpu."), claims: ["data-web"] },
      are: [DESCRIBE],
    },
  ])("that $why", ({ pod, observed, are }) => {
    const steps = commands(stepsFor(pod, observed));
    expect(steps.slice(0, are.length)).toEqual(are);
    if (are.length === 0) expect(steps).toEqual([]);
  });
});

describe("the words of a command", () => {
  it("have the user's kubeconfig and context", () => {
    const request = { kubectlFlags: ["--kubeconfig=/tmp/my config", "--context=it's@prod"] };
    expect(commands(stepsFor({}, {}, request))[0]).toBe(
      `kubectl logs web -n default -c app -p '--kubeconfig=/tmp/my config' "--context=it's@prod"`,
    );
  });

  it("are left out if kubectl would take a name for a flag", () => {
    expect(stepsFor({ ...REPLICA, name: "--all" })).toEqual([]);
    expect(stepsFor({ nodeName: "-A" })).toEqual([]);
    expect(stepsFor({ claims: ["--server=a.example"] })).toEqual([]);
    const sources = [{ kind: "ConfigMap", name: "--server=a.example", isOptional: true }] as const;
    expect(stepsFor({ sources })).toEqual([]);
  });
});
