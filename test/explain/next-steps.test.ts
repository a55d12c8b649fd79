import { describe, expect, it } from "vitest";
import type { OwnersObservation, PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { aContainer, aNode, anEvent, aStatus, running, S, T0_MS, terminated, waiting } from "../support/builders.ts";
import { aDeployment, anOwnedPod, aRevision, aStatefulSet, condition } from "../support/owners.ts";
import { commands, DOWN_STATUS, ENDED, stepsFor } from "../support/steps.ts";

function owned(
  revisions: OwnersObservation["revisions"],
  more: Partial<OwnersObservation> = {},
): Partial<PodObservation> {
  const chain = [
    { kind: "ReplicaSet", name: "api-7", basis: "observed" as const },
    { kind: "Deployment", name: "api", basis: "observed" as const },
  ];
  const pods = [anOwnedPod("web", { revision: "rev-7" })];
  return { owners: { chain, workload: aDeployment(), revisions, pods, missing: [], ...more } };
}

const REPLICA = { owner: { kind: "ReplicaSet", name: "api-7" } };
const TWO = [aRevision(7, "api:2"), aRevision(6, "api:1")];

const WEB = [anOwnedPod("web", { revision: "rev-7" })];
const PEER = anOwnedPod("peer", { revision: "rev-7", restarts: 0, isReady: true });
const READS: Partial<PodSnapshot> = {
  sources: [
    { kind: "Secret", name: "db", isOptional: false },
    { kind: "ConfigMap", name: "settings", isOptional: false },
    { kind: "ConfigMap", name: "flags", isOptional: true },
  ],
};

const READ = "kubectl logs web -n default -c app -p";
const CATCH =
  "kubectl backoff wait web -n default -c app --for=restart --timeout=5m && kubectl logs -f web -n default -c app";
const DESCRIBE = "kubectl describe pod web -n default";
const DELETE = "* kubectl delete pod web -n default";
const RESTART = "* kubectl rollout restart deployment/api -n default";
const HISTORY = "kubectl rollout history deployment/api -n default";
const REVISION = `${HISTORY.replace(" -n", " --revision=6 -n")}`;
const UNDO = "* kubectl rollout undo deployment/api -n default";

describe("the next steps of a pod that crash-loops", () => {
  it.each([
    { why: "the pod has no owner, so it is not deleted", pod: {}, are: [READ, CATCH, DESCRIBE] },
    { why: "its ReplicaSet makes a new pod", pod: REPLICA, are: [READ, DESCRIBE, DELETE] },
    { why: "there is an older revision", pod: REPLICA, observed: owned(TWO), are: [READ, DESCRIBE, REVISION, UNDO] },
    {
      why: "there is no older revision",
      pod: REPLICA,
      observed: owned(TWO.slice(0, 1)),
      are: [READ, DESCRIBE, RESTART],
    },
    {
      why: "the pod is of an older revision, to which an undo might lead",
      pod: REPLICA,
      observed: owned([aRevision(8, "api:3"), ...TWO]),
      are: [READ, DESCRIBE, RESTART],
    },
    {
      why: "pods of the older revision crash, too",
      pod: REPLICA,
      observed: owned(TWO, {
        pods: [anOwnedPod("web", { revision: "rev-7" }), anOwnedPod("old", { revision: "rev-6" })],
      }),
      are: [READ, DESCRIBE, RESTART],
    },
    {
      why: "its revision is only a restart, so an undo changes nothing",
      pod: { ...REPLICA, ...READS },
      observed: owned([aRevision(7, "api:1"), aRevision(6, "api:1")]),
      are: [READ, "kubectl describe configmap settings flags -n default", DESCRIBE, RESTART],
    },
    {
      why: "its revision is only a restart, and kubectl describe could print the token of a Secret",
      pod: {
        ...REPLICA,
        sources: ["db", "mail"].map((name) => ({ kind: "Secret", name, isOptional: false }) as const),
      },
      observed: owned([aRevision(7, "api:1"), aRevision(6, "api:1")]),
      are: [READ, "kubectl get secret db mail -n default", DESCRIBE, RESTART],
    },
    {
      why: "its revision is a rollback, and an undo would bring back the revision that was given up",
      pod: REPLICA,
      observed: owned([aRevision(7, "api:1", { isReused: true }), aRevision(6, "api:2")]),
      are: [READ, DESCRIBE, RESTART],
    },
    {
      why: "healthy pods of the same revision speak against an undo",
      pod: { ...REPLICA, claims: ["data-web"] },
      observed: owned(TWO, { pods: [...WEB, { ...PEER, readySinceMs: T0_MS - 600 * S }] }),
      are: [READ, "kubectl describe pvc data-web -n default", "kubectl describe node node-a", DELETE],
    },
    {
      why: "an undo needs the number of the revision",
      pod: REPLICA,
      observed: owned([
        aRevision(8, "api:2", { name: "rev-7" }),
        aRevision(7, "api:2", { name: "x" }),
        ...TWO.slice(1),
      ]),
      are: [READ, DESCRIBE, REVISION, `${UNDO.replace(" -n", " --to-revision=6 -n")}`],
    },
    {
      why: "the Deployment's revisions could not be read, and the container runs",
      pod: { ...REPLICA, statuses: [aStatus({ restartCount: 2, state: running(T0_MS + 68 * S), lastState: ENDED })] },
      observed: owned([]),
      are: [READ, "kubectl logs web -n default -c app -f", DESCRIBE, HISTORY],
    },
    {
      why: "its Job would count a deletion as a failure",
      pod: { owner: { kind: "Job", name: "export" } },
      are: [READ, CATCH, DESCRIBE, "kubectl describe job/export -n default"],
    },
    {
      why: "it is a static pod",
      pod: { owner: { kind: "Node", name: "node-a" } },
      are: [READ, CATCH, DESCRIBE],
    },
    {
      why: "the status still shows the exit, so logs needs no -p",
      pod: { statuses: [aStatus({ restartCount: 1, state: ENDED, lastState: ENDED })] },
      are: [READ.replace(" -p", ""), CATCH, DESCRIBE],
    },
    {
      why: "the last start failed, so there is no log",
      pod: { statuses: [{ ...DOWN_STATUS, lastState: { ...ENDED, exitCode: 128, reason: "StartError" } }] },
      are: [DESCRIBE, CATCH],
    },
    {
      why: "its node does not respond",
      pod: REPLICA,
      observed: { node: aNode({ conditions: [condition("Ready", "Unknown")] }) },
      are: ["kubectl describe node node-a", READ, DESCRIBE],
    },
    {
      why: "the user asks about another container",
      pod: {
        containers: [aContainer(), aContainer({ name: "proxy" })],
        statuses: [DOWN_STATUS, aStatus({ name: "proxy", state: running(T0_MS), lastState: null })],
      },
      request: { container: "proxy" },
      are: ["kubectl logs web -n default -c proxy -f", DESCRIBE],
    },
  ])("are as expected: $why", ({ pod, observed, request, are }) => {
    expect(commands(stepsFor(pod, observed, request))).toEqual(are);
  });

  it("do not call it a crash if the runtime has lost the container", () => {
    const lost = terminated(T0_MS, T0_MS + 60_000, { exitCode: 255, reason: "Unknown" });
    const [step] = stepsFor({ statuses: [aStatus({ restartCount: 1, state: lost, lastState: ENDED })] });
    expect(step).toMatchObject({
      what: "read the log",
      note: "without -p: the last instance is still the current one",
    });
  });

  it("note what an undo leads to, and why a log needs no -p", () => {
    const set = { kind: "StatefulSet", name: "db", basis: "observed" as const };
    const steps = stepsFor(
      { owner: set, statuses: [aStatus({ restartCount: 1, state: ENDED, lastState: ENDED })] },
      owned(TWO, { chain: [set], workload: aStatefulSet() }),
    );
    expect(steps.map(({ note }) => note)).toEqual([
      "without -p: the crashed instance is still the current one",
      null,
      null,
      "back to revision 6 (image api:1); then delete this pod, which is not replaced while it is not Ready",
    ]);
  });

  it("delete the pod if it blocks the update of its StatefulSet", () => {
    const set = { kind: "StatefulSet", name: "db", basis: "observed" as const };
    const newer = [aRevision(8, "api:3"), ...TWO];
    const steps = stepsFor({ owner: set }, owned(newer, { chain: [set], workload: aStatefulSet() }));
    expect(steps.at(-1)).toEqual({
      what: "take the new template",
      command: "kubectl delete pod web -n default",
      changesCluster: true,
      note: "its StatefulSet makes a new one with the newer template; the logs of this one are lost",
    });
  });

  it("call a log a crash only if the container crashed, and offer none if the runtime lost it", () => {
    const whats = (exit: object) =>
      stepsFor({ statuses: [{ ...DOWN_STATUS, lastState: { ...ENDED, ...exit } }] }).map(({ what }) => what);
    expect(whats({ exitCode: 1 })).toEqual(["read the crash", "see it restart", "see its events"]);
    expect(whats({ exitCode: 0 })).toEqual(["read the log", "see it restart", "see its events"]);
    expect(whats({ exitCode: 137, reason: "ContainerStatusUnknown" })).toEqual(["see it restart", "see its events"]);
  });

  it("offer a shell in a copy of the pod instead of an empty log", () => {
    const logged = (lines: readonly string[], more: Partial<PodSnapshot> = {}) =>
      stepsFor(more, { logs: [{ container: "app", instance: "last-exit", text: { lines, isTruncated: false } }] });
    const debug = "* kubectl debug web -it --copy-to=web-debug --container=app -n default -- sh";
    expect(commands(logged([]))).toEqual([CATCH, DESCRIBE, debug]);
    expect(commands(logged([], REPLICA))).toEqual([DESCRIBE, debug, DELETE]);
    expect(commands(logged(["panic"]))).toEqual([READ, CATCH, DESCRIBE]);
    const killed = { ...DOWN_STATUS, lastState: { ...ENDED, exitCode: 137, reason: "OOMKilled" } };
    expect(commands(logged([], { statuses: [killed] }))).toEqual([READ, CATCH, DESCRIBE]);
  });

  it("offer a deletion as the last step, for when the cause is fixed", () => {
    for (const owner of [REPLICA.owner, { kind: "StatefulSet", name: "db" }])
      expect(stepsFor({ owner }).at(-1)).toMatchObject({ what: "once it is mended", changesCluster: true });
  });

  it("do not mention lost logs if no container has run", () => {
    const pulling = {
      statuses: [aStatus({ state: waiting("ImagePullBackOff"), containerID: null })],
      phase: "Pending",
    };
    const owner = { kind: "StatefulSet", name: "db" };
    const failed = anEvent({ reason: "Failed", message: 'Failed to pull image "app:1": not found', count: 4 });
    const steps = stepsFor({ ...pulling, owner, createdAtMs: T0_MS, startedAtMs: T0_MS }, { events: [failed] });
    expect(steps.at(-1)?.note).toBe("its StatefulSet makes a new one, which doesn't wait");
  });
});

describe("the next steps around a bug of the kubelet", () => {
  const message = 'failed to prepare subPath for volumeMount "data" of container "app"';
  const stuck = aStatus({ restartCount: 1, state: waiting("CreateContainerConfigError", message), lastState: ENDED });
  const node = aNode({ kubeletVersion: "v1.36.3" });

  it.each([
    { owner: REPLICA.owner, note: "its ReplicaSet makes a new one; kubelet v1.37.0 has no such bug" },
    {
      owner: { kind: "Job", name: "load" },
      note: "its Job makes a new one, and counts this one as failed; kubelet v1.37.0 has no such bug",
    },
    { owner: { kind: "Node", name: "node-a" }, note: null },
    { owner: null, note: null },
  ])("replace the pod only if its owner makes a new one: $owner.kind", ({ owner, note }) => {
    const steps = stepsFor({ owner, statuses: [stuck] }, { node });
    expect(steps.filter(({ changesCluster }) => changesCluster)).toEqual(
      note === null
        ? []
        : [{ what: "replace the pod", command: "kubectl delete pod web -n default", changesCluster: true, note }],
    );
  });
});
