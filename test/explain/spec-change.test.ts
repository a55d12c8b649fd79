import { describe, expect, it } from "vitest";
import { aNode, anEvent, aStatus, T0_MS, terminated } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

const S = 1_000;
const at = (seconds: number) => T0_MS + seconds * S;

/**
 * Runs of 2 s on v1.31, recorded as such: the wait of 5m after the sixth restart ended after 54 s, because the image changed. The
 * kubelet sends no more events by then; the last that dates a start is of the fifth.
 */
function afterChange(generation: number) {
  const status = aStatus({
    lastState: terminated(at(364), at(366), { containerID: "containerd://a" }),
    state: terminated(at(420), at(422), { containerID: "containerd://b" }),
    containerID: "containerd://b",
    restartCount: 7,
  });
  const started = { name: "web.1", type: "Normal", reason: "Started", message: "Started container app" } as const;
  const events = [
    anEvent({ ...started, count: 5, firstAtMs: at(1), lastAtMs: at(100) }),
    anEvent({ name: "web.2", type: "Warning", reason: "BackOff", count: 23, firstAtMs: at(5), lastAtMs: at(303) }),
  ];
  const pod = { generation, createdAtMs: at(0), startedAtMs: at(0), statuses: [status] };
  return explainApp(pod, { atMs: at(423), events, node: aNode({ kubeletVersion: "v1.31.4" }), kubeletConfig: null });
}

describe("a wait that ends too early", () => {
  it("is put down to a change of the spec where the pod has had one: the back-off starts over", () => {
    const app = afterChange(2);
    expect(app.delayMs).toBe(10 * S);
    expect(app.evidence.map(({ rule }) => rule)).toContain("spec-change-fits-the-gap");
  });

  it("is put down to none where the pod is as it was created", () => {
    expect(afterChange(1).evidence.map(({ rule }) => rule)).not.toContain("spec-change-fits-the-gap");
  });
});
