import { describe, expect, it } from "vitest";
import { forcedResets } from "../../src/explain/history/resets.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { anEvent, aPod, observationOf, T0_MS } from "../support/builders.ts";

const IMAGE = "registry.example/web:1";

type Events = readonly ReturnType<typeof anEvent>[];

function resets(events: Events = [], nodeEvents: Events = []) {
  const [observed] = observationOf(aPod(), { atMs: T0_MS + 60 * MINUTE_MS, events, nodeEvents }).pods;
  if (observed === undefined) throw new Error("nothing observed");
  return forcedResets(observed, "app", IMAGE).map(({ kind, atMs }) => `${kind} ${(atMs - T0_MS) / MINUTE_MS}`);
}

const started = (name: string, firstM: number, lastM: number) =>
  anEvent({
    name,
    reason: "Started",
    type: "Normal",
    message: "Container started",
    firstAtMs: T0_MS + firstM * MINUTE_MS,
    lastAtMs: T0_MS + lastM * MINUTE_MS,
  });
const pulled = (name: string, image: string, firstM: number) =>
  anEvent({
    name,
    reason: "Pulled",
    type: "Normal",
    message: `Container image "${image}" already present`,
    firstAtMs: T0_MS + firstM * MINUTE_MS,
  });
const starting = (atM: number, message = "Starting kubelet.") =>
  anEvent({ reason: "Starting", type: "Normal", message, container: null, firstAtMs: T0_MS + atM * MINUTE_MS });

describe("forcedResets()", () => {
  it.each<{ why: string; events?: Events; nodeEvents?: Events; expected: string[] }>([
    {
      why: "finds a restart of the kubelet in the node's events",
      nodeEvents: [starting(20)],
      expected: ["kubelet-restart 20"],
    },
    { why: "ignores a restart of the kubelet from before the pod", nodeEvents: [starting(-5)], expected: [] },
    { why: "ignores a start of kube-proxy", nodeEvents: [starting(20, "")], expected: [] },
    {
      why: "infers a restart of the kubelet from a count of events that starts over",
      events: [started("web.1", 0, 10), started("web.2", 30, 40)],
      expected: ["events-anew 30"],
    },
    {
      why: "counts a restart once that both kinds of events show",
      events: [started("web.1", 0, 10), started("web.2", 30, 40)],
      nodeEvents: [starting(29.8)],
      expected: ["kubelet-restart 29.8"],
    },
    {
      why: "infers no restart from series of events that overlap in time",
      events: [started("web.1", 0, 40), started("web.2", 30, 41)],
      expected: [],
    },
    {
      why: "finds a change of the image",
      events: [pulled("web.1", "registry.example/web:0", 0), pulled("web.2", IMAGE, 9)],
      expected: ["image-change 9"],
    },
    { why: "finds no change if the image stays the same", events: [pulled("web.1", IMAGE, 0)], expected: [] },
  ])("$why", ({ events, nodeEvents, expected }) => {
    expect(resets(events, nodeEvents)).toEqual(expected);
  });
});
