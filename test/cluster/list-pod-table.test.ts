import { describe, expect, it } from "vitest";
import type { Raw } from "../../lab/api-server/container-statuses.ts";
import { POD_COLUMNS, podCells } from "../../lab/api-server/pod-columns.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import {
  mayBeDown,
  mayBeSlowToStart,
  mayBeWithoutImage,
  mayLoop,
  type PodRow,
  podRowsOf,
} from "../../src/cluster/objects/pod-table.ts";
import { explain } from "../../src/explain/explain.ts";
import { listed } from "../../src/explain/list.ts";
import type { PodSnapshot } from "../../src/explain/observed/observation.ts";
import { isSlowToStartInStatus, isWithoutImage } from "../../src/explain/triage.ts";
import { rowsOf } from "../support/text-table.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12, 10);

describe("podRowsOf()", () => {
  it("finds the columns by their names", () => {
    const columnDefinitions = ["Age", "Restarts", "Node", "Status", "Ready", "Name"].map((name) => ({ name }));
    const rows = [{ cells: ["5m", "3 (2m ago)", "node-a", "Error", "0/1", "web-0"], object: null }];
    expect(podRowsOf({ kind: "Table", columnDefinitions, rows }, "prod")).toEqual([
      {
        namespace: "prod",
        name: "web-0",
        ready: "0/1",
        status: "Error",
        restarts: "3 (2m ago)",
        age: "5m",
        nodeName: "node-a",
      },
    ]);
  });

  it.each([
    ["a pod without a node", [...POD_COLUMNS], ["web-0", "0/1", "Pending", "0", "5s", "<none>", "<none>"]],
    ["a server without that column", POD_COLUMNS.slice(0, 5), ["web-0", "0/1", "Pending", "0", "5s"]],
  ])("returns null as the node of %s", (_, columnDefinitions, cells) => {
    const rows = podRowsOf({ kind: "Table", columnDefinitions, rows: [{ cells }] }, "prod");
    expect(rows).toMatchObject([{ name: "web-0", nodeName: null }]);
  });

  it("takes a number of restarts, as API servers v1.21 and older send it", () => {
    const rows = [{ cells: ["web-0", "0/1", "Error", 3, "5m"] }];
    expect(podRowsOf({ kind: "Table", columnDefinitions: POD_COLUMNS, rows }, "prod")?.[0]?.restarts).toBe("3");
  });

  it.each([
    ["a list of objects", { kind: "PodList", items: [] }],
    ["a table of something else", { kind: "Table", columnDefinitions: [{ name: "Name" }], rows: [] }],
    ["nothing", undefined],
  ])("gives null for %s", (_, body) => expect(podRowsOf(body, "prod")).toBeNull());

  it("reads the namespaces from the rows' metadata", () => {
    const object = { kind: "PartialObjectMetadata", metadata: { name: "web-0", namespace: "shop" } };
    const rows = [{ cells: ["web-0", "0/1", "Error", "3", "5m"], object }];
    expect(podRowsOf({ kind: "Table", columnDefinitions: POD_COLUMNS, rows }, null)?.[0]?.namespace).toBe("shop");
  });

  it("reads invalid rows as empty ones, and leaves out a row that is null", () => {
    const rows = [null, {}, { cells: "x" }, { cells: [{}, null] }];
    const empty = { namespace: null, name: "", ready: "", status: "", restarts: "", age: "", nodeName: null };
    expect(podRowsOf({ kind: "Table", columnDefinitions: POD_COLUMNS, rows }, null)).toEqual([empty, empty, empty]);
  });
});

