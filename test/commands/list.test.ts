import { load } from "js-yaml";
import { describe, expect, it, vi } from "vitest";
import { jsonOf, run, stderrOf, stdoutOf } from "../support/command.ts";
import { cluster } from "../support/listing.ts";
import { aRawPod, READY_NODE } from "../support/raw-objects.ts";
import { ownedBy } from "../support/raw-workloads.ts";
import { validList } from "../support/schema.ts";

function fleet(): object[] {
  return Array.from("bcdf", (letter, index) => {
    const name = `web-6d5b7c9f4d-x2x4${letter}`;
    const labels = { "pod-template-hash": "6d5b7c9f4d" };
    return restarted(index, { ...ownedBy({ kind: "ReplicaSet", name: "web-6d5b7c9f4d" }, name), labels });
  });
}

function restarted(index: number, metadata: object): object {
  const raw = aRawPod({ metadata }) as { status: { containerStatuses: [{ lastState: object }] } };
  const [status] = raw.status.containerStatuses;
  const up = { state: { running: { startedAt: "2026-11-21T12:09:55Z" } }, containerID: "containerd://c" };
  const containerStatuses = [{ ...status, restartCount: 3 + index, ...(index === 3 && up) }];
  return { ...raw, status: { ...raw.status, containerStatuses } };
}

interface ListedPod {
  readonly namespace: string;
  readonly pod: string;
}

