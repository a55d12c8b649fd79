import { describe, expect, it } from "vitest";
import type { ContainerExplanation, PodExplanation, Since, Workload } from "../../src/explain/answer/explanation.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { impactText, sinceText } from "../../src/render/pod/impact.ts";
import { atClock, container, DOWN, pod, runs } from "../support/explanations.ts";

const NOW_MS = atClock("13:40:00");

function failing(about: Partial<PodExplanation>, more: Partial<ContainerExplanation> = {}): PodExplanation {
  return pod([container({ ...DOWN, ...more })], { verdict: "crash-looping", ...about });
}

const SINCE: Since = {
  kind: "with",
  revision: 2,
  name: "web-2",
  comparedRevision: 1,
  atMs: atClock("13:36:00"),
  settings: [],
  isContainerNamed: false,
  isTelling: false,
  hasCrashed: true,
  isOtherImage: false,
  healthy: [],
};

describe("sinceText()", () => {
  const failingSince = { atMs: atClock("13:36:05"), basis: "observed" as const };

  it.each<{ why: string; about?: Partial<PodExplanation>; more?: Partial<ContainerExplanation>; says: string }>([
    { why: "the first failure", more: { failingSince }, says: "2026-11-21T13:36:05Z (3m ago)" },
    {
      why: "the first failure, soon after the pod was created",
      about: { createdAtMs: atClock("13:36:00") },
      more: { failingSince },
      says: "2026-11-21T13:36:05Z (3m ago), when the pod was created",
    },
    {
      why: "about when the first failure was, if that is inferred",
      more: { failingSince: { ...failingSince, basis: "inferred" } },
      says: "about 2026-11-21T13:36:05Z (3m ago)",
    },
    {
      why: "the latest time at which the failures can have begun",
      more: { failingSince: { ...failingSince, basis: "inferred", isUpperBound: true } },
      says: "before 2026-11-21T13:36:05Z (more than 3m ago)",
    },
    {
      why: "the revision, which has a time of its own",
      about: { since: SINCE },
      more: { failingSince },
      says: "2026-11-21T13:36:00Z (4m ago), with revision 2; revision 1 does not crash",
    },
    {
      why: "the first failure, and that the revision is not the cause",
      about: { since: { ...SINCE, kind: "earlier" } },
      more: { failingSince },
      says: "2026-11-21T13:36:05Z (3m ago), before revision 2: pods of revision 1 crash too",
    },
    {
      why: "the first failure beside healthy pods of the same revision",
      about: { since: { ...SINCE, kind: "healthy-peers", healthy: ["web-1"] } },
      more: { failingSince },
      says: "2026-11-21T13:36:05Z (3m ago)",
    },
    {
      why: "empty for a pod that is over",
      about: { verdict: "failed", phase: "Failed" },
      more: { failingSince },
      says: "",
    },
    { why: "empty if the first failure is unknown", says: "" },
  ])("is $why", ({ about = {}, more, says }) => {
    expect(textInUtc(sinceText(failing(about, more), NOW_MS, "all"))).toBe(says);
  });
});

describe("impactText()", () => {
  const workload: Workload = {
    kind: "Deployment",
    name: "web",
    ready: 0,
    replicas: 3,
    unavailableSinceMs: null,
    rolloutStuckSinceMs: atClock("13:39:00"),
    cannotCreate: null,
  };
  const availability = { sinceMs: atClock("13:36:05"), downMs: 200_000, share: 0.855, basis: "observed" as const };

  it.each<{ why: string; about: Partial<PodExplanation>; says: string }>([
    {
      why: "the workload and the share of time down, without its beginning, which Since has",
      about: { workload, availability, since: SINCE },
      says: "0 of 3 ready; rollout stuck since 2026-11-21T13:39:00Z; down 86% of the time",
    },
    {
      why: "when the Deployment became unavailable, at about the first failure",
      about: {
        workload: { ...workload, unavailableSinceMs: atClock("13:36:10"), rolloutStuckSinceMs: null },
        availability,
      },
      says: "0 of 3 ready; unavailable since 2026-11-21T13:36:10Z; down 86% of the time",
    },
    {
      why: "no share of a time of a few seconds",
      about: { availability: { ...availability, sinceMs: atClock("13:39:50"), share: 1 } },
      says: "",
    },
    {
      why: "the beginning of the time down if it is not that of the revision",
      about: { availability: { ...availability, basis: "inferred" }, since: { ...SINCE, atMs: atClock("13:20:00") } },
      says: "down about 86% of the time since 2026-11-21T13:36:05Z",
    },
    {
      why: "the workload of a pod that runs and is not Ready",
      about: { workload, verdict: "running", containers: [container({ state: "running", isReady: false })] },
      says: "0 of 3 ready; rollout stuck since 2026-11-21T13:39:00Z",
    },
    {
      why: "no beginning of the time down for a pod with healthy peers, because Since has its first failure",
      about: { availability, since: { ...SINCE, kind: "healthy-peers", atMs: atClock("13:20:00") } },
      says: "down 86% of the time",
    },
    {
      why: "that the share is that of a failing pod, if other pods are up",
      about: { workload: { ...workload, ready: 2, rolloutStuckSinceMs: null }, availability, since: SINCE },
      says: "2 of 3 ready; a failing pod is down 86% of the time",
    },
    { why: "nothing for a pod that is over", about: { workload, availability, verdict: "completed" }, says: "" },
  ])("has $why", ({ about, says }) => {
    expect(textInUtc(impactText(failing(about), NOW_MS))).toBe(says);
  });

  it("has the restarts of a long crash loop and its length, and neither for a short one", () => {
    const history = runs(0, ["12:39:55", "12:40:05"], ["12:50:00", "12:50:05"], ["13:10:00", "13:10:05"]);
    const pace = (sinceMs: number) =>
      textInUtc(impactText(failing({ availability: { ...availability, sinceMs } }, { history }), NOW_MS));
    expect(pace(atClock("12:39:55"))).toBe("down 86% of the time; 2 restarts in 60m");
    expect(pace(atClock("13:10:01"))).toBe("down 86% of the time");
  });
});
