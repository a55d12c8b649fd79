import { describe, expect, it } from "vitest";
import type { Raw } from "../../lab/api-server/container-statuses.ts";
import { POD_COLUMNS, podCells } from "../../lab/api-server/pod-columns.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { mayBeDown, mayLoop, podRowsOf } from "../../src/cluster/objects/pod-table.ts";
import { explain } from "../../src/explain/explain.ts";
import { listed } from "../../src/explain/list.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12, 10);

describe("podRowsOf()", () => {
  it("finds the columns by their names", () => {
    const columnDefinitions = ["Age", "Restarts", "Status", "Ready", "Name"].map((name) => ({ name }));
    const rows = [{ cells: ["5m", "3 (2m ago)", "Error", "0/1", "web-0"], object: null }];
    expect(podRowsOf({ kind: "Table", columnDefinitions, rows })).toEqual([
      { name: "web-0", ready: "0/1", status: "Error", restarts: "3 (2m ago)" },
    ]);
  });

  it("takes a number of restarts, as servers up to v1.21 give it", () => {
    const rows = [{ cells: ["web-0", "0/1", "Error", 3, "5m"] }];
    expect(podRowsOf({ kind: "Table", columnDefinitions: POD_COLUMNS, rows })?.[0]?.restarts).toBe("3");
  });

  it.each([
    ["a list of objects", { kind: "PodList", items: [] }],
    ["a table of something else", { kind: "Table", columnDefinitions: [{ name: "Name" }], rows: [] }],
    ["nothing", undefined],
  ])("gives null for %s", (_, body) => expect(podRowsOf(body)).toBeNull());

  it("survives rows that are none", () => {
    const rows = [null, {}, { cells: "x" }, { cells: [{}, null] }];
    const empty = { name: "", ready: "", status: "", restarts: "" };
    expect(podRowsOf({ kind: "Table", columnDefinitions: POD_COLUMNS, rows })).toEqual([empty, empty, empty]);
  });
});

