import { describe, expect, it } from "vitest";
import type { NextStep } from "../../src/explain/answer/explanation.ts";
import type { StepsRequest } from "../../src/explain/next-steps/next-steps.ts";
import type { OwnersObservation, PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { explained } from "../../src/explain/owners/owner-explanation.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aPod,
  aStatus,
  observationOf,
  running,
  T0_MS,
  terminated,
  waiting,
} from "../support/builders.ts";
import { aDeployment, anOwnedPod, aRevision, aStatefulSet, condition } from "../support/owners.ts";

const S = 1000;
const ENDED = terminated(T0_MS + 60 * S, T0_MS + 65 * S);
const DOWN = aStatus({
  restartCount: 1,
  state: waiting("CrashLoopBackOff", "back-off 10s restarting failed container=app"),
  lastState: ENDED,
});

/** The steps for a pod "web" of namespace "default" that crash-loops, a few seconds after its last exit. */
function stepsFor(
  pod: Partial<PodSnapshot>,
  observed: Partial<PodObservation> = {},
  request: StepsRequest = {},
): readonly NextStep[] {
  const observation = observationOf(aPod({ statuses: [DOWN], ...pod }), { atMs: T0_MS + 70 * S, ...observed });
  return explained(observation, {}, request).pods[0]?.nextSteps ?? [];
}

/** Commands with * before those that change the cluster. */
function commands(steps: readonly NextStep[]): string[] {
  return steps.map(({ command, changesCluster }) => `${changesCluster ? "* " : ""}${command}`);
}

/** A pod of a ReplicaSet of Deployment "api", whose revisions are these. */
function owned(
  revisions: OwnersObservation["revisions"],
  more: Partial<OwnersObservation> = {},
): Partial<PodObservation> {
  const chain = [
    { kind: "ReplicaSet", name: "api-7", basis: "seen" as const },
    { kind: "Deployment", name: "api", basis: "seen" as const },
  ];
  const pods = [anOwnedPod("web", { revision: "rev-7" })];
  return { owners: { chain, workload: aDeployment(), revisions, pods, missing: [], ...more } };
}

const REPLICA = { owner: { kind: "ReplicaSet", name: "api-7" } };
const TWO = [aRevision(7, "api:2"), aRevision(6, "api:1")];

const READ = "kubectl logs web -n default -c app -p";
const CATCH =
  "kubectl backoff wait web -n default -c app --for=restart --timeout=5m && kubectl logs -f web -n default -c app";
const DESCRIBE = "kubectl describe pod web -n default";
const DELETE = "* kubectl delete pod web -n default";
const UNDO = "* kubectl rollout undo deployment/api -n default";

