import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { run, stderrOf } from "../support/command.ts";
import { currentCluster } from "../support/listing.ts";
import { aRawPod, READY_NODE, SERVER_CLOCK_MS } from "../support/raw-objects.ts";

describe("kubectl backoff list --watch", () => {
  let simulator: Simulator;

  beforeEach(async () => {
    simulator = await currentCluster({ objects: [aRawPod(), READY_NODE], clock: () => SERVER_CLOCK_MS });
  });

  const watches = () => simulator.requests.filter(({ query }) => query.has("watch"));
  const pages = () => simulator.requests.filter(({ path, query }) => path.endsWith("/pods") && !query.has("watch"));
  /** Each listing sends one request for a table. */
  const lists = (): number => pages().filter(({ headers }) => headers.accept?.includes("as=Table")).length;

  function restarted(restartCount: number, state: object = {}): object {
    const raw = aRawPod() as { status: { containerStatuses: [object] } };
    const containerStatuses = [{ ...raw.status.containerStatuses[0], restartCount, ...state }];
    return { ...raw, status: { ...raw.status, containerStatuses } };
  }

  const settle = () => new Promise((resolve) => setTimeout(resolve, 400));

  const watching = () => vi.waitFor(() => expect(simulator.watches.count()).toBe(1), { timeout: 60_000 });

  it("prints rows as they change, across a broken and an expired watch, until ^C", async () => {
    const running = run("list", "-w", "-l", "app!=other");
    await watching();
    await settle();
    simulator.put(restarted(6));
    await settle();
    simulator.watches.drop();
    simulator.put(restarted(7));
    await watching();
    await settle();
    simulator.watches.expire();
    simulator.put(aRawPod({ metadata: { name: "web-1", uid: "uid-of-web-1" } }));
    await watching();
    await settle();
    simulator.remove("prod", "web-0");
    await settle();
    process.emit("SIGINT");
    const { exitCode, stdout, stderr } = await running;
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^TIME +NAME +READY +STATE/),
      expect.stringMatching(/^\d\d:\d\d:\d\d GMT\+1 {2}web-0 +0\/1 +backing off +5 /),
      expect.stringMatching(/^\d\d:\d\d:\d\d GMT\+1 {2}web-0 +0\/1 +[a-z ]+? +6 /),
      expect.stringMatching(/^\d\d:\d\d:\d\d GMT\+1 {2}web-0 +0\/1 +[a-z ]+? +7 /),
      expect.stringMatching(/^\d\d:\d\d:\d\d GMT\+1 {2}web-1 +0\/1 +[a-z ]+? +5 /),
      expect.stringMatching(/^\S+ GMT\+1 {2}prod\/web-0 app is no longer down\.$/),
      "",
    ]);
    expect(lists()).toBe(2);
    const [{ path, query } = { path: "", query: new URLSearchParams() }] = watches();
    expect(path).toBe("/api/v1/namespaces/prod/pods");
    expect(Object.fromEntries(query)).toMatchObject({
      labelSelector: "app!=other",
      fieldSelector: "status.phase!=Succeeded,status.phase!=Failed",
      allowWatchBookmarks: "true",
      resourceVersion: expect.stringMatching(/^\d+$/),
    });
  }, 90_000);

  it("watches all namespaces with -A", async () => {
    const running = run("list", "-w", "-A");
    await watching();
    process.emit("SIGINT");
    await running;
    expect(watches().map(({ path }) => path)).toEqual(["/api/v1/pods"]);
  });

  it("prints a BackoffList on a line with -o json", async () => {
    const running = run("list", "-w", "-o", "json");
    await vi.waitFor(() => expect(lists()).toBeGreaterThan(0), { timeout: 45_000 });
    await settle();
    process.emit("SIGINT");
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ kind: "BackoffList", items: [{ pod: "web-0" }] });
    expect(stdout.trimEnd()).not.toContain("\n");
  });

  it("reports once that the user may not read logs", async () => {
    simulator = await currentCluster({
      objects: [aRawPod(), READY_NODE],
      clock: () => SERVER_CLOCK_MS,
      forbidden: ["pods/log"],
    });
    const running = run("list", "-w");
    await watching();
    await settle();
    simulator.put(restarted(6));
    await settle();
    process.emit("SIGINT");
    const { stdout, stderr } = await running;
    expect(stdout.split("\n")).toHaveLength(4);
    expect(stderr).toBe("No permission to read the log of app (get pods/log); nothing else depends on it.\n");
  }, 30_000);

  it.each(["name", "yaml", "md"])("can't be combined with -o %s", async (form) => {
    expect(await stderrOf(["list", "-w", "-o", form], 2)).toContain(`--watch can't be combined with -o ${form}`);
  });

  it("leaves out with --down what crash-loops but is up", async () => {
    const running = run("list", "-w", "--down");
    await watching();
    await settle();
    simulator.put(restarted(6, { state: { running: { startedAt: "2026-11-21T12:09:58Z" } } }));
    await settle();
    process.emit("SIGINT");
    const { stdout } = await running;
    expect(stdout.trimEnd().split("\n").slice(2)).toEqual([
      expect.stringMatching(/^\S+ GMT\+1 {2}prod\/web-0 app is no longer down\.$/),
    ]);
  });
});
