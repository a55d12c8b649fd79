import { describe, expect, it } from "vitest";
import { explain } from "../../../src/explain/explain.ts";
import type { AtBasis, PodObservation, PodSnapshot } from "../../../src/explain/observed/observation.ts";
import { type CurrentWait, currentWait } from "../../../src/explain/replay/current-wait.ts";
import { amongRivals, type RivalPolicy } from "../../../src/explain/replay/inferred-policy.ts";
import { replayedContainer } from "../../../src/explain/replay/replayed-container.ts";
import { crashLoopPolicy } from "../../../src/kubelet/crash-loop-policy.ts";
import {
  aContainer,
  aNode,
  anEvent,
  aPod,
  aProbe,
  aStatus,
  observationOf,
  terminated,
} from "../../support/builders.ts";
import { at, explainApp, explainPod, runsIn, statusOf } from "../../support/explain-pod.ts";

const UNREAD = { node: null, kubeletConfig: null };

describe("the curve in force without the kubelet's configuration", () => {
  const ready = { type: "Ready", status: "True", reason: "KubeletReady", message: null } as const;
  const readySince = aNode({ conditions: [{ ...ready, lastTransitionAtMs: at(2_903) }] });
  it.each([
    { node: aNode(), exit: {}, maxS: 5, why: "a wait of 6 s after many restarts fits a maximum of 5 s" },
    {
      node: aNode(),
      exit: { exitCode: 255, reason: "Unknown" },
      maxS: 300,
      why: "a gap across a stop of the node is no wait",
    },
    { node: readySince, exit: {}, maxS: 300, why: "a gap while the node was not ready is no wait" },
    {
      node: aNode({ kubeletVersion: "v1.31.4" }),
      exit: {},
      maxS: 300,
      why: "kubelet v1.31 has no configurable maximum",
    },
  ])("ends at $maxS s: $why", ({ node, exit, maxS }) => {
    const statuses = [statusOf({ runs: runsIn("2873-2900 2906-"), restarts: 12, exit })];
    const { policy } = explainPod({ statuses }, { atMs: at(2_907), node, kubeletConfig: null });
    expect(policy).toMatchObject({ maxMs: maxS * 1_000, isInferred: maxS !== 300 });
  });
});

describe("amongRivals()", () => {
  const [observed] = observationOf(aPod({ statuses: [statusOf({ runs: [[395, 400]], restarts: 5 })] })).pods;
  const waitUnder = (maxContainerRestartPeriodMs: number | null) => {
    const known = { version: { major: 1, minor: 37 }, featureGates: {}, syncFrequencyMs: null };
    const policy = crashLoopPolicy({ ...known, maxContainerRestartPeriodMs });
    const facts = observed === undefined ? [] : [replayedContainer(aContainer(), observed, policy)];
    return { policy, facts, wait: facts[0] === undefined ? null : currentWait(facts[0], policy, at(410)) };
  };
  const own = waitUnder(null).wait as CurrentWait;
  const rival = (maxS: number, share: number): RivalPolicy => ({ ...waitUnder(maxS * 1_000), share });
  const sharesOf = (current: CurrentWait) =>
    current.byDelay
      .filter((one) => one.share > 0.05)
      .map((one) => `${one.wait.delayMs / 1_000}s ${Math.round(one.share * 20) * 5}%`);

  it.each([
    { rivals: [], shares: "160s 90%", why: "no other policy is possible" },
    {
      rivals: [rival(60, 0.2), rival(90, 0.1)],
      shares: "160s 65%, 60s 20%, 90s 10%",
      why: "the delays of other possible policies are possible, too",
    },
    { rivals: [rival(60, 0.4)], shares: "160s 55%, 60s 40%", why: "a delay is as likely as its policy" },
    {
      rivals: [rival(200, 0.4)],
      shares: "160s 95%",
      why: "another policy that gives the same delay makes the delay more likely",
    },
  ])("gives the delays $shares: $why", ({ rivals, shares }) => {
    expect(sharesOf(amongRivals(own, "app", rivals, at(410))).join(", ")).toEqual(shares);
  });

  it("does not change a delay that the kubelet has named", () => {
    const named: CurrentWait = { ...own, basis: "observed" };
    expect(amongRivals(named, "app", [rival(60, 0.4)], at(410))).toBe(named);
  });
});

