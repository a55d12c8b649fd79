import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { oncePrinted, run, stderrOf, stdoutOf } from "../support/command.ts";
import { clockFrom, currentCluster } from "../support/listing.ts";
import { aRawEvent, aRawPod, READY_NODE, SERVER_CLOCK_MS } from "../support/raw-objects.ts";
import { aRawOwnedPod, aRawWorkload } from "../support/raw-workloads.ts";

let simulator: Simulator;

async function start(pod: object, minute = 10): Promise<void> {
  const clock = clockFrom(Date.UTC(2026, 10, 21, 12, minute, 0));
  simulator = await currentCluster({ objects: [pod, READY_NODE, aRawEvent("one")], clock });
}

beforeEach(() => start(aRawPod()));

function podWith(restartCount: number, state: object, overrides: { metadata?: object; spec?: object } = {}): object {
  const status = { name: "app", restartCount, containerID: `containerd://${restartCount}`, state, ready: true };
  return { ...aRawPod(overrides), status: { phase: "Running", containerStatuses: [status] } };
}

const RUNNING = { running: { startedAt: "2026-11-21T12:10:01Z" } };
const ENDED = { terminated: { exitCode: 1, startedAt: "2026-11-21T12:09:01Z", finishedAt: "2026-11-21T12:09:09Z" } };

async function onceWatched(act: () => void): Promise<void> {
  const isWatched = (): boolean => simulator.requests.some(({ query }) => query.has("watch"));
  await vi.waitFor(() => expect(isWatched()).toBe(true), { timeout: 45_000 });
  await sleep(100);
  act();
}

