import { describe, expect, it } from "vitest";
import type {
  ContainerSpec,
  NodeSnapshot,
  PodSnapshot,
  TerminatedState,
} from "../../src/explain/observed/observation.ts";
import { aContainer, aNode, aPod, aStatus, running, terminated } from "../support/builders.ts";
import { at, explainApp, explainPod } from "../support/explain-pod.ts";

const H = 3_600;

/** `run`, `nextS`, `init` and {@link Lives} are in seconds after the pod's creation. */
interface Case {
  readonly why: string;
  readonly run: readonly [from: number, to: number];
  readonly nextS?: number;
  readonly exit?: Partial<TerminatedState>;
  readonly spec?: Partial<ContainerSpec>;
  readonly pod?: Partial<PodSnapshot>;
  readonly sibling?: Lives;
  readonly init?: readonly [from: number, to: number];
  readonly others?: readonly Lives[];
  readonly node?: Partial<NodeSnapshot>;
}

/** Without `to`, the container has run from `from` on. With `since`, it runs again from that second on. */
interface Lives {
  readonly from: number;
  readonly to?: number;
  readonly since?: number;
  readonly exitCode?: number;
  readonly owner?: PodSnapshot["owner"];
}

function statusOfLives(name: string, { from, to, since, exitCode = 1 }: Lives) {
  if (to === undefined) return aStatus({ name, state: running(at(from)) });
  const end = terminated(at(from), at(to), { exitCode });
  return since === undefined
    ? aStatus({ name, state: end })
    : aStatus({ name, state: running(at(since)), lastState: end, restartCount: 1, containerID: "containerd://9" });
}

function explained({ run: [from, to], nextS, exit = {}, spec = {}, pod = {}, sibling, init, others = [], node }: Case) {
  const end = terminated(at(from), at(to), { containerID: "containerd://1", ...exit });
  const app =
    nextS === undefined
      ? aStatus({ state: end, containerID: "containerd://1" })
      : aStatus({ state: running(at(nextS)), lastState: end, restartCount: 1, containerID: "containerd://2" });
  const snapshot: Partial<PodSnapshot> = {
    containers: [
      aContainer(spec),
      ...(sibling === undefined ? [] : [aContainer({ name: "sibling" })]),
      ...(init === undefined ? [] : [aContainer({ name: "init", type: "init" })]),
    ],
    statuses: [
      app,
      ...(sibling === undefined ? [] : [statusOfLives("sibling", sibling)]),
      ...(init === undefined ? [] : [statusOfLives("init", { from: init[0], to: init[1], exitCode: 0 })]),
    ],
    ...pod,
  };
  const neighbours = others.map((lives, index) =>
    aPod({
      ...{ name: `other-${index}`, uid: `${index}`, owner: lives.owner ?? null },
      statuses: [statusOfLives("app", lives)],
    }),
  );
  return {
    snapshot,
    seen: { atMs: at((nextS ?? to) + 5), neighbours, ...(node !== undefined && { node: aNode(node) }) },
  };
}

function readyAt(seconds: number, status: "True" | "False" | "Unknown" = "True"): NodeSnapshot["conditions"] {
  return [{ type: "Ready", status, reason: null, message: null, lastTransitionAtMs: at(seconds) }];
}

const REBOOTED = { conditions: readyAt(H + 62), createdAtMs: at(-H) };
const HOUR = { run: [0, H] as const, nextS: H + 60 };
const LOST = { exitCode: 255, reason: "Unknown" };
const ENDED = { from: 0, to: H + 3, since: H + 61 };

const NEW_REVISION = { kind: "ReplicaSet", name: "api-6f7d8c9b5" };
const OLD_REVISION = { kind: "ReplicaSet", name: "api-57989f796d" };

const ENDED_JOB = { from: 0, to: 303, exitCode: 0 };

const STOPPED: readonly Case[] = [
  { why: "its node became Ready again with the next start", ...HOUR, node: REBOOTED },
  { why: "its node became NotReady before the next start", ...HOUR, node: { conditions: readyAt(H + 50, "False") } },
  { why: "the containers of other workloads ended with it", ...HOUR, others: [ENDED, ENDED, ENDED] },
  { why: "its node became Ready again, and a sibling ended with it", ...HOUR, node: REBOOTED, sibling: ENDED },
  {
    why: "its node became Ready again, and another pod runs only since then",
    ...HOUR,
    node: REBOOTED,
    others: [{ from: H + 70 }],
  },
  { why: "the runtime lost the container", run: [0, 11], nextS: 19, exit: LOST },
  {
    why: "the kubelet took its static pod again before the next start",
    ...HOUR,
    pod: { isStatic: true, startedAtMs: at(H + 58) },
  },
  { why: "an init container ran again, in a new sandbox", run: [0, 90], nextS: 100, init: [95, 97] },
  { why: "it was started again only hours later", run: [0, 6 * H], nextS: 26 * H, exit: { exitCode: 0 } },
  {
    why: "it was started again hours later, after a short run with the exit code of SIGTERM",
    run: [0, 90],
    nextS: 2 * H,
    exit: { exitCode: 143 },
  },
  { why: "no back-off follows a run of days", run: [0, 72 * H], nextS: 72 * H + 62, exit: { exitCode: 2 } },
];

