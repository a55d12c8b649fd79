import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import type { ContainerStatus, TerminatedState } from "../../src/explain/observed/observation.ts";
import { aStatus, madeUpRecord, T0_MS } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

describe("an exit record that the kubelet made up", () => {
  it.each<{ why: string; status?: Partial<ContainerStatus>; exit?: Partial<TerminatedState>; hasRun: boolean }>([
    { why: "without a restart, a start and a containerID", hasRun: false },
    { why: "with a restart", status: { restartCount: 1 }, hasRun: true },
    { why: "with a containerID", status: { containerID: "containerd://0" }, hasRun: true },
    { why: "with a start", exit: { startedAtMs: T0_MS }, hasRun: true },
  ])("$why shows that the container has run: $hasRun", ({ status = {}, exit = {}, hasRun }) => {
    const unknown = {
      restartCount: 0,
      containerID: null,
      state: { ...madeUpRecord("ContainerStatusUnknown"), ...exit },
      ...status,
    };
    const { lastExit } = explainApp({ statuses: [aStatus(unknown)], phase: "Failed" }, { atMs: T0_MS });
    expect(textInUtc(lastExit?.meaning ?? "")).toBe(
      hasRun
        ? "How it ended is not recorded: the runtime no longer knew the container, and the kubelet made up the exit code 137."
        : "It may never have run: the runtime did not know the container, and the kubelet made up the exit code 137.",
    );
  });
});
