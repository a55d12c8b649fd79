import { describe, expect, it } from "vitest";
import { run, stdoutOf } from "../support/command.ts";
import { writeDocument } from "../support/kubeconfig.ts";
import { cluster } from "../support/listing.ts";
import { aRawEvent, aRawPod, READY_NODE } from "../support/raw-objects.ts";
import { ownedBy } from "../support/raw-workloads.ts";
import { validList } from "../support/schema.ts";

const UNREADY = aRawPod({
  metadata: ownedBy({ kind: "StatefulSet", name: "core" }, "core-0", { uid: "uid-of-core-0" }),
  spec: { containers: [{ name: "core", image: "core:1", readinessProbe: { httpGet: { port: 80 } } }] },
  app: {
    name: "core",
    restartCount: 0,
    started: true,
    state: { running: { startedAt: "2026-11-21T12:00:05Z" } },
    lastState: {},
  },
  status: { conditions: [{ type: "Ready", status: "False", lastTransitionTime: "2026-11-21T12:01:00Z" }] },
});

describe("a pod that runs, but is not Ready,", () => {
  it("has a row after what is down", async () => {
    const { flags } = await cluster({ objects: [aRawPod(), UNREADY, READY_NODE] });
    expect(await stdoutOf(["list", ...flags])).toBe(
      [
        "NAME     READY   STATE         RESTARTS   NEXT          SINCE   CAUSE",
        "web-0    0/1     backing off   5          1m54s-2m11s   13:05   exit 1",
        "core-0   0/1     not Ready     0          -             13:01   readiness probe does not succeed",
        "",
        "1 container in 1 pod is down: exit 1. 1 more pod is not Ready.",
        "",
      ].join("\n"),
    );
  });

  it("has a row if nothing is down, and then no note says that nothing is", async () => {
    const { flags } = await cluster({ objects: [UNREADY, READY_NODE] });
    const { exitCode, stdout, stderr } = await run("list", ...flags);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout.replaceAll(/ +/g, " ")).toMatch(/\ncore-0 0\/1 not Ready 0 - 13:01 .*\n\n1 pod is not Ready\.\n$/);
  });

  it("is no item: -o json has it among those that are not Ready, and -o name leaves it out", async () => {
    const { flags } = await cluster({ objects: [UNREADY, READY_NODE] });
    const workload = { kind: "StatefulSet", name: "core" };
    expect(validList(await stdoutOf(["list", "-o", "json", ...flags]))).toMatchObject({
      items: [],
      notReady: [
        {
          ...{ namespace: "prod", pod: "core-0", node: "node-a", owner: workload, workload, waitsFor: null },
          ...{ cause: "readiness-probe", message: null, container: "core", restartCount: 0 },
          ...{ readyContainers: 0, containers: 1, since: "2026-11-21T12:01:00Z", createdAt: "2026-11-21T12:00:00Z" },
        },
      ],
    });
    const stderr = "No containers are crash-looping or failing to start in prod namespace. 1 pod is not Ready.\n";
    expect(await run("list", "-o", "name", ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
  });

  it("has the probe's answer from an event of the input, and its namespace if the input has several", async () => {
    const core = { name: "core-0", uid: "uid-of-core-0", fieldPath: "spec.containers{core}" };
    const failed = { reason: "Unhealthy", message: "Readiness probe failed: HTTP probe failed with statuscode: 503" };
    const event = { ...aRawEvent("core-0.1", core), ...failed };
    const elsewhere = aRawPod({ metadata: { namespace: "shop", uid: "uid-of-another" } });
    const list = { kind: "List", items: [UNREADY, event, elsewhere, READY_NODE] };
    const { stdout } = await run("list", "-f", writeDocument(list));
    expect(stdout.replaceAll(/ +/g, " ")).toContain(
      "\nprod core-0 0/1 not Ready 0 - 13:01 readiness probe failed: HTTP probe failed with statuscode: 503\n",
    );
  });
});