describe("kubectl backoff list", () => {
  it("lists the current namespace, and how many are down for which cause", async () => {
    const { flags } = await cluster();
    expect(await stdoutOf(["list", ...flags])).toBe(
      [
        "NAME    READY   STATE         RESTARTS   NEXT          SINCE   CAUSE",
        "web-0   0/1     backing off   5          1m54s-2m11s   13:05   exit 1",
        "web-1   0/1     backing off   5          1m54s-2m11s   13:05   exit 1",
        "",
        "2 containers in 2 pods are down: 2 × exit 1.",
        "",
      ].join("\n"),
    );
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ["-n", ["-n", "shop"], ["shop api-0"]],
    ["-A", ["-A", "--sort-by", "name"], ["prod web-0", "prod web-1", "shop api-0"]],
    ["-l", ["-A", "-l", "app=web", "--sort-by", "name"], ["prod web-0", "shop api-0"]],
    ["--sort-by", ["--sort-by", "age"], ["prod web-1", "prod web-0"]],
  ])("chooses and sorts pods by %s", async (_, argv, pods) => {
    const { flags } = await cluster();
    const { items } = validList(await stdoutOf(["list", "-o", "json", ...argv, ...flags]));
    expect(items.map((item: ListedPod) => `${item.namespace} ${item.pod}`)).toEqual(pods);
  });

  it("names the namespace of each pod with -A", async () => {
    const { flags } = await cluster();
    const lines = (await stdoutOf(["list", "-A", "--no-headers", "--sort-by", "name", ...flags])).split("\n");
    expect(lines.at(-2)).toMatch(/^shop +api-0 +0\/1 /);
  });

  it("prints all that it knows as JSON, as the published schema has it", async () => {
    const { flags } = await cluster();
    const first = expect.objectContaining({ pod: "web-0", delaySeconds: 160, cause: "exited", exitCode: 1 });
    expect(validList(await stdoutOf(["list", "-o", "json", ...flags]))).toEqual({
      ...{ apiVersion: "backoff/v1", kind: "BackoffList", at: "2026-11-21T12:10:00Z" },
      ...{ atBasis: "server-clock", gaps: [] },
      items: [first, expect.anything()],
      failedJobs: [],
      notReady: [],
      common: [],
    });
  });

  it("prints the same as YAML", async () => {
    const { flags } = await cluster();
    const json = validList(await stdoutOf(["list", "-o", "json", ...flags]));
    expect(load(await stdoutOf(["list", "-o", "yaml", ...flags]))).toEqual(json);
  });

  it("is what `kubectl backoff` runs without a command", async () => {
    const { flags } = await cluster();
    const table = await stdoutOf(["list", ...flags]);
    expect(await stdoutOf(flags)).toBe(table);
    vi.stubEnv("KUBECONFIG", flags[1]);
    expect(await stdoutOf([])).toBe(table);
    const { stderr } = await run("-n", "calm");
    expect(stderr).toBe("No containers are crash-looping or failing to start in calm namespace.\n");
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ["as one line, with one that is up", [], ["deploy/web 0/4 backing off 3-6 1m54s-2m11s (3 pods)"]],
    ["without those that are up", ["--down"], ["deploy/web 3 0/4 backing off 3-5"]],
    ["one by one", ["--down", "--ungrouped"], ["b", "c", "d"].map((letter) => `web-6d5b7c9f4d-x2x4${letter} 0/1`)],
  ])("shows the pods of a Deployment that crash-loop alike %s", async (_, options, expected) => {
    const { flags } = await cluster({ objects: [...fleet(), READY_NODE] });
    const text = await stdoutOf(["list", "--no-headers", "--sort-by", "name", ...options, ...flags]);
    const lines = text.trimEnd().replaceAll(/ +/g, " ").split("\n");
    expect(lines).toEqual(expected.map((start) => expect.stringContaining(start)));
  });

  it("says with --down that nothing is down if all that crash-loops is up", async () => {
    const { flags } = await cluster({ objects: [...fleet().slice(3), READY_NODE] });
    const { stdout, stderr } = await run("list", "--down", ...flags);
    expect([stdout, stderr]).toEqual(["", "No containers are down in prod namespace.\n"]);
    expect(await stdoutOf(["list", "-o", "name", ...flags])).toBe("pod/web-6d5b7c9f4d-x2x4f\n");
  });

  it("adds columns with -o wide", async () => {
    const { flags } = await cluster();
    const [headings, first] = (await stdoutOf(["list", "-o", "wide", ...flags])).split("\n");
    expect(headings).toMatch(/SINCE +CAUSE +DELAY +NODE +OWNER +AGE +STATUS$/);
    expect(first).toMatch(/13:0\d +exit 1 +2m40s +node-a +<none> +10m +CrashLoopBackOff$/);
  });

  it("says that nothing is down, and with -o json prints no items", async () => {
    const { flags } = await cluster();
    const stderr = "No containers are crash-looping or failing to start in calm namespace.\n";
    expect(await run("list", "-n", "calm", ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
    const json = await run("list", "-n", "calm", "-o", "json", ...flags);
    expect([validList(json.stdout).items, json.stderr]).toEqual([[], ""]);
  });

  it.each([
    [["-l", "app=none"], 'in namespace "prod"'],
    [["-A", "-l", "app=none"], "in any namespace"],
  ])("says that no pod matches: %s, also with -o json", async (argv, place) => {
    const { flags } = await cluster();
    const stderr = `No pods match "app=none" ${place}.\n`;
    expect(await run("list", ...argv, ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
    const json = await run("list", "-o", "json", ...argv, ...flags);
    expect([json.exitCode, validList(json.stdout).items, json.stderr]).toEqual([0, [], stderr]);
  });

  it("names the selector if none of the pods that match it is down", async () => {
    const named = (app: string) => ({ name: `${app}-0`, uid: `uid-of-${app}`, labels: { app } });
    const running = {
      ...{ ready: true, started: true, restartCount: 0, lastState: {} },
      state: { running: { startedAt: "2026-11-21T08:00:00Z" } },
    };
    const completed = aRawPod({ metadata: named("done"), status: { phase: "Succeeded" } });
    const { flags } = await cluster({
      objects: [aRawPod(), aRawPod({ metadata: named("up"), app: running }), completed],
    });
    for (const app of ["up", "done"]) {
      const stderr = `No containers of pods that match "app=${app}" are crash-looping or failing to start in prod namespace.\n`;
      expect(await run("list", "-l", `app=${app}`, ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
      expect((await run("list", "-o", "json", "-l", `app=${app}`, ...flags)).stderr).toBe("");
    }
  });

  it("says no more than that nothing is down if the pods that match cannot be read again", async () => {
    const { simulator, flags } = await cluster();
    simulator.fail({ path: "limit=1", fault: { status: 500 } });
    const stderr =
      'No containers of pods that match "app=none" are crash-looping or failing to start in prod namespace.\n';
    expect(await run("list", "-l", "app=none", ...flags)).toEqual({ exitCode: 0, stdout: "", stderr });
  });

  it("reports what is missing without the right to read nodes", async () => {
    const { flags } = await cluster({ forbidden: ["nodes"] });
    const result = await run("list", ...flags);
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("web-0") });
    expect(result.stderr).toMatch(/^No permission to read the node \(get nodes\);.*\n$/);
    const { stdout } = await run("list", "-o", "json", ...flags);
    expect(validList(stdout).gaps).toMatchObject([{ code: "node-forbidden" }]);
  });

  it("fails with an empty stdout without the right to list pods", async () => {
    const { flags } = await cluster({ forbidden: ["pods"] });
    expect(await stderrOf(["list", ...flags], 1)).toMatch(/Forbidden: pods is forbidden/);
  });

  it.each([
    ["--sort-by", "color", /next, delay, restarts, name or age/],
    ["-o", "csv", /table, wide, json, yaml, name or md/],
  ])("rejects %s %s, and names the valid values", async (flag, value, words) => {
    expect(await stderrOf(["list", flag, value], 2)).toMatch(words);
  });
});

describe("the kubelets' configurations", () => {
  const MAX = {
    crashLoopBackOff: { maxContainerRestartPeriod: "60s" },
    featureGates: { KubeletCrashLoopBackOffMax: true },
  };
  const itemsOf = async (flags: readonly string[]) => {
    const { items } = await jsonOf("list", "--sort-by", "name", ...flags);
    return items as { isByDefaults: boolean; nextRestart: object }[];
  };

  it("are read, so that list predicts the same next restart as explain", async () => {
    const { flags } = await cluster({ kubelet: { config: MAX } });
    const [first] = await itemsOf(flags);
    const explained = await jsonOf("web-0", "-n", "prod", ...flags);
    expect(first?.isByDefaults).toBe(false);
    expect(first?.nextRestart).toEqual(explained.pods[0].containers[0].nextRestart);
  });

  it("are not read of nine nodes, and the windows are marked with ~", async () => {
    const names = Array.from({ length: 9 }, (_, index) => `node-${index}`);
    const nodes = names.map((name) => ({ ...READY_NODE, metadata: { name } }));
    const pods = names.map((nodeName, index) => {
      const metadata = { name: `web-${index}`, uid: `uid-${index}` };
      return aRawPod({ metadata, spec: { nodeName } });
    });
    const { flags } = await cluster({ objects: [...nodes, ...pods] });
    expect((await itemsOf(flags)).map(({ isByDefaults }) => isByDefaults)).toEqual(Array(9).fill(true));
    const text = await stdoutOf(["list", ...flags]);
    expect(text).toMatch(/^web-0 +0\/1 +backing off +5 +~1m/m);
    expect(text).toContain("~: by the kubelet's defaults, because its configuration was not read.");
  });
});

describe("kubectl backoff list of a large cluster", () => {
  const CROWD = { pods: 3_000, troubled: 60 } as const;

  it("prints what it has read when a page fails, marks it as incomplete, and fails", async () => {
    const { simulator, flags } = await cluster({ crowd: CROWD, objects: [] });
    simulator.fail({ path: "continue=", fault: { status: 500, message: "etcd is gone" }, after: 4 });
    const json = await run("list", "-A", "-o", "json", ...flags);
    expect(validList(json.stdout)).toMatchObject({ incomplete: true });
    expect(json.exitCode).toBe(1);
    expect(json.stderr).toMatch(/^Error: The list is incomplete\. .*etcd is gone\.\n$/);
    const table = await run("list", "-A", ...flags);
    expect(table).toEqual({ ...json, stdout: expect.stringContaining("NAMESPACE   NAME") });
  });

  it("shows its progress on a terminal, and removes it in the end", async () => {
    const { flags } = await cluster({ crowd: CROWD, objects: [] });
    vi.spyOn(process, "stderr", "get").mockReturnValue(Object.assign(Object.create(process.stderr), { isTTY: true }));
    const { stderr } = await run("list", "-A", "-o", "name", ...flags);
    const shown = stderr.split("\r\u001b[K");
    expect(shown.slice(1, -1)).toContainEqual(expect.stringMatching(/^1,000 pods read, \d+ containers down$/));
    expect(shown.at(-1)).toBe("");
  });
});