describe("kubectl backoff wait --for=restart", () => {
  it.each(["web-0", "pod/web-0", "pod web-0"])("%s prints one line when it has restarted", async (words) => {
    const [stdout] = await Promise.all([
      stdoutOf(["wait", ...words.split(" "), "--for=restart"]),
      onceWatched(() => simulator.put(podWith(6, RUNNING))),
    ]);
    expect(stdout).toBe("pod/web-0 restarted: container app, restart 6, at 13:10:01 GMT+1\n");
  });

  it("exits with 124 when time is up, and prints the pod's state", async () => {
    const { exitCode, stdout, stderr } = await run("wait", "web-0", "--for=restart", "--timeout=1s");
    expect({ exitCode, stdout }).toEqual({ exitCode: 124, stdout: "" });
    expect(stderr).toMatch(/^Timed out after 1s: pod\/web-0 has not restarted\.\nprod\/web-0: app .+\n$/);
  });

  it("says once that the restart is overdue, and what to check, and goes on waiting", async () => {
    await start(aRawPod(), 20);
    const { exitCode, stderr } = await run("wait", "web-0", "--for=restart", "--timeout=4s");
    expect(exitCode).toBe(124);
    const check = "check the kubelet and the container runtime on node node-a";
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(`^Still waiting: app should have restarted by 13:12:\\d\\d GMT\\+1; ${check}\\.$`),
      "Timed out after 4s: pod/web-0 has not restarted.",
      expect.stringMatching(`^prod/web-0: app .+ Overdue by 7m\\d+s: it should have restarted by .+; ${check}\\.$`),
    ]);
  });

  it("rejects several names, also if one of them does not exist", async () => {
    simulator.put(aRawPod({ metadata: { name: "web-1", uid: "uid-of-web-1" } }));
    for (const other of ["web-1", "nope"])
      expect(await stderrOf(["wait", "web-0", other, "--for=restart"], 2)).toContain("this matches 2.");
  });

  it("checks once with --timeout=0, without a watch", async () => {
    const { exitCode, stderr } = await run("wait", "web-0", "--for=restart", "--timeout=0");
    expect(exitCode).toBe(124);
    expect(stderr).toMatch(/^pod\/web-0 has not restarted\.\n/);
    expect(simulator.requests.some(({ query }) => query.has("watch"))).toBe(false);
  });

  it("prints at its timeout the container of -c", async () => {
    const states = { one: ENDED, two: RUNNING };
    const containerStatuses = Object.entries(states).map(([name, state]) => ({
      ...{ name, state, restartCount: 5, containerID: `containerd://${name}`, ready: true },
    }));
    const containers = [{ name: "one" }, { name: "two" }];
    await start({ ...aRawPod({ spec: { containers } }), status: { phase: "Running", containerStatuses } });
    const { exitCode, stderr } = await run("wait", "web-0", "-c", "two", "--for=restart", "--timeout=0");
    expect(exitCode).toBe(124);
    expect(stderr).toMatch(/^pod\/web-0 has not restarted\.\nprod\/web-0: two .+\n$/);
    expect(stderr).not.toContain("one ");
  });

  it("names the init container that a blocked container waits for, and when that restarts", async () => {
    const setup = { name: "setup", restartCount: 5, containerID: "containerd://5", state: ENDED, ready: false };
    const billing = {
      name: "billing",
      restartCount: 0,
      state: { waiting: { reason: "PodInitializing" } },
      ready: false,
    };
    const spec = { initContainers: [{ name: "setup" }], containers: [{ name: "billing" }] };
    const status = { phase: "Pending", initContainerStatuses: [setup], containerStatuses: [billing] };
    const argv = ["wait", "web-0", "-c", "billing", "--for=restart"];
    await start({ ...aRawPod({ spec }), status });
    expect((await run(...argv, "--timeout=0")).stderr).toMatch(
      /\nprod\/web-0: billing waits for init container setup, which is in CrashLoopBackOff \(.+\)\. Restarts in .+\n$/,
    );
    await start({ ...aRawPod({ spec }), status }, 40);
    const { stderr } = await run(...argv, "--timeout=4s");
    expect(stderr).toMatch(/^Still waiting: setup should have restarted by .+\.\nTimed out after 4s/);
    expect(stderr).toMatch(/billing waits for init container setup, which .+ overdue .+Overdue by/);
  });

  it("fails as soon as the pod is gone, or is being deleted", async () => {
    const [gone] = await Promise.all([
      stderrOf(["wait", "web-0", "--for=restart"], 1),
      onceWatched(() => simulator.remove("prod", "web-0")),
    ]);
    expect(gone).toBe("Error: pod/web-0 will not restart any more: it has been deleted.\n");
    await start(podWith(5, ENDED, { metadata: { deletionTimestamp: "2026-11-21T12:10:00Z" } }));
    const going = await stderrOf(["wait", "web-0", "--for=restart"], 1);
    expect(going).toBe("Error: pod/web-0 will not restart any more: it is being deleted.\n");
  });

  it("fails immediately if the restart policy is Never", async () => {
    await start(podWith(0, ENDED, { spec: { restartPolicy: "Never" } }));
    const says = "will not restart any more: no container of it";
    expect(await stderrOf(["wait", "web-0", "--for=restart"], 1)).toContain(says);
  });

  it("polls without the right to watch", async () => {
    simulator.fail({ path: /pods\?.*fieldSelector/, fault: { status: 403 } });
    const [stdout] = await Promise.all([
      stdoutOf(["wait", "web-0", "--for=restart"]),
      onceWatched(() => simulator.put(podWith(6, RUNNING))),
    ]);
    expect(stdout).toBe("pod/web-0 restarted: container app, restart 6, at 13:10:01 GMT+1\n");
    expect(simulator.requests.length).toBeLessThan(20);
  });
});

describe("kubectl backoff wait --for=reset and --for=recovered", () => {
  it("end immediately for a pod that has never crashed", async () => {
    const running = podWith(0, { running: { startedAt: "2026-11-21T12:00:00Z" } }) as { status: object };
    await start({ ...running, status: { ...running.status, conditions: [{ type: "Ready", status: "True" }] } });
    expect(await stdoutOf(["wait", "web-0", "--for=reset"])).toBe("pod/web-0 has no back-off\n");
    const line = "pod/web-0 is up and has never failed\n";
    expect(await stdoutOf(["wait", "web-0", "--for=recovered"])).toBe(line);
    expect(await stdoutOf(["wait", "web-0", "--for=recovered", "--timeout=0"])).toBe(line);
    expect(simulator.requests.some(({ query }) => query.has("watch"))).toBe(false);
  });

  it("do not end while the pod crash-loops", async () => {
    for (const goal of ["reset", "recovered"]) {
      const { exitCode } = await run("wait", "web-0", `--for=${goal}`, "--timeout=0");
      expect(exitCode).toBe(124);
    }
  });
});

