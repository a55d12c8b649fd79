import { describe, expect, it } from "vitest";
import { run, stdoutOf } from "../support/command.ts";
import { cluster } from "../support/listing.ts";
import { aRawPod, READY_NODE } from "../support/raw-objects.ts";
import { ownedBy } from "../support/raw-workloads.ts";
import { validList } from "../support/schema.ts";

const LINE = "Error: connect ECONNREFUSED 10.0.0.7:5432";

function crashed(workloads: number, pods: number): object[] {
  return Array.from({ length: workloads * pods }, (_, index) => {
    const letters = "bcdfghjklmnpqrst";
    const hash = `6d5b7c9f4${letters[index % workloads]}`;
    const name = `app-${index % workloads}-${hash}-x2x4${letters[Math.floor(index / workloads)]}`;
    const owner = ownedBy({ kind: "ReplicaSet", name: name.slice(0, name.lastIndexOf("-")) }, name);
    return aRawPod({ metadata: { ...owner, uid: `uid-of-${name}`, labels: { "pod-template-hash": hash } } });
  });
}

async function logged(objects: readonly object[]) {
  const { simulator, flags } = await cluster({ objects: [...objects, READY_NODE] });
  simulator.logs.write("containerd://b", `starting\n${LINE}\n    at TCPConnectWrap.afterConnect\n`, 0);
  const logsRead = () => simulator.requests.filter(({ path }) => path.endsWith("/log"));
  return { flags, logsRead };
}

describe("kubectl backoff list with the logs of what crashed", () => {
  it("shows the line of the log that has the error", async () => {
    const { flags } = await logged([aRawPod()]);
    expect(await stdoutOf(["list", ...flags])).toContain(`exit 1: ${LINE}\n`);
  });

  it("reads one log per workload, and at most ten", async () => {
    const { flags, logsRead } = await logged(crashed(12, 3));
    await stdoutOf(["list", ...flags]);
    expect(logsRead()).toHaveLength(10);
    expect(new Set(logsRead().map(({ path }) => path.split("/").at(-2)?.slice(0, -6))).size).toBe(10);
  });

  it("marks rows whose log was not read, and names the command that reads it", async () => {
    const [eleven, ten] = [await logged(crashed(11, 1)), await logged(crashed(10, 1))];
    const text = await stdoutOf(["list", ...eleven.flags]);
    expect(text.match(/ exit 1 \(log not read\)$/gm)).toHaveLength(1);
    expect(text).toContain("log not read: a list reads at most 10 logs; `kubectl backoff explain` reads the others.");
    expect(await stdoutOf(["list", ...ten.flags])).not.toContain("log not read");
    expect(await stdoutOf(["list", "--tail", "0", ...eleven.flags])).not.toContain("log not read");
  });

  it("reads one log of a workload whose pods have crashed alike, but show another status at the moment", async () => {
    const [waiting = {}, other] = crashed(1, 2) as { metadata: object }[];
    const times = { startedAt: "2026-11-21T12:09:10Z", finishedAt: "2026-11-21T12:09:14Z" };
    const terminated = { exitCode: 1, reason: "Error", ...times, containerID: "containerd://b" };
    const ended = aRawPod({
      metadata: other?.metadata ?? {},
      app: { state: { terminated }, lastState: { terminated } },
    });
    const { flags, logsRead } = await logged([waiting, ended]);
    await stdoutOf(["list", ...flags]);
    expect(logsRead()).toHaveLength(1);
  });

  it.each([
    [
      "above the table",
      [],
      /^app-0, app-1 and app-2 \(6 pods on node-a\) began at 13:05:\d\d GMT\+1 \(inferred\); all say: Error: connect .*:5432\.\n\nNAME /,
    ],
    ["above the totals of a ticket", ["-o", "md"], /^app\\?-0, app.* all say: .*\n\n6 containers/],
  ])("says what workloads share %s", async (_, argv, pattern) => {
    const { flags } = await logged(crashed(3, 2));
    expect(await stdoutOf(["list", ...argv, ...flags])).toMatch(pattern);
    expect(await stdoutOf(["list", "--no-headers", ...flags])).not.toContain("all say");
  });

  it("says what workloads share in JSON, too", async () => {
    const { flags } = await logged(crashed(2, 1));
    const { common } = validList(await stdoutOf(["list", "-o", "json", "--tail", "50", ...flags]));
    expect(common).toMatchObject([
      {
        sentence: expect.stringContaining(`both say: ${LINE}.`),
        what: ["log", "host"],
        pods: [{ namespace: "prod" }, {}],
      },
    ]);
  });

  it("asks for the log of the container by name if the pod has several", async () => {
    const raw = aRawPod() as { spec: { containers: object[] } };
    const containers = [...raw.spec.containers, { name: "proxy", image: "proxy:1" }];
    const { flags, logsRead } = await logged([{ ...raw, spec: { ...raw.spec, containers } }]);
    expect(await stdoutOf(["list", ...flags])).toContain(`exit 1: ${LINE}\n`);
    expect(logsRead().map(({ query }) => query.get("container"))).toEqual(["app"]);
  });

  it.each([
    ["with --tail 0", ["--tail", "0"]],
    ["as JSON", ["-o", "json"]],
    ["as names", ["-o", "name"]],
  ])("reads no log %s", async (_, argv) => {
    const { flags, logsRead } = await logged([aRawPod()]);
    await stdoutOf(["list", ...argv, ...flags]);
    expect(logsRead()).toEqual([]);
  });

  it("reads no log of a container that the kubelet has ended because of its postStart hook", async () => {
    const waiting = { reason: "PostStartHookError", message: "command 'false' exited with 1" };
    const { flags, logsRead } = await logged([aRawPod({ app: { state: { waiting } } })]);
    expect(await stdoutOf(["list", ...flags])).toMatch(/ exit 1 \(postStart hook.*\n/);
    expect(logsRead()).toEqual([]);
  });

  it("has the log line in JSON only with --tail", async () => {
    const { flags } = await logged([aRawPod()]);
    const listed = async (...argv: readonly string[]) =>
      validList(await stdoutOf(["list", "-o", "json", ...argv, ...flags])).items;
    expect(await listed("--tail", "20")).toMatchObject([{ pod: "web-0", lastLogLine: LINE }]);
    expect(await listed()).toMatchObject([{ pod: "web-0", lastLogLine: null }]);
  });

  it("reports once that the user may not read logs", async () => {
    const { flags } = await cluster({ forbidden: ["pods/log"] });
    const { stdout, stderr, exitCode } = await run("list", ...flags);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/web-0 .* exit 1\n/);
    expect(stderr).toBe("No permission to read the log of app (get pods/log); nothing else depends on it.\n");
  });
});
