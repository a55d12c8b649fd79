import { describe, expect, it } from "vitest";
import { run, stderrOf } from "../support/command.ts";
import { writeDocument } from "../support/kubeconfig.ts";
import { aRawPod, READY_NODE } from "../support/raw-objects.ts";
import { ownedBy } from "../support/raw-workloads.ts";
import { validList } from "../support/schema.ts";

describe("kubectl backoff list -f FILE", () => {
  const list = {
    kind: "List",
    items: [aRawPod(), aRawPod({ metadata: { name: "web-1", uid: "uid-of-web-1" } }), READY_NODE],
  };

  it("lists what is down in the input, and says as of when", async () => {
    const { stdout: text } = await run("list", "-f", writeDocument(list));
    expect(text).toMatch(/^As of Nov 21, 2026, .+ \(newest timestamp in the input\):\n\nNAME +READY +STATE /);
    expect(text).toMatch(/^web-1 +0\/1 +backing off +5 /m);
    const json = validList((await run("list", "-f", writeDocument(list), "-o", "json")).stdout);
    expect(json).toMatchObject({ atBasis: "newest-input", items: [{}, {}] });
  });

  it("names the Deployment that the name of a pod's ReplicaSet shows, as the published schema has it", async () => {
    const metadata = ownedBy({ kind: "ReplicaSet", name: "web-6d5b7c9f4d" }, "web-6d5b7c9f4d-x2x4b");
    const labels = { "pod-template-hash": "6d5b7c9f4d" };
    const owned = { kind: "List", items: [aRawPod({ metadata: { ...metadata, labels } }), READY_NODE] };
    const { items } = validList((await run("list", "-f", writeDocument(owned), "-o", "json")).stdout);
    expect(items).toMatchObject([{ workload: { kind: "Deployment", name: "web" } }]);
  });

  it("counts no evicted pod in READY of a Deployment", async () => {
    const podOf = (suffix: string) =>
      ownedBy({ kind: "ReplicaSet", name: "web-6d5b7c9f4d" }, `web-6d5b7c9f4d-${suffix}`);
    const metadataOf = (suffix: string) => ({ ...podOf(suffix), labels: { "pod-template-hash": "6d5b7c9f4d" } });
    const failed = { phase: "Failed", reason: "Evicted", containerStatuses: [] };
    const [down, evicted] = [
      aRawPod({ metadata: metadataOf("x2x4b") }),
      aRawPod({ metadata: { ...metadataOf("k9d2z"), uid: "uid-of-k9d2z" }, status: failed }),
    ];
    const { stdout } = await run("list", "-f", writeDocument({ kind: "List", items: [down, evicted, READY_NODE] }));
    expect(stdout).toMatch(/^deploy\/web +0\/1 /m);
  });

  it("prints a table for a ticket with -o md", async () => {
    const { stdout: text } = await run("list", "-f", writeDocument(list), "-o", "md");
    expect(text).toMatch(/^2 containers in 2 pods are down: 2 × exit 1\.\n\n\| Name \| Ready \| State \|/);
    expect(text).toMatch(/\| web\\?-0 \| 0\/1 \| backing off \| 5 \|/);
    expect(text).toMatch(/by kubectl backoff\.\n$/);
  });

  const UP = aRawPod({
    metadata: { name: "up-0", namespace: "calm", uid: "uid-of-up-0", labels: { app: "up" } },
    app: { ready: true, restartCount: 0, lastState: {}, state: { running: { startedAt: "2026-11-21T12:00:00Z" } } },
  });

  it.each([
    { argv: ["-n", "calm"], of: "", place: "calm namespace of the input" },
    { argv: ["-l", "app=up"], of: ' of pods that match "app=up"', place: "the input" },
    { argv: ["-l", "app=up", "-o", "wide"], of: ' of pods that match "app=up"', place: "the input" },
    { argv: ["-l", "app=up", "-o", "md"], of: ' of pods that match "app=up"', place: "the input" },
  ])("says where nothing is down, and as of when: $argv", async ({ argv, of, place }) => {
    const file = writeDocument({ kind: "List", items: [...list.items, UP] });
    const { exitCode, stdout, stderr } = await run("list", "-f", file, ...argv);
    const [moment, sentence] = stderr.split("\n");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(moment).toMatch(/^As of Nov 21, 2026, .+ \(newest timestamp in the input\):$/);
    expect(sentence).toBe(`No containers${of} are crash-looping or failing to start in ${place}.`);
  });

  it.each([
    { argv: ["-l", "app=none"], place: "in the input" },
    { argv: ["-l", "app=none", "-n", "calm"], place: 'in namespace "calm" of the input' },
  ])("says that no pod matches: $argv", async ({ argv, place }) => {
    const file = writeDocument({ kind: "List", items: [...list.items, UP] });
    const stderr = `No pods match "app=none" ${place}.\n`;
    expect(await run("list", "-f", file, ...argv)).toEqual({ exitCode: 0, stdout: "", stderr });
  });

  it("refuses -w", async () => {
    expect(await stderrOf(["list", "-f", "x", "-w"], 2)).toContain("--watch can't be combined with -f");
  });
});
