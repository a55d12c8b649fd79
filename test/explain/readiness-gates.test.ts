import { describe, expect, it } from "vitest";
import type { PodSnapshot } from "../../src/explain/observed/observation.ts";
import { FINE, isFine, severityOf } from "../../src/explain/triage.ts";
import { answerOf, summaryOf } from "../../src/render/page/answer.ts";
import { aPod, T0_MS } from "../support/builders.ts";
import { explainPod } from "../support/explain-pod.ts";
import { condition } from "../support/owners.ts";
import { PAGE } from "../support/page.ts";

const LB = "example.com/lb";
const absent = (gate: string) => `corresponding condition of pod readiness gate "${gate}" does not exist.`;
const notTrue = (gate: string) => `the status of pod readiness gate "${gate}" is not "True", but False`;

function held(message: string | null, ...others: PodSnapshot["conditions"]): Pick<PodSnapshot, "conditions"> {
  return { conditions: [{ ...condition("Ready", "False"), reason: "ReadinessGatesNotReady", message }, ...others] };
}

describe("a pod that only readiness gates keep from Ready", () => {
  it.each<{ why: string; pod: Pick<PodSnapshot, "conditions">; says: string }>([
    {
      why: "a gate without a condition",
      pod: held(absent(LB)),
      says: `its readiness gate ${LB} has no condition yet`,
    },
    {
      why: "two gates without conditions",
      pod: held(`${absent("a")}, ${absent("b")}`),
      says: "its readiness gates a and b have no condition yet",
    },
    {
      why: "a condition that is not True, and its reason",
      pod: held(notTrue(LB), { ...condition(LB, "False"), reason: "Unhealthy", message: "Health checks failed." }),
      says: `its readiness gate ${LB} is False (Unhealthy: Health checks failed)`,
    },
    {
      why: "a gate without a condition, and a condition that is not True",
      pod: held(`${absent("a")}, ${notTrue("b")}`, { ...condition("b", "Unknown"), reason: null, message: null }),
      says: "its readiness gate a has no condition yet; its readiness gate b is Unknown",
    },
    {
      why: "a condition with an unusual message",
      pod: held("later."),
      says: "its readiness gates are not true: later",
    },
    { why: "a condition without a message", pod: held(null), says: "its readiness gates are not true" },
  ])("names the readiness gates: $why", ({ pod, says }) => {
    const explained = explainPod(pod, { atMs: T0_MS + 60_000 });
    expect(answerOf(explained, PAGE).headline).toBe(`default/web: app is running; the pod isn't Ready: ${says}.`);
    expect(summaryOf(explained, PAGE)).toContain(says);
  });

  it("is not fine", () => {
    const explained = explainPod(held(absent(LB)), { atMs: T0_MS + 60_000 });
    expect(isFine(explained)).toBe(false);
    expect(severityOf(aPod(held(absent(LB))), T0_MS + 60_000)).not.toBe(FINE);
  });

  it("is not called unready once the pod has ended", () => {
    const explained = explainPod({ ...held(absent(LB)), deletionAtMs: T0_MS }, { atMs: T0_MS + 60_000 });
    expect(answerOf(explained, PAGE).headline).not.toContain("Ready");
  });
});