describe("a row of the pod table", () => {
  const ROWS = rowsOf<"status" | "ready" | "restarts" | "age" | "is" | "why">(`
    status             ready  restarts    age    is     why
    Running            1/1    5 (2m ago)  5m     false  all its containers run
    Running            1/2    5 (2m ago)  5m     true   a sidecar that exits with 0 shows only in READY
    NotReady           1/2    2 (3s ago)  5m     true   a container has completed, another runs
    Completed          0/1    4 (9s ago)  5m     true   exit code 0 backs off too
    Init:0/2           0/2    0           5s     true   a sidecar that starts before the init container may be down
    ContainerCreating  0/1    0           119s   false  its containers are about to start
    ContainerCreating  0/1    0           2m     true   something may prevent its start
    ContainerCreating  0/2    0           5s     true   STATUS is only that of the first container
    Pending            0/1    0           5s     true   perhaps no node fits
    SchedulingGated    0/1    0           5m     false  a scheduling gate holds it back
    Terminating        0/1    7 (1m ago)  5m     false  the kubelet starts none of its containers again
    SomethingNew       0/1    0           5s     true   an unknown status may be a failure
  `);
  it.each(ROWS)(
    "may be down ($is): $status $ready with $restarts restarts, $age old, because $why",
    ({ is, ...row }) => {
      expect(mayBeDown({ namespace: "prod", name: "web-0", nodeName: "node-a", ...row })).toBe(is === "true");
    },
  );

  it.each([
    { restarts: "2 (3s ago)", is: true },
    { restarts: "40 (2m5s ago)", is: true },
    { restarts: "40 (15m ago)", is: true },
    { restarts: "40 (16m ago)", is: false },
    { restarts: "40 (3h5m ago)", is: false },
    { restarts: "1 (3s ago)", is: false },
    { restarts: "40", is: false },
  ])("may belong to a pod that crash-loops but is up ($is): $restarts restarts", ({ restarts, is }) => {
    expect(mayLoop({ restarts })).toBe(is);
  });

  const at = (secondsAgo: number): string => `${new Date(NOW_MS - secondsAgo * 1000).toISOString().slice(0, 19)}Z`;
  const exited = (exitCode: number): Raw => ({
    terminated: { exitCode, reason: exitCode === 0 ? "Completed" : "Error", startedAt: at(40), finishedAt: at(30) },
  });
  const fields = (state: Raw, ready: boolean, restartCount: number, lastState: Raw = {}): Raw => {
    return { state, lastState, ready, started: ready, restartCount };
  };
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
    const hasStarted = apps.every((state) => !["without image", "without config", "waiting"].includes(state));
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
        phase: isInitialized && hasStarted ? "Running" : "Pending",
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

  type Choice = (typeof POD_CHOICES)[number];

  const SINGLE = POD_CHOICES.filter(({ init, sidecar, apps }) => init === null && sidecar === null && apps.length < 2);

  it("shows for each pod that `list` prints that the pod may be down or crash-looping", () => {
    const overlooked = POD_CHOICES.filter((choice) => {
      const row = rowOf(choice);
      return !mayBeDown(row) && !mayLoop(row);
    });
    expect(overlooked.length).toBeGreaterThanOrEqual(8);
    for (const choice of overlooked) expect({ ...choice, items: itemsOf(choice) }).toEqual({ ...choice, items: [] });
  });

  it("selects each pod that is slow to start and, among pods with one container, no others", () => {
    const isSlow = (choice: Choice): boolean => isSlowToStartInStatus(snapshotOf(choice), NOW_MS);
    const slow = POD_CHOICES.filter(isSlow);
    expect(slow.length).toBeGreaterThanOrEqual(3);
    expect(slow.filter((choice) => !mayBeSlowToStart(rowOf(choice)))).toEqual([]);
    expect(SINGLE.filter((choice) => mayBeSlowToStart(rowOf(choice)))).toEqual(SINGLE.filter(isSlow));
    expect(mayBeSlowToStart({ ...rowOf({ init: null, sidecar: null, apps: ["waiting"] }), age: "119s" })).toBe(false);
  });

  it("selects, among pods with one container, exactly the pods whose image is missing", () => {
    const single = POD_CHOICES.filter(
      ({ init, sidecar, apps }) => init === null && sidecar === null && apps.length < 2,
    );
    for (const choice of single) expect(mayBeWithoutImage(rowOf(choice))).toBe(isWithoutImage(snapshotOf(choice)));
    expect(mayBeWithoutImage(rowOf({ init: "without image", sidecar: null, apps: ["waiting"] }))).toBe(true);
  });

  function rowOf({ init, sidecar, apps }: Choice): PodRow {
    const [name = "", ready = "", status = "", restarts = "", age = ""] = podCells(podOf(init, sidecar, apps), NOW_MS);
    return { namespace: "prod", name, ready, status, restarts, age, nodeName: "node-a" };
  }

  function snapshotOf({ init, sidecar, apps }: Choice): PodSnapshot {
    return toPodSnapshot(podOf(init, sidecar, apps));
  }

  function itemsOf(choice: Choice): readonly unknown[] {
    const pod = snapshotOf(choice);
    const seen = { pod, earlier: [], events: [], node: null, nodeEvents: [], kubeletConfig: null, missing: [] };
    const observation = { atMs: NOW_MS, atBasis: "flag", pods: [seen] } as const;
    return listed(observation, explain(observation, {})).items;
  }
});
