import { describe, expect, it } from "vitest";
import { formatElapsed } from "../../src/render/page/durations.ts";
import { simulate } from "../../src/simulate/simulate.ts";
import { rowsOf } from "../support/text-table.ts";
import { exits, kills, planOf, policyOf } from "./plans.ts";
import { type StatusChange, statusChanges } from "./status-changes.ts";

/**
 * What `kubectl get pod -w` printed in an experiment on a kubelet v1.19.3, by the pod's age. The process ignored
 * SIGTERM for its grace period of 30 s, and its liveness probe always failed (initialDelaySeconds 3, periodSeconds 3,
 * failureThreshold 3), so its runs took about 42 s.
 */
const OBSERVED = `
  age    status            restarts
  84s    Running           2
  2m7s   Running           3
  2m48s  Running           4
  3m30s  Running           5
  4m12s  CrashLoopBackOff  5
  5m36s  Running           6
  6m18s  CrashLoopBackOff  6
  9m6s   Running           7
  9m45s  CrashLoopBackOff  7
  14m    Running           8
  15m    Running           9
  16m    CrashLoopBackOff  9
  21m    Running           10
  22m    Running           11
  22m    CrashLoopBackOff  11
  27m    Running           12
  28m    Running           13
  29m    CrashLoopBackOff  13
`;

const lines = rowsOf<"age" | "status" | "restarts">(OBSERVED).map((row) => ({
  ...row,
  restarts: Number(row.restarts),
}));

/** The run after the seventh restart took 39 s in the experiment: from 9m6s to 9m45s. */
const RUNS = kills(42, 42, 42, 42, 42, 42, 42, 39, 42);

function watched(seed?: number): StatusChange[] {
  const { starts } = simulate(planOf(policyOf("v1.19.3"), RUNS, seed), { restarts: 13 });
  return statusChanges(starts).slice(2);
}

/** Allows for the start of a container and the print of a line. */
const TOLERANCE_MS = 2_000;

/** Below two minutes in seconds, see `HumanDuration` (k8s.io/apimachinery v0.37.1, pkg/util/duration/duration.go). */
function ageOf(ms: number): string {
  return ms < 120_000 ? `${Math.floor(ms / 1_000)}s` : formatElapsed(ms);
}

function prints({ atMs }: StatusChange, age: string): boolean {
  for (let ms = atMs - TOLERANCE_MS; ms <= atMs + TOLERANCE_MS; ms += 500) if (ageOf(ms) === age) return true;
  return false;
}

describe("the liveness experiment on v1.19", () => {
  it("goes through the observed statuses and restarts, and no others", () => {
    const changes = watched().map(({ status, restarts }) => ({ status, restarts }));
    expect(changes).toEqual(lines.map(({ status, restarts }) => ({ status, restarts })));
  });

  it("is in its second run at 58s, as the experiment first observed", () => {
    const { starts } = simulate(planOf(policyOf("v1.19.3"), RUNS), { restarts: 13 });
    const seen = statusChanges(starts).findLast(({ atMs }) => atMs <= 58_000);
    expect(seen).toMatchObject({ status: "Running", restarts: 1 });
  });

  it("gives every observed line in at least one of 400 simulations with random syncs", () => {
    const draws = Array.from({ length: 400 }, (_, seed) => watched(seed));
    const fitting = draws.filter((draw) => draw.every((change, index) => prints(change, lines[index]?.age ?? "")));
    expect(fitting.length).toBeGreaterThan(0);
  });
});

describe("a container that crashes after runs of 10 s (KEP-4603)", () => {
  it.each(["v1.19.3", "v1.34.4", "v1.37.1"])("restarts 5 times in 5 minutes and 10 times in 30 on %s", (version) => {
    const { figures } = simulate(planOf(policyOf(version), exits(10)), { forMs: 1_800_000 });
    expect(figures.restartsWithin.slice(0, 2).map(({ restarts }) => restarts)).toEqual([5, 10]);
    expect(figures.restarts).toBe(10);
  });

  it("restarts 5 times in 5 minutes and 9 to 11 times in 30 on v1.37.1, in each of 100 simulations with random syncs", () => {
    for (let seed = 0; seed < 100; seed++) {
      const { figures } = simulate(planOf(policyOf("v1.37.1"), exits(10), seed), { forMs: 1_800_000 });
      expect(figures.restartsWithin[0]?.restarts).toBe(5);
      expect([9, 10, 11]).toContain(figures.restarts);
    }
  });
});