describe("wait for a workload", () => {
  const WEB = { kind: "StatefulSet", name: "web" };

  const podOf = (name: string, uid: string, state: object, more: object = {}): object => {
    const raw = aRawOwnedPod(WEB, name, { app: "web" }) as { metadata: object };
    const status = { name: "app", restartCount: 0, containerID: `containerd://${uid}`, state, ready: true };
    const conditions = [{ type: "Ready", status: "True" }];
    return {
      ...raw,
      metadata: { ...raw.metadata, uid, ...more },
      status: { phase: "Running", conditions, containerStatuses: [status] },
    };
  };

  beforeEach(async () => {
    const clock = clockFrom(SERVER_CLOCK_MS);
    simulator = await currentCluster({ objects: [podOf("web-0", "old", ENDED)], clock });
    const path = "/apis/apps/v1/namespaces/prod/statefulsets/web";
    simulator.on(path, JSON.stringify(aRawWorkload("StatefulSet", "web")));
  });

  it("follows the pod of the same name that replaces a deleted one", async () => {
    const [{ exitCode, stdout, stderr }] = await Promise.all([
      run("wait", "sts/web", "--for=recovered", "--timeout=20s"),
      onceWatched(async () => {
        simulator.remove("prod", "web-0");
        await oncePrinted("waiting for the pod that replaces it");
        simulator.put(podOf("web-0", "new", RUNNING));
      }),
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "pod/web-0 is up and has never failed\n" });
    expect(stderr).toContain("pod/web-0 is being deleted: waiting for the pod that replaces it.\n");
  });

  it("counts the first instance of a replacement as a restart while the old pod is being deleted", async () => {
    const [stdout] = await Promise.all([
      run("wait", "sts/web", "--for=restart", "--timeout=20s").then((ran) => ran.stdout),
      onceWatched(async () => {
        simulator.put(podOf("web-0", "old", ENDED, { deletionTimestamp: "2026-11-21T12:10:00Z" }));
        simulator.put(podOf("web-1", "new", RUNNING));
      }),
    ]);
    expect(stdout).toBe("pod/web-1 replaces web-0: container app started at 13:10:01 GMT+1\n");
  });

  it("waits until its timeout if nothing replaces the pod", async () => {
    const [{ exitCode, stderr }] = await Promise.all([
      run("wait", "sts/web", "--for=restart", "--timeout=3s"),
      onceWatched(() => simulator.remove("prod", "web-0")),
    ]);
    expect(exitCode).toBe(124);
    expect(stderr).toContain("Timed out after 3s: pod/web-0 has not restarted.\n");
  });
});

describe("an error of wait", () => {
  it.each([
    { argv: ["web-0", "--for=restart", "--timeout=soon"], exitCode: 2, says: 'Invalid value "soon" for --timeout' },
    { argv: ["--for=restart"], exitCode: 2, says: "Name one: kubectl backoff wait POD" },
    { argv: ["web-0", "--for=restart", "-c", "ap"], exitCode: 1, says: "Pass -c with app." },
    { argv: ["web-1", "--for=restart"], exitCode: 1, says: "Did you mean web-0?" },
  ] as const)("says: $says", async ({ argv, exitCode, says }) => {
    const { stderr, ...result } = await run("wait", ...argv);
    expect(result).toEqual({ exitCode, stdout: "" });
    expect(stderr).toContain(says);
  });

  it("is not printed on Ctrl-C, which ends it with 130", async () => {
    const [{ exitCode, stdout, stderr }] = await Promise.all([
      run("wait", "web-0", "--for=restart", "--timeout=-1s"),
      onceWatched(() => void process.emit("SIGINT")),
    ]);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 130, stdout: "", stderr: "" });
  });
});
