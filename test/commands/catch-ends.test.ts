import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { CatchLab } from "../support/catch-lab.ts";
import { run } from "../support/command.ts";
import { aRawWorkload, ownedBy } from "../support/raw-workloads.ts";

let lab: CatchLab;

beforeEach(async () => {
  lab = await CatchLab.start();
});

describe("catch, when it ends", () => {
  it.each([
    { signal: "SIGINT", exitCode: 130 },
    { signal: "SIGTERM", exitCode: 143 },
    { signal: "SIGHUP", exitCode: 129 },
  ] as const)("writes what it has recorded on $signal, and exits with $exitCode", async ({ signal, exitCode }) => {
    const stopped = await lab.caughtOnce("watch", ["stopped.json", "-o", "json"], async () => {
      lab.say(6, "starting");
      lab.put(6, lab.running());
      await lab.onceAsked("follow");
      await sleep(100);
      process.emit(signal, signal);
    });
    const says = expect.stringContaining("still running when catch was stopped");
    expect(stopped).toMatchObject({ exitCode, stderr: says });
    expect(lab.linesIn("stopped.json")).toEqual(["starting"]);
    expect([process.listenerCount("SIGTERM"), process.listenerCount("SIGHUP")]).toEqual([0, 0]);
  });

  it("records the present state with --timeout=0, without a watch", async () => {
    lab.say(6, "so far");
    lab.put(6, lab.running());
    const now = await lab.caught("now.json", "-o", "json", "--now", "--timeout=0");
    expect(now).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("1 log line, the end may be missing") });
    expect(lab.linesIn("now.json")).toEqual(["so far"]);
    expect(lab.simulator.requests.some(({ query }) => query.has("watch"))).toBe(false);
    expect((await lab.caught("waits.json", "-o", "json", "--timeout=0")).exitCode).toBe(124);
  });

  it("writes what it has recorded at --timeout", async () => {
    lab.put(6, lab.running());
    const timedOut = await lab.caught("timeout.json", "-o", "json", "--now", "--timeout=2s");
    expect(timedOut).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("still running at --timeout") });
  });

  it("ends as soon as the pod has recovered, with --for=recovered", async () => {
    const pod = { metadata: { creationTimestamp: "2026-11-21T11:00:00Z" } };
    lab.put(6, { running: { startedAt: "2026-11-21T11:30:00Z" } }, {}, pod);
    const before = await lab.caught("not-yet.json", "--now", "--for=recovered", "--timeout=2s");
    expect(before.exitCode).toBe(124);
    lab.put(6, { running: { startedAt: "2026-11-21T11:30:00Z" } }, {}, pod, [{ type: "Ready", status: "True" }]);
    const { exitCode, stderr } = await lab.caught("recovered.json", "--now", "--for=recovered");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("(recovered)") });
  });

  it("writes what it has recorded when the pod is deleted", async () => {
    lab.put(6, lab.running(), lab.ended(5));
    const { exitCode, stderr } = await lab.caughtOnce("follow", ["deleted.json", "-o", "json", "--now"], async () => {
      lab.say(6, "so far");
      await sleep(200);
      lab.simulator.remove("prod", "web-0");
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("the pod was deleted") });
    expect(lab.linesIn("deleted.json")).toEqual(["so far"]);
  });

  it("follows the pod that replaces a deleted one of a workload, and records its first run", async () => {
    const owned = { metadata: ownedBy({ kind: "StatefulSet", name: "web" }, "web-0", { labels: { app: "web" } }) };
    const of = (uid: string) => ({ metadata: { ...owned.metadata, uid } });
    const workload = JSON.stringify(aRawWorkload("StatefulSet", "web"));
    lab.simulator.on("/apis/apps/v1/namespaces/prod/statefulsets/web", workload);
    lab.put(5, lab.ended(5), {}, of("old"));
    const [caught] = await Promise.all([
      run("catch", "sts/web", "-o", "json", "--output-file", lab.file("new.json")),
      lab.onceAsked("watch").then(async () => {
        lab.simulator.remove("prod", "web-0");
        lab.say(0, "a new pod");
        lab.put(0, lab.running(), {}, of("new"));
        await lab.onceAsked("follow");
        lab.simulator.logs.end("containerd://0");
        lab.put(0, lab.ended(0), {}, of("new"));
      }),
    ]);
    expect(caught).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("waiting for the pod that replaces it"),
    });
    expect(lab.linesIn("new.json")).toEqual(["a new pod"]);
  });

  it.skipIf(process.platform === "win32")("writes to /dev/null although it exists", async () => {
    const argv = ["catch", "web-0", "--output-file", "/dev/null", "--timeout=0"];
    expect(await run(...argv)).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("Wrote /dev/null: ") });
  });
});