const NOT_STOPPED: readonly Case[] = [
  {
    why: "the node became Ready for the first time",
    run: [10, 70],
    nextS: 130,
    node: { conditions: readyAt(100), createdAtMs: at(-5) },
  },
  { why: "the init container ran only before the run", run: [0, 90], nextS: 100, init: [-4, -2] },
  { why: "a sibling ran across the moment", ...HOUR, node: REBOOTED, sibling: { from: 1 } },
  {
    why: "a sibling that had just started ran across the moment",
    run: [9, 10],
    nextS: 10,
    node: REBOOTED,
    sibling: { from: 9 },
  },
  { why: "a sibling ended only later", ...HOUR, node: REBOOTED, sibling: { from: 1, to: H + 90, since: H + 91 } },
  { why: "a container of another pod ran across the moment", ...HOUR, node: REBOOTED, others: [{ from: -H }] },
  {
    why: "one other container ran across the moment, while others ended",
    ...HOUR,
    others: [ENDED, ENDED, ENDED, { from: -H }],
  },
  {
    why: "the containers of its Deployment's other ReplicaSet and of one other workload ended with it",
    ...{ run: [0, H], nextS: H + 30, pod: { owner: NEW_REVISION } },
    others: [{ ...ENDED, owner: OLD_REVISION }, ENDED],
  },
  {
    why: "short programs ended together",
    run: [0, 2],
    others: [1, 2, 3].map((to) => ({ from: 0, to, exitCode: 0 })),
  },
  {
    why: "the work of several Jobs ended together",
    ...{ run: [0, 300], exit: { exitCode: 0, reason: "Completed" }, pod: { restartPolicy: "Never" } },
    others: [ENDED_JOB, ENDED_JOB, ENDED_JOB],
  },
  {
    why: "it restarted immediately, although others ended with it",
    run: [0, H],
    nextS: H + 1,
    others: [ENDED, ENDED, ENDED],
  },
  { why: "the node flapped long after the restart", run: [0, H], nextS: H + 30, node: { conditions: readyAt(2 * H) } },
  { why: "the node flapped during the wait of a short run", run: [H, H + 3], nextS: H + 90, node: REBOOTED },
  {
    why: "the node's kubelet went away after the restart",
    run: [0, H],
    nextS: H + 30,
    node: { conditions: readyAt(H + 100, "Unknown") },
  },
  {
    why: "a static pod's startTime is later than its restart",
    run: [0, H],
    nextS: H + 1,
    pod: { isStatic: true, startedAtMs: at(2 * H) },
  },
  { why: "a sibling ran across the hours", run: [0, 6 * H], nextS: 26 * H, sibling: { from: 0 } },
  { why: "a start after 40 s is not late", run: [0, 72 * H], nextS: 72 * H + 40 },
  { why: "the node was switched off in the wait of a crash loop", run: [0, 4], nextS: 8 * H },
];

describe("a stop of the node, the runtime or the sandbox", () => {
  it.each(STOPPED)("ended the run: $why", (seen) => {
    const { snapshot, seen: more } = explained(seen);
    const { lastExit } = explainApp(snapshot, more);
    expect(`${lastExit?.cause} ${lastExit?.causeBasis}`).toBe("unknown inferred");
  });

  it.each(NOT_STOPPED)("did not end the run: $why", (seen) => {
    const { snapshot, seen: more } = explained(seen);
    const { lastExit, evidence } = explainApp(snapshot, more);
    expect(lastExit?.cause).toBe("exited");
    expect(evidence.map(({ rule }) => rule)).not.toContain("node-stop");
  });

  it("is not the cause of an init container's successful exit", () => {
    const { snapshot, seen } = explained({
      why: "",
      ...HOUR,
      exit: { exitCode: 0 },
      spec: { type: "init" },
      node: REBOOTED,
    });
    expect(explainApp(snapshot, seen).lastExit?.cause).toBe("exited");
  });
});

describe("a container that was started again only much later", () => {
  it.each([
    {
      run: [0, 22_496] as const,
      nextS: 22_496 + 71_703,
      exitCode: 0,
      words: "19h55m later: its node was probably shut down",
    },
    {
      run: [0, 72 * H] as const,
      nextS: 72 * H + 62,
      exitCode: 2,
      words: "1m2s later: its node or container runtime probably restarted",
    },
  ])("is explained by its node: $words", ({ exitCode, words, ...seen }) => {
    const { snapshot, seen: more } = explained({ why: "", ...seen, exit: { exitCode } });
    const meaning = explainApp(snapshot, more).lastExit?.meaning;
    expect(meaning).toBe(`Exit code ${exitCode}. It was started again only ${words}, and stopped it.`);
  });
});

describe("exits as if the node had stopped", () => {
  it("do not count as a crash loop", () => {
    const { snapshot, seen } = explained({ why: "", run: [1_730, 1_741], nextS: 1_749, exit: LOST });
    const statuses = (snapshot.statuses ?? []).map((status) => ({ ...status, restartCount: 3 }));
    expect(explainPod({ ...snapshot, statuses }, seen).verdict).toBe("running");
  });

  it("count as a crash loop if a sibling ran on", () => {
    const { snapshot, seen } = explained({
      why: "",
      run: [1_730, 1_741],
      nextS: 1_749,
      exit: LOST,
      sibling: { from: 1 },
    });
    const statuses = (snapshot.statuses ?? []).map((status) =>
      status.name === "app" ? { ...status, restartCount: 3 } : status,
    );
    expect(explainPod({ ...snapshot, statuses }, seen).verdict).toBe("crash-looping");
  });
});
