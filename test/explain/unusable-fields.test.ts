import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { anEvent, aPod, aStatus, observationOf, T0_MS } from "../support/builders.ts";

const gapOf = (unusable: readonly string[], events: readonly string[] = []) => {
  const seen = events.map((path) => ({ ...anEvent({ name: "web.1" }), unusable: [path] }));
  const pod = aPod({ statuses: [aStatus()], ...(unusable.length > 0 && { unusable }) });
  const [explained] = explain(observationOf(pod, { atMs: T0_MS, events: seen }), {}).pods;
  return explained?.gaps.find(({ code }) => code === "invalid-fields")?.message;
};

describe("the gap invalid-fields", () => {
  it("is absent if all fields are valid", () => {
    expect(gapOf([])).toBeUndefined();
  });

  it("names the fields of the pod, and those of other objects with the object", () => {
    expect(gapOf(["status.phase"], ["lastTimestamp"])).toBe(
      "Ignored invalid fields of pod web: status.phase, event web.1 lastTimestamp.",
    );
  });

  it("names five fields at most, each once, and cuts long names", () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `status.conditions[${index}].status`);
    expect(gapOf([...many, ...many])).toMatch(/\[4\]\.status and 995 more\.$/);
    const long = gapOf(["x".repeat(10_000), `${"😀".repeat(5_000)}`]);
    expect(long?.length).toBeLessThan(350);
    expect(long?.isWellFormed()).toBe(true);
  });
});
