import { describe, expect, it } from "vitest";
import type { Missing } from "../../src/explain/observed/observation.ts";
import { CRASH_LOOP, CREATING, told } from "../support/held-up.ts";

const TAKEN_BY_NONE = { ...CREATING, statuses: [], startedAtMs: null };
const UNTIL =
  "No kubelet starts the pod's containers until a node of that name joins; the pod garbage collector usually deletes the pod within 2m.";

function withoutNode(why: Missing["why"]) {
  return { node: null, missing: [{ what: "node", why }] } as const;
}

describe("the page of a pod whose node does not exist", () => {
  it.each([
    { pod: TAKEN_BY_NONE, why: "no kubelet has taken" },
    { pod: CREATING, why: "a kubelet was creating" },
  ])("says so of a pod that $why, and predicts no start", ({ pod }) => {
    expect(told(pod, withoutNode("not-found"))).toEqual({
      headline: ": app can't start: node node-a does not exist.",
      next: "",
      verdict: "start-failing",
      states: "starting",
      plan: ["Nothing until this is over: node node-a does not exist."],
      why: `Node node-a does not exist. ${UNTIL}`,
    });
  });

  it("says so instead of a restart in a crash loop", () => {
    const pod = { statuses: [CRASH_LOOP] };
    expect(told(pod, withoutNode("not-found")).next).toBe(`Node node-a does not exist. ${UNTIL}`);
  });

  it.each(["forbidden", "timeout", "unreachable", "not-asked", "not-in-input"] as const)(
    "says nothing of it if the node was not read: %s",
    (why) => {
      expect(told(CREATING, withoutNode(why))).toMatchObject({
        headline: ": app has not started yet, 25m after the pod was created.",
        verdict: "pending",
      });
    },
  );
});