describe("the kubelet's version without its node", () => {
  const ended = { runs: runsIn("595-600"), restarts: 5 };
  const error = { statuses: [statusOf(ended)] };
  const word = { statuses: [statusOf({ ...ended, delay: "1m20s" })] };
  const killed = { ...word, containers: [aContainer({ livenessProbe: aProbe() })] };
  const short = { statuses: [statusOf({ ...ended, restarts: 7 })] };
  const up = { statuses: [statusOf({ ...ended, runs: runsIn("595-600 600-") })] };
  const often = { events: [anEvent({ count: 6, firstAtMs: at(535), lastAtMs: at(600) })] };
  const NEWEST = "assuming the newest known kubelet";
  const EITHER = `${NEWEST}, with windows wide enough for v1.34 and older`;
  const FREQUENT = "BackOff events are too frequent for a newer kubelet, so v1.34 or older is assumed";
  const EARLY = "a newer kubelet would not show CrashLoopBackOff yet, so v1.34 or older is assumed";
  const LATE = "v1.34 or older would show CrashLoopBackOff by now, so a newer kubelet is assumed";

  function assumed(pod: Partial<PodSnapshot>, afterS: number, seen: Partial<PodObservation> = {}, atBasis?: AtBasis) {
    const missing = [{ what: "node", why: "forbidden" }] as const;
    const basis = { atBasis: atBasis ?? "server-clock" };
    const { policy, gaps } = explainPod(pod, { atMs: at(600 + afterS), ...UNREAD, missing, ...seen, ...basis });
    const said = gaps.find(({ code }) => code === "node-forbidden")?.message;
    return { retry: policy.retry, says: said?.replace("No permission to read the node (get nodes); ", "") };
  }

  it.each<{
    pod: Partial<PodSnapshot>;
    afterS: number;
    seen?: Partial<PodObservation>;
    atBasis?: AtBasis;
    says: string;
    why: string;
  }>([
    { pod: error, afterS: 2, says: EITHER, why: "no kubelet has synced again yet" },
    { pod: word, afterS: 20, says: EARLY, why: "a newer kubelet shows CrashLoopBackOff after 60 s of a wait of 80 s" },
    { pod: word, afterS: 65, says: EITHER, why: "a kubelet of any version has synced by then" },
    { pod: error, afterS: 25, says: LATE, why: "v1.34 or older shows CrashLoopBackOff after 10 to 15 s" },
    { pod: error, afterS: 9, seen: often, says: FREQUENT, why: "six BackOff events came within 65 s" },
    {
      pod: up,
      afterS: 9,
      seen: often,
      says: FREQUENT,
      why: "six BackOff events came within 65 s, and the container runs",
    },
    {
      pod: short,
      afterS: 2,
      seen: often,
      says: EITHER,
      why: "six events about seven waits are not retries of one wait",
    },
    { pod: killed, afterS: 20, says: EITHER, why: "after a probe kill any kubelet shows CrashLoopBackOff immediately" },
    { pod: word, afterS: 20, atBasis: "newest-input", says: EITHER, why: "the newest timestamp of a file is not now" },
    {
      pod: error,
      afterS: 25,
      atBasis: "newest-input",
      says: EITHER,
      why: "the newest timestamp of a file does not make CrashLoopBackOff late",
    },
    {
      pod: { ...error, restartPolicy: "Never" },
      afterS: 25,
      says: NEWEST,
      why: "a container that stays down shows nothing",
    },
    { pod: {}, afterS: 9, says: NEWEST, why: "a container that has never exited shows nothing" },
  ])("after $afterS s: $says, because $why", ({ pod, afterS, seen, atBasis, says }) => {
    const isOld = says === EARLY || says === FREQUENT;
    expect(assumed(pod, afterS, seen, atBasis)).toEqual({ retry: isOld ? "every-10s" : "at-expiry", says: `${says}.` });
  });

  it("is not a version that was released after the observation", () => {
    const missing = [{ what: "node", why: "forbidden" }] as const;
    const atMs = Date.UTC(2021, 6, 8, 11);
    const statuses = [aStatus({ restartCount: 3, state: terminated(atMs - 9_000, atMs - 5_000) })];
    const createdAtMs = atMs - 600_000;
    const { policy, gaps } = explainPod(
      { statuses, createdAtMs, startedAtMs: createdAtMs },
      { atMs, ...UNREAD, missing },
    );
    expect(policy.retry).toBe("every-10s");
    expect(gaps[0]?.message).toMatch(/; v1\.35 was not released yet, so v1\.34 or older is assumed\.$/);
  });

  it("is the version that the user gives", () => {
    const missing = [{ what: "node", why: "forbidden" }] as const;
    const observation = observationOf(aPod(error), { atMs: at(625), ...UNREAD, missing });
    const [pod] = explain(observation, { kubeletVersion: "v1.33.2" }).pods;
    expect(pod?.gaps[0]?.message).toBe("No permission to read the node (get nodes); assuming kubelet v1.33.2.");
  });

  it("gives windows that end between the windows of a kubelet that syncs late and of a kubelet that syncs early", () => {
    const [open, elder, newest] = [null, aNode({ kubeletVersion: "v1.34.4" }), aNode()].map((node) => {
      const statuses = [statusOf({ ...ended, restarts: 4 })];
      return explainApp({ statuses }, { atMs: at(602), node, kubeletConfig: null }).nextRestart;
    });
    expect(elder?.likelyByMs).toBeGreaterThan(newest?.likelyByMs ?? Number.POSITIVE_INFINITY);
    expect(open?.likelyByMs).toBeGreaterThan(newest?.likelyByMs ?? Number.POSITIVE_INFINITY);
    expect(open?.likelyByMs).toBeLessThan(elder?.likelyByMs ?? 0);
  });
});
