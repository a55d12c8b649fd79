import { describe, expect, it } from "vitest";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { distinctGaps } from "../../src/explain/words/gaps.ts";
import { aStatus } from "../support/builders.ts";
import { at, explainPod } from "../support/explain-pod.ts";

const NOT_ASKED = (["node", "node-events", "node-config"] as const).map(
  (what) => ({ what, why: "not-asked" }) as const,
);
const UNSCHEDULED = { phase: "Pending", nodeName: null, statuses: [] };

describe("distinctGaps()", () => {
  const node = (message: string) => ({
    code: "node-forbidden",
    message: `No permission to read the node; ${message}.`,
  });
  const invalid = (pod: string) => ({ code: "invalid-fields", message: `Ignored invalid fields of pod ${pod}.` });

  it("names an unread object once, with the longest of its messages", () => {
    const gaps = [
      node("assuming the newest"),
      node("assuming the newest, with wide windows"),
      node("assuming the newest"),
    ];
    expect(distinctGaps(gaps)).toEqual([gaps[1]]);
  });

  it("keeps different gaps of one code, and leaves out the kubelet configuration that was not requested", () => {
    const notReady = ["a", "b"].map((name) => ({ code: "node-not-ready", message: `Node ${name} is NotReady.` }));
    const gaps = [...notReady, invalid("a"), invalid("b"), invalid("a")];
    const notAsked = { code: "node-config-not-asked", message: "x" };
    expect(distinctGaps([...gaps, notAsked])).toEqual(gaps.slice(0, 4));
  });
});

describe("the gaps of an explanation", () => {
  it.each<{ why: string; pod?: Partial<PodSnapshot>; missing: PodObservation["missing"]; says: string[] }>([
    { why: "have none about a node that was not meant to be read", missing: NOT_ASKED, says: [] },
    {
      why: "have one about the configuration alone if only that was not requested",
      missing: [{ what: "node-config", why: "not-asked" }],
      says: ["Did not read the kubelet's configuration; assuming the v1.37.1 defaults."],
    },
    {
      why: "do not mention restarts for a pod without a node",
      pod: UNSCHEDULED,
      missing: [{ what: "events", why: "forbidden" }],
      says: ["No permission to read the pod's events (list events); only its status says why it is not scheduled."],
    },
  ])("$why", ({ pod = { statuses: [aStatus()] }, missing, says }) => {
    const { gaps } = explainPod(pod, { atMs: at(600), missing });
    expect(gaps.map(({ message }) => message)).toEqual(says);
  });

  it("give a time far before the state of the pod in its largest unit", () => {
    const { gaps } = explainPod({ statuses: [aStatus()] }, { atMs: at(-9 * 365 * 86_400) });
    expect(gaps.map(({ message }) => message)).toEqual([
      "--at is 3285d before the newest state of the pod that was read; its state then is unknown, so the newest one is used.",
    ]);
  });
});