describe("mayBeDown()", () => {
  it.each([
    { status: "Running", ready: "1/1", restarts: "5 (2m ago)", is: false, why: "all of it runs" },
    {
      status: "Running",
      ready: "1/2",
      restarts: "5 (2m ago)",
      is: true,
      why: "a sidecar that exits with 0 shows only here",
    },
    {
      status: "NotReady",
      ready: "1/2",
      restarts: "2 (3s ago)",
      is: true,
      why: "a container has completed, another runs",
    },
    { status: "CrashLoopBackOff", ready: "0/1", restarts: "5 (2m ago)", is: true, why: "said" },
    { status: "Error", ready: "0/1", restarts: "0", is: true, why: "the first exit" },
    { status: "Completed", ready: "0/1", restarts: "4 (9s ago)", is: true, why: "exit code 0 backs off too" },
    { status: "Signal:9", ready: "0/1", restarts: "4 (9s ago)", is: true, why: "an exit without a reason" },
    { status: "ImagePullBackOff", ready: "0/1", restarts: "0", is: true, why: "said" },
    { status: "Init:Error", ready: "0/1", restarts: "1 (2s ago)", is: true, why: "said of an init container" },
    { status: "Init:0/2", ready: "0/2", restarts: "0", is: true, why: "a sidecar before it may be down" },
    { status: "ContainerCreating", ready: "0/1", restarts: "0", is: false, why: "its start is before it" },
    { status: "ContainerCreating", ready: "0/2", restarts: "0", is: true, why: "the status is the first container's" },
    { status: "Pending", ready: "0/1", restarts: "0", is: false, why: "no node has it" },
    {
      status: "Terminating",
      ready: "0/1",
      restarts: "7 (1m ago)",
      is: false,
      why: "nothing of it is started any more",
    },
    { status: "SomethingNew", ready: "0/1", restarts: "0", is: true, why: "what is not known is looked at" },
  ])("says $is of $status $ready with $restarts restarts: $why", ({ is, ...row }) => {
    expect(mayBeDown({ name: "web-0", ...row })).toBe(is);
  });

  it.each([
    { restarts: "2 (3s ago)", is: true },
    { restarts: "40 (2m5s ago)", is: true },
    { restarts: "40 (15m ago)", is: true },
    { restarts: "40 (16m ago)", is: false },
    { restarts: "40 (3h5m ago)", is: false },
    { restarts: "1 (3s ago)", is: false },
    { restarts: "40", is: false },
  ])("may be the row of a loop that is up: $restarts, $is", ({ restarts, is }) => {
    expect(mayLoop({ restarts })).toBe(is);
  });

  const at = (secondsAgo: number): string => `${new Date(NOW_MS - secondsAgo * 1000).toISOString().slice(0, 19)}Z`;
  const exited = (exitCode: number): Raw => ({
    terminated: { exitCode, reason: exitCode === 0 ? "Completed" : "Error", startedAt: at(40), finishedAt: at(30) },
  });
  const fields = (state: Raw, ready: boolean, restartCount: number, lastState: Raw = {}): Raw => ({
    state,
    lastState,
    ready,
    started: ready,
    restartCount,
  });
  const STATES: Readonly<Record<string, Raw>> = {
    up: fields({ running: { startedAt: at(3600) } }, true, 0),
    looping: fields({ running: { startedAt: at(570) } }, true, 3, exited(1)),
    unready: fields({ running: { startedAt: at(10) } }, false, 3, exited(1)),
    "exited with 0": fields(exited(0), false, 4, exited(0)),
    "exited with 1": fields(exited(1), false, 4, exited(1)),
    "in back-off": fields({ waiting: { reason: "CrashLoopBackOff" } }, false, 4, exited(1)),
    "without image": fields({ waiting: { reason: "ErrImagePull" } }, false, 0),
    "without config": fields({ waiting: { reason: "CreateContainerConfigError" } }, false, 0),
    waiting: fields({ waiting: { reason: "PodInitializing" } }, false, 0),
  };
  const INITS = [null, "exited with 0", "exited with 1", "in back-off", "without image", "unready", "waiting"];
  const names = Object.keys(STATES);

  function podOf(init: string | null, sidecar: string | null, apps: readonly string[]): Raw {
    const status = (name: string, state: string): Raw => ({ name, ...STATES[state] });
    const isInitialized = (init === null || init === "exited with 0") && sidecar !== "waiting";
    const inits = init === null ? [] : [status("setup", init)];
    const sidecars = sidecar === null ? [] : [status("proxy", sidecar)];
    return {
      metadata: { name: "web-0", namespace: "prod", creationTimestamp: at(7200) },
      spec: {
        restartPolicy: "Always",
        nodeName: "node-a",
        initContainers: [
          ...inits.map(() => ({ name: "setup" })),
          ...sidecars.map(() => ({ name: "proxy", restartPolicy: "Always" })),
        ],
        containers: apps.map((_, index) => ({ name: `app-${index}` })),
      },
      status: {
        phase: isInitialized ? "Running" : "Pending",
        conditions: [{ type: "Initialized", status: isInitialized ? "True" : "False" }],
        initContainerStatuses: [...inits, ...sidecars],
        containerStatuses: apps.map((state, index) => status(`app-${index}`, state)),
      },
    };
  }

  const POD_CHOICES = INITS.flatMap((init) =>
    [null, ...names].flatMap((sidecar) =>
      names.flatMap((first) =>
        [[first], ...names.map((second) => [first, second])].map((apps) => ({ init, sidecar, apps })),
      ),
    ),
  );

  it("overlooks no pod that the engine would list, whatever its containers do", () => {
    const overlooked = POD_CHOICES.filter(({ init, sidecar, apps }) => {
      const [name = "", ready = "", status = "", restarts = ""] = podCells(podOf(init, sidecar, apps), NOW_MS);
      return !mayBeDown({ name, ready, status, restarts }) && !mayLoop({ restarts });
    });
    expect(overlooked.length).toBeGreaterThanOrEqual(10);
    for (const choice of overlooked) expect({ ...choice, items: itemsOf(choice) }).toEqual({ ...choice, items: [] });
  });

  function itemsOf({ init, sidecar, apps }: (typeof POD_CHOICES)[number]): readonly unknown[] {
    const pod = toPodSnapshot(podOf(init, sidecar, apps));
    const seen = { pod, earlier: [], events: [], node: null, nodeEvents: [], kubeletConfig: null, missing: [] };
    const observation = { atMs: NOW_MS, atBasis: "flag", pods: [seen] } as const;
    return listed(observation, explain(observation, {})).items;
  }
});
