import { describe, expect, it } from "vitest";
import { percentile } from "../../scripts/bench/percentile.ts";
import { startRecordedServer } from "../../scripts/bench/recorded-server.ts";
import { measureInTurns, startupTable } from "../../scripts/bench/startup.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import { findExample, observeExample } from "../../src/cluster/files/examples.ts";
import { observePod } from "../../src/cluster/pods/observe-pod.ts";
import { explain } from "../../src/explain/explain.ts";
import { repositoryFile, runFile } from "../support/command.ts";
import { writeDocument } from "../support/kubeconfig.ts";

describe("percentile()", () => {
  it.each([
    { values: [3, 1, 2], share: 0.5, is: 2, why: "the middle of an odd number" },
    { values: [4, 1, 2, 3], share: 0.5, is: 2, why: "half of them do not exceed it" },
    { values: [1, 2, 3, 4], share: 0.99, is: 4, why: "few values: the greatest" },
    { values: Array.from({ length: 200 }, (_, index) => index + 1), share: 0.99, is: 198, why: "two are above it" },
    { values: [7], share: 0.5, is: 7, why: "one value is its own median" },
  ])("of $values.length values at $share is $is: $why", ({ values, share, is }) => {
    expect(percentile(values, share)).toBe(is);
  });
});

describe("measureInTurns()", () => {
  const node = (name: string, code: string) => ({ name, file: process.execPath, args: ["--eval", code] });

  it("gives every contestant as many times as there are rounds", async () => {
    const times = await measureInTurns([node("idle", "0"), node("slow", "setTimeout(() => {}, 200)")], 2, process.env);
    expect([...times.keys()]).toEqual(["idle", "slow"]);
    expect(times.get("idle")).toHaveLength(2);
    for (const timeMs of times.get("slow") ?? []) expect(timeMs).toBeGreaterThanOrEqual(200);
  });

  it("does not measure what fails", async () => {
    const broken = node("broken", "console.error('no such pod'); process.exit(3)");
    await expect(measureInTurns([broken], 1, process.env)).rejects.toThrow("broken ended with 3: no such pod");
  });
});

describe("startupTable()", () => {
  const times = new Map([
    ["get", [40, 50, 30]],
    ["ours", [80, 90, 70]],
  ]);

  it("compares medians", () => {
    expect(startupTable(times, [{ head: "x get", name: "get" }])).toEqual([
      "           median  x get",
      "  get     40.0 ms   1.00",
      "  ours    80.0 ms   2.00",
    ]);
  });

  it("has no column for what was not measured", () => {
    expect(startupTable(times, [{ head: "x describe", name: "describe" }])[0]).toBe("           median");
  });
});

describe("startRecordedServer()", () => {
  it("answers as the API server did that was recorded", async () => {
    const example = findExample("liveness-probe");
    const server = await startRecordedServer(example);
    try {
      const kubeconfig = writeDocument(server.kubeconfig);
      const connection = connect({ kubeconfig, namespace: server.namespace, env: {} });
      const request = { name: server.pod, nodeConfig: "auto", atMs: null, localNowMs: 0 } as const;
      const asked = explain(await observePod(connection, request), {});
      expect(asked.pods).toEqual(explain(await observeExample(example), {}).pods);
      expect(asked.atMs).toBe(example.atMs);
    } finally {
      server.close();
    }
  });
});

describe("npm run bench", () => {
  it.each([["--rounds", "14"], ["--rounds", "many"], ["--nope"]])(
    "says how to call it instead of: %s %s",
    async (...argv) => {
      const { exitCode, stdout, stderr } = await runFile(repositoryFile("scripts/bench.ts"), argv);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
      expect(stderr).toMatch(/^Usage: npm run bench/);
    },
  );
});
