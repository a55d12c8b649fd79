import { describe, expect, it, vi } from "vitest";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import type { SimulatorOptions } from "../../lab/api-server/state.ts";
import { jsonOf, run, stderrOf, stdoutOf } from "../support/command.ts";
import { folderOf } from "../support/input.ts";
import { cluster as clusterOf } from "../support/listing.ts";
import { aRawConfig, aRawEvent, aRawPod, READY_NODE } from "../support/raw-objects.ts";
import { validDocument } from "../support/schema.ts";

function podWith(name: string, own: object): object {
  const raw = aRawPod({ metadata: { name, uid: `uid-of-${name}` } }) as { status: { containerStatuses: [object] } };
  return { ...raw, status: { ...raw.status, containerStatuses: [{ ...raw.status.containerStatuses[0], ...own }] } };
}

function upPod(name: string, startedAt = "2026-11-21T08:00:00Z"): object {
  return podWith(name, { ready: true, started: true, state: { running: { startedAt } } });
}

async function cluster(options: SimulatorOptions = {}): Promise<Awaited<ReturnType<typeof clusterOf>>> {
  const made = await clusterOf(options);
  if (options.objects === undefined) made.simulator.put(upPod("up-0"));
  return made;
}

describe("kubectl backoff eta", () => {
  it.each<[string, string[], object]>([
    ["the current namespace", [], { total: 3, up: 1, down: 2 }],
    ["all namespaces", ["-A"], { total: 4, up: 1, down: 3 }],
    ["another namespace", ["-n", "shop"], { total: 1, up: 0, down: 1 }],
    ["a label selector", ["-A", "-l", "app=web"], { total: 2, up: 0, down: 2 }],
    ["a pod", ["web-1"], { total: 1, up: 0, down: 1 }],
    ["several names", ["web-0", "pod/up-0"], { total: 2, up: 1, down: 1 }],
  ])("counts the pods of %s", async (_, argv, counts) => {
    const { flags } = await cluster();
    expect(await jsonOf("eta", ...argv, ...flags)).toMatchObject({
      kind: "Eta",
      at: "2026-11-21T12:10:00Z",
      ...counts,
    });
  });

  it("announces the same next restart as list", async () => {
    const { flags } = await cluster();
    const [{ nextRestart }] = (await jsonOf("eta", ...flags)).containers;
    const listed = await jsonOf("list", ...flags);
    expect(listed.items[0].nextRestart).toEqual(nextRestart);
    const answer =
      /^2 of 3 pods are not up\. If what keeps them down were fixed now, half of them\nwould be up in 1m5\ds/;
    expect(await stdoutOf(["eta", ...flags])).toMatch(answer);
  });

  it("takes the maximum delay from the kubelet's configuration", async () => {
    const { simulator, flags } = await cluster();
    const delaysOf = async (): Promise<number[]> =>
      (await jsonOf("eta", ...flags)).containers.map(({ delaySeconds }: { delaySeconds: number }) => delaySeconds);
    const looping = { restartCount: 9, state: { waiting: { reason: "CrashLoopBackOff" } } };
    simulator.put(podWith("loop-0", looping));
    expect(await delaysOf()).toContain(300);
    simulator.on("/api/v1/nodes/node-a/proxy/configz", JSON.stringify(aRawConfig()));
    expect(await delaysOf()).not.toContain(300);
  });

  it("says that all pods are up, or that no containers are meant to be", async () => {
    const { flags } = await cluster({ objects: [upPod("up-0"), upPod("up-1")] });
    expect(await stdoutOf(["eta", ...flags])).toBe("All 2 pods are up.\n");
    const stderr = "There is nothing to wait for: no containers are meant to be up.\n";
    expect(await run("eta", "-n", "calm", ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
    expect(await run("eta", "-n", "calm", "-o", "svg", ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
  });

  it("says that no pod matches, also with -o json", async () => {
    const { flags } = await cluster();
    const note = 'No pods match "app=none" in namespace "prod".\n';
    const stderr = `${note}There is nothing to wait for.\n`;
    expect(await run("eta", "-l", "app=none", ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
    expect(await run("eta", "-l", "app=none", "-w", ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
    const json = await run("eta", "-l", "app=none", "-o", "json", ...flags);
    expect([json.exitCode, JSON.parse(json.stdout).total, json.stderr]).toEqual([0, 0, note]);
  });

  it("names the selector if nothing that matches it is meant to be up", async () => {
    const labels = { app: "done" };
    const { flags } = await cluster({
      objects: [aRawPod(), aRawPod({ metadata: { name: "done-0", uid: "d", labels }, status: { phase: "Succeeded" } })],
    });
    const stderr = 'There is nothing to wait for: no containers of pods that match "app=done" are\nmeant to be up.\n';
    expect(await run("eta", "-l", "app=done", ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
  });

  it("reads a folder of dumps without a cluster", async () => {
    const pods = ["web-0", "web-1"].map((name) => aRawPod({ metadata: { name, uid: name } }));
    const files = [...pods, upPod("up-0")].map((pod, index) => [`${index}.json`, JSON.stringify(pod)]);
    const argv = ["-f", folderOf(Object.fromEntries(files)), "--at", "2026-11-21T12:10:00Z"];
    expect(await jsonOf("eta", ...argv)).toMatchObject({ atBasis: "flag", total: 3, up: 1, down: 2 });
    expect(await jsonOf("eta", ...argv.slice(0, 2))).toMatchObject({
      atBasis: "newest-input",
      at: "2026-11-21T12:09:14Z",
    });
    expect(await jsonOf("eta", ...argv, "web-0")).toMatchObject({ total: 1, down: 1 });
  });

  it("sends fewer than 40 requests for 3,000 pods, and counts the pods that it does not read", async () => {
    const options = { crowd: { pods: 3_000, troubled: 60 }, objects: [], clock: Date.now };
    const { simulator, flags } = await cluster(options);
    const { total, up, down, overdue, unknown } = await jsonOf("eta", "-A", ...flags);
    expect(up + down + overdue + unknown).toBe(total);
    expect(up).toBeGreaterThan(2_500);
    expect(down + overdue).toBeGreaterThanOrEqual(40);
    expect(simulator.requests.length).toBeLessThan(40);
    const whole = await cluster({ ...options, hasTables: false });
    expect(await jsonOf("eta", "-A", ...whole.flags)).toMatchObject({ total, up });
  });

  it("requests the events of pods whose image cannot be pulled, and only of those", async () => {
    const waiting = { reason: "ImagePullBackOff", message: "Back-off pulling image" };
    const pull0 = podWith("pull-0", { restartCount: 0, lastState: {}, state: { waiting } });
    const about = { name: "pull-0", uid: "uid-of-pull-0", fieldPath: "spec.containers{app}" };
    const message = 'Failed to pull image "registry.example/app:1": not found';
    const own = { reason: "Failed", message, count: 4, lastTimestamp: "2026-11-21T12:09:00Z" };
    const failed = { ...aRawEvent("pull-0.1", about), ...own };
    const { simulator, flags } = await cluster({ objects: [aRawPod(), upPod("up-0"), pull0, failed, READY_NODE] });
    const { containers } = await jsonOf("eta", ...flags);
    const pull = containers.find(({ pod }: { pod: string }) => pod === "pull-0");
    expect(pull).toMatchObject({ delaySeconds: 80, nextRestart: { notBefore: "2026-11-21T12:10:20Z" } });
    expect(simulator.requests.filter(({ path }) => path.endsWith("/events"))).toHaveLength(1);
  });

  it("finds the events of a static pod, which have another UID than its copy in the API", async () => {
    const node = { apiVersion: "v1", kind: "Node", name: "node-a", uid: "uid-of-node-a", controller: true };
    const waiting = { reason: "ImagePullBackOff", message: "Back-off pulling image" };
    const made = podWith("static-0", { restartCount: 0, lastState: {}, state: { waiting } });
    const { metadata } = made as { metadata: object };
    const pod = { ...made, metadata: { ...metadata, ownerReferences: [node] } };
    const about = { name: "static-0", uid: "hash-of-file", fieldPath: "spec.containers{app}" };
    const own = { reason: "Failed", message: 'Failed to pull image "a": not found', count: 4 };
    const failed = { ...aRawEvent("static-0.1", about), ...own, lastTimestamp: "2026-11-21T12:09:00Z" };
    const { flags } = await cluster({ objects: [pod, failed, READY_NODE] });
    expect((await jsonOf("eta", ...flags)).containers).toMatchObject([{ pod: "static-0", delaySeconds: 80 }]);
  });

  it("prints what it has read when a page of the list fails, and marks it as incomplete", async () => {
    const { simulator, flags } = await cluster({ crowd: { pods: 1_200, troubled: 30 }, clock: Date.now });
    simulator.fail({ path: "continue=", fault: { status: 500 } });
    const { exitCode, stdout, stderr } = await run("eta", "-A", "-o", "json", ...flags);
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 1, kind: "Eta", incomplete: true });
    expect(stderr).toMatch(/^Error: The list is incomplete\. .+ answered 500/m);
  });

  it.each([
    [["-o", "name"], /table, wide, json, yaml, svg, html or md/],
    [["--watch", "-f", "-"], /--watch can.t be combined with -f/],
    [["--watch", "-o", "yaml"], /--watch can.t be combined with -o yaml/],
    [["web-0", "-l", "app=web"], /Use either names or -l, not both/],
  ])("refuses %s before any connection", async (argv, words) => {
    expect(await stderrOf(["eta", ...argv, "--kubeconfig", "/none"], 2)).toMatch(words);
  });
});

describe("kubectl backoff eta --watch", () => {
  const watched = async ({ simulator }: { simulator: Simulator }): Promise<void> =>
    vi.waitFor(() => expect(simulator.watches.count()).toBe(1), { timeout: 45_000 });

  it("counts containers that come up and pods that are deleted, and compares them with the estimate", async () => {
    const lab = await cluster();
    const running = run("eta", "--watch", ...lab.flags);
    await watched(lab);
    lab.simulator.put(upPod("web-0", "2026-11-21T12:11:55Z"));
    lab.simulator.remove("prod", "web-1");
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^2 of 3 pods are not up/);
    expect(stdout).toMatch(/^50% up at .+ announced .+ 95% limit/m);
    expect(stdout).toMatch(/^100% up at /m);
    expect(stdout).toMatch(
      /2 of 2 are up again after .+; announced by now: \d\. .+ of 2 announced times were kept\.\n$/,
    );
  });

  it("prints the estimate and each change as a line of JSON", async () => {
    const lab = await cluster();
    const running = run("eta", "--watch", "-o", "json", ...lab.flags);
    await watched(lab);
    lab.simulator.put(upPod("web-0", "2026-11-21T12:11:55Z"));
    lab.simulator.remove("prod", "web-1");
    const { exitCode, stdout } = await running;
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => validDocument("eta", line));
    expect(exitCode).toBe(0);
    expect(lines[0]).toMatchObject({ kind: "Eta", down: 2 });
    expect(lines.at(-1)).toMatchObject({ kind: "EtaProgress", announced: 2, up: 2, downAgain: 0 });
  });

  it("escapes text that reorders itself in the estimate as in its other lines of JSON", async () => {
    const down = podWith("web-0", {}) as { spec: object };
    const nodeName = "node-\u202ea";
    const pod = { ...down, spec: { ...down.spec, nodeName } };
    const lab = await cluster({ objects: [pod, { ...READY_NODE, metadata: { name: nodeName } }] });
    const running = run("eta", "--watch", "-o", "json", ...lab.flags);
    await watched(lab);
    lab.simulator.put(upPod("web-0", "2026-11-21T12:11:55Z"));
    const { stdout } = await running;
    const [estimate = ""] = stdout.split("\n");
    expect(JSON.parse(estimate)).toMatchObject({ containers: [{ node: "node-\u202ea" }] });
    expect(stdout).not.toContain("\u202e");
  });

  it("waits for pods without a predicted start, too, and fails if a pod will never restart", {
    timeout: 45_000,
  }, async () => {
    const waiting = { reason: "ContainerCreating" };
    const creating = podWith("new-0", { restartCount: 0, lastState: {}, state: { waiting } });
    const ended = { exitCode: 1, startedAt: "2026-11-21T12:00:00Z", finishedAt: "2026-11-21T12:01:00Z" };
    const failed = podWith("bad-0", { state: { terminated: ended } }) as { spec: object };
    const never = { ...failed, spec: { ...failed.spec, restartPolicy: "Never" } };
    const lab = await cluster({ objects: [upPod("up-0"), creating] });
    const running = run("eta", "-w", ...lab.flags);
    await watched(lab);
    lab.simulator.put(upPod("new-0", "2026-11-21T12:10:05Z"));
    const { exitCode, stdout } = await running;
    expect([exitCode, stdout.trim().split("\n").at(-1)]).toEqual([
      0,
      expect.stringMatching(/^1 of 1 is up again after /),
    ]);
    lab.simulator.remove("prod", "new-0");
    lab.simulator.put(never);
    const down = await run("eta", "-w", ...lab.flags);
    expect(down).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("1 unknown (failed, and will not restart)"),
    });
  });

  it("ends with ^C, and says how many are up again", async () => {
    const lab = await cluster();
    const running = run("eta", "-w", ...lab.flags);
    await watched(lab);
    process.emit("SIGINT");
    const { exitCode, stdout } = await running;
    expect(exitCode).toBe(130);
    expect(stdout).toMatch(/0 of 2 are up again .+ Nothing that was announced has come yet\.\n$/);
  });
});
