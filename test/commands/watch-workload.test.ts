import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { oncePrinted, run } from "../support/command.ts";
import { clockFrom, currentCluster } from "../support/listing.ts";
import { SERVER_CLOCK_MS } from "../support/raw-objects.ts";
import { aFineRawPod, aRawOwnedPod, aRawWorkload } from "../support/raw-workloads.ts";

const WEB = { kind: "StatefulSet", name: "web" };
const LABELS = { app: "web" };

let simulator: Simulator;

beforeEach(async () => {
  const objects = [aRawOwnedPod(WEB, "web-0", LABELS), aFineRawPod(WEB, "web-1", LABELS)];
  simulator = await currentCluster({ objects, clock: clockFrom(SERVER_CLOCK_MS) });
  const path = "/apis/apps/v1/namespaces/prod/statefulsets/web";
  simulator.on(path, JSON.stringify(aRawWorkload("StatefulSet", "web")));
});

async function watched(act: () => unknown, ...argv: readonly string[]) {
  const watches = (): number =>
    new Set(simulator.requests.filter(({ query }) => query.has("watch")).map(({ query }) => query.get("fieldSelector")))
      .size;
  const [ran] = await Promise.all([
    run("explain", "sts/web", "-w", ...argv),
    vi
      .waitFor(() => expect(watches()).toBeGreaterThanOrEqual(4), { timeout: 45_000 })
      .then(() => oncePrinted("web-1"))
      .then(act)
      .then(() => void process.emit("SIGINT")),
  ]);
  return ran;
}

describe("explain --watch of a workload", () => {
  it("watches all its pods, and names the pod in each line", async () => {
    const state = { running: { startedAt: "2026-11-21T12:10:00Z" } };
    const { exitCode, stdout } = await watched(async () => {
      const raw = aRawOwnedPod(WEB, "web-1", LABELS) as { status: object };
      const status = { name: "app", restartCount: 1, containerID: "containerd://new", state, ready: true };
      simulator.put({ ...raw, status: { phase: "Running", containerStatuses: [status] } });
      await oncePrinted("restart 1");
    });
    expect(exitCode).toBe(130);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(/^\S+ GMT\+1 {2}prod\/web-0: app is in CrashLoopBackOff/),
      expect.stringMatching(/^\S+ GMT\+1 {2}prod\/web-1: app is running/),
    ]);
    expect(lines.slice(2)).toContainEqual(expect.stringMatching(/^\S+ GMT\+1 {2}prod\/web-1: .*restart 1/));
  });

  it("finds the pod that replaces a deleted one", async () => {
    const { stdout } = await watched(async () => {
      simulator.remove("prod", "web-1");
      simulator.put(aFineRawPod(WEB, "web-2", LABELS));
      await oncePrinted("web-2: app is running");
    });
    expect(stdout).toMatch(/^\S+ GMT\+1 {2}prod\/web-1 has been deleted\.$/m);
    expect(stdout).toMatch(/^\S+ GMT\+1 {2}prod\/web-2: app is running/m);
  });

  it("prints all pods in each line of JSON", async () => {
    const { stdout } = await watched(() => {}, "-o", "json");
    const [first] = stdout.trimEnd().split("\n");
    expect(JSON.parse(first ?? "").pods.map(({ name }: { name: string }) => name)).toEqual(["web-0", "web-1"]);
  });
});