describe("the next steps of a pod that crash-loops", () => {
  it.each([
    { why: "a bare pod is not deleted", pod: {}, are: [READ, CATCH, DESCRIBE] },
    { why: "a ReplicaSet makes a new one", pod: REPLICA, are: [READ, CATCH, DESCRIBE, DELETE] },
    { why: "there is an older revision", pod: REPLICA, observed: owned(TWO), are: [READ, CATCH, UNDO, DELETE] },
    { why: "there is none", pod: REPLICA, observed: owned(TWO.slice(0, 1)), are: [READ, CATCH, DESCRIBE, DELETE] },
    {
      why: "the pod is of the older revision, which an undo might bring back",
      pod: REPLICA,
      observed: owned([aRevision(8, "api:3"), ...TWO]),
      are: [READ, CATCH, DESCRIBE, DELETE],
    },
    {
      why: "pods of the older revision crash, too",
      pod: REPLICA,
      observed: owned(TWO, {
        pods: [anOwnedPod("web", { revision: "rev-7" }), anOwnedPod("old", { revision: "rev-6" })],
      }),
      are: [READ, CATCH, DESCRIBE, DELETE],
    },
    {
      why: "the Deployment's revisions could not be read, and nothing waits",
      pod: { ...REPLICA, statuses: [aStatus({ restartCount: 2, state: running(T0_MS + 68 * S), lastState: ENDED })] },
      observed: owned([]),
      are: [
        READ,
        "kubectl logs web -n default -c app -f",
        DESCRIBE,
        "kubectl rollout history deployment/api -n default",
      ],
    },
    {
      why: "a Job counts a deleted pod as failed",
      pod: { owner: { kind: "Job", name: "export" } },
      are: [READ, CATCH, DESCRIBE, "kubectl describe job/export -n default"],
    },
    {
      why: "a static pod comes from a file",
      pod: { owner: { kind: "Node", name: "node-a" } },
      are: [READ, CATCH, DESCRIBE],
    },
    {
      why: "the status still says how it ended",
      pod: { statuses: [aStatus({ restartCount: 1, state: ENDED, lastState: ENDED })] },
      are: [READ.replace(" -p", ""), CATCH, DESCRIBE],
    },
    {
      why: "what could not be started has no log",
      pod: { statuses: [{ ...DOWN, lastState: { ...ENDED, exitCode: 128, reason: "StartError" } }] },
      are: [DESCRIBE, CATCH],
    },
    {
      why: "nothing restarts on a node that does not answer",
      pod: REPLICA,
      observed: { node: aNode({ conditions: [condition("Ready", "Unknown")] }) },
      are: ["kubectl describe node node-a", READ, DESCRIBE],
    },
    {
      why: "the container that the user asks about",
      pod: {
        containers: [aContainer(), aContainer({ name: "proxy" })],
        statuses: [DOWN, aStatus({ name: "proxy", state: running(T0_MS), lastState: null })],
      },
      request: { container: "proxy" },
      are: ["kubectl logs web -n default -c proxy -f", DESCRIBE],
    },
  ])("fit: $why", ({ pod, observed, request, are }) => {
    expect(commands(stepsFor(pod, observed, request))).toEqual(are);
  });

  it("say what follows a change, and why a log needs no -p", () => {
    const set = { kind: "StatefulSet", name: "db", basis: "seen" as const };
    const steps = stepsFor(
      { owner: set, statuses: [aStatus({ restartCount: 1, state: ENDED, lastState: ENDED })] },
      owned(TWO, { chain: [set], workload: aStatefulSet() }),
    );
    expect(steps.map(({ note }) => note)).toEqual([
      "without -p: the crashed instance is still the current one",
      null,
      "back to revision 6; then delete this pod, which a StatefulSet does not replace while it is not Ready",
      "its StatefulSet makes a new one; the logs of this one are lost",
    ]);
  });

  it("speak of lost logs only where something has run", () => {
    const pulling = {
      statuses: [aStatus({ state: waiting("ImagePullBackOff"), containerID: null })],
      phase: "Pending",
    };
    const owner = { kind: "StatefulSet", name: "db" };
    const failed = anEvent({ reason: "Failed", message: 'Failed to pull image "app:1": not found', count: 4 });
    const steps = stepsFor({ ...pulling, owner, createdAtMs: T0_MS, startedAtMs: T0_MS }, { events: [failed] });
    expect(steps.at(-1)?.note).toBe("its StatefulSet makes a new one");
  });
});

describe("the next steps of another pod", () => {
  const notFound = 'MountVolume.SetUp failed for volume "settings" : configmap "absent" not found';
  const pending = { phase: "Pending", statuses: [aStatus({ state: waiting("ContainerCreating"), containerID: null })] };
  const config = (message: string) => ({
    statuses: [aStatus({ state: waiting("CreateContainerConfigError", message), containerID: null })],
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
    {
      why: "lacks a ConfigMap",
      pod: config('configmap "absent" not found'),
      are: ["kubectl get configmaps -n default", DESCRIBE],
    },
    {
      why: "lacks a key of a Secret",
      pod: config("couldn't find key url in Secret default/db"),
      are: ["kubectl describe secret db -n default", DESCRIBE],
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
  ])("that $why", ({ pod, observed, are }) => {
    const steps = commands(stepsFor(pod, observed));
    expect(steps.slice(0, are.length)).toEqual(are);
    if (are.length === 0) expect(steps).toEqual([]);
  });
});

describe("the words of a command", () => {
  it("name the cluster as the user did", () => {
    const request = { kubectlFlags: ["--kubeconfig=/tmp/my config", "--context=it's@prod"] };
    expect(commands(stepsFor({}, {}, request))[0]).toBe(
      `kubectl logs web -n default -c app -p '--kubeconfig=/tmp/my config' '--context=it'\\''s@prod'`,
    );
  });

  it("are none that kubectl would take for a flag", () => {
    expect(stepsFor({ ...REPLICA, name: "--all" })).toEqual([]);
    expect(stepsFor({ nodeName: "-A" })).toEqual([]);
  });
});
