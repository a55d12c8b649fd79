import { describe, expect, it } from "vitest";
import { podTemplateIn } from "../../src/cluster/objects/pod-template.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { sinceInWords } from "../../src/explain/answer/since.ts";
import type {
  ConfigObservation,
  ConfigSnapshot,
  OwnedPod,
  OwnersObservation,
} from "../../src/explain/observed/observation.ts";
import { explainWithOwners } from "../../src/explain/owners/owner-explanation.ts";
import { HOUR_MS } from "../../src/kubelet/go-duration.ts";
import { aPod, aStatus, observationOf, running, S, T0_MS, terminated, waiting } from "../support/builders.ts";
import { anOwnedPod, aRevision, aTemplate, condition } from "../support/owners.ts";

const ENDED = terminated(T0_MS + 60 * S, T0_MS + 65 * S);
const DOWN = aStatus({ restartCount: 1, state: waiting("CrashLoopBackOff"), lastState: ENDED });
const CONFIG = { kind: "ConfigMap", name: "cart-config" } as const;

function changesOf(config: Partial<ConfigObservation>, owners?: Partial<OwnersObservation>) {
  const known = { sources: [], events: [], others: [], ...config };
  const owned = { chain: [], workload: null, revisions: [], pods: [], missing: [], ...owners };
  const observation = observationOf(aPod({ statuses: [DOWN] }), {
    ...{ atMs: T0_MS + 70 * S, config: known },
    ...(owners !== undefined && { owners: owned }),
  });
  return explainWithOwners(observation, {}).pods[0];
}

function written(atS: number | null, more: Partial<ConfigSnapshot> = {}): ConfigSnapshot {
  const lastWrite = atS === null ? null : { by: "kubectl-patch", atMs: T0_MS + atS * S };
  return { ...CONFIG, createdAtMs: T0_MS - 90 * HOUR_MS, version: null, lastWrite, ...more };
}

const dated = (...pairs: (readonly [number, number])[]) =>
  pairs.map(([version, atS]) => ({ version, atMs: T0_MS + atS * S }));

const COMPARABLE = { events: dated([2598, 30], [2611, 50]), others: dated([2600, 40]) };

describe("the changes before the failures", () => {
  it("name a ConfigMap that does not exist, although no container needs to start yet", () => {
    const [change] = changesOf({ sources: [{ ...written(null), createdAtMs: null, isAbsent: true }] })?.changes ?? [];
    expect(change).toMatchObject({ kind: "configmap", name: "cart-config", betweenMs: null });
    expect(textInUtc(change?.sentence ?? "")).toBe(
      "configmap/cart-config does not exist: containers that read it will not start again",
    );
  });

  it("do not name a write in the middle of the crash loop, although the API has no exit before it", () => {
    const exit = terminated(T0_MS + 335 * S, T0_MS + 340 * S);
    const down = aStatus({ restartCount: 5, state: waiting("CrashLoopBackOff"), lastState: exit });
    const config = { sources: [written(200)], events: [], others: [] };
    const observation = observationOf(aPod({ statuses: [down] }), { atMs: T0_MS + 350 * S, config });
    expect(explainWithOwners(observation, {}).pods[0]).not.toHaveProperty("changes");
  });

  it.each([
    { writtenS: 10_700, notReadyS: 10_800, isNamed: true, why: "it came shortly before the pod became NotReady" },
    { writtenS: 10_900, notReadyS: 10_800, isNamed: false, why: "the pod was NotReady before it" },
    { writtenS: -60, notReadyS: 10_800, isNamed: false, why: "the pod was Ready for hours after it" },
    { writtenS: 20, notReadyS: 1, isNamed: true, why: "the pod has never been Ready, and its container started later" },
  ])("name a write before a running pod became NotReady: $isNamed, because $why", (row) => {
    const isUnready = condition("Ready", "False", { lastTransitionAtMs: T0_MS + row.notReadyS * S });
    const status = aStatus({ state: running(T0_MS + 30 * S), ready: false });
    const config = { sources: [written(row.writtenS)], events: [], others: [] };
    const pod = aPod({ statuses: [status], conditions: [isUnready] });
    const [explained] = explainWithOwners(observationOf(pod, { atMs: T0_MS + 11_000 * S, config }), {}).pods;
    expect(explained?.changes?.map(({ name }) => name) ?? []).toEqual(row.isNamed ? [CONFIG.name] : []);
  });

  it.each([
    {
      why: "a write shortly before the first exit",
      config: { sources: [written(57)] },
      says: "configmap/cart-config was written at 2026-11-21T12:00:57Z (kubectl-patch)",
    },
    {
      why: "a new object",
      config: { sources: [written(57, { createdAtMs: T0_MS + 57 * S })] },
      says: "configmap/cart-config was created at 2026-11-21T12:00:57Z (kubectl-patch)",
    },
    { why: "no write from after the first exit", config: { sources: [written(66)] }, says: undefined },
    { why: "no write from two hours before the pod", config: { sources: [written(-7200)] }, says: undefined },
    { why: "no object whose times are unknown", config: { sources: [written(null)] }, says: undefined },
    {
      why: "an inferred time, if the resourceVersion contradicts an old time",
      config: { sources: [written(-7200, { version: 2603 })], ...COMPARABLE },
      says: "configmap/cart-config was written between 2026-11-21T12:00:30Z and 2026-11-21T12:00:50Z (inferred)",
    },
    {
      why: "a time that fits the resourceVersion",
      config: { sources: [written(45, { version: 2603 })], ...COMPARABLE },
      says: "configmap/cart-config was written at 2026-11-21T12:00:45Z (kubectl-patch)",
    },
    {
      why: "an inferred time that no event bounds which reached the API server late",
      config: {
        sources: [written(-7200, { version: 2603 })],
        events: dated([2598, 30], [2605, 20], [2611, 50]),
        others: dated([2612, 60]),
      },
      says: "configmap/cart-config was written between 2026-11-21T12:00:30Z and 2026-11-21T12:00:50Z (inferred)",
    },
    {
      why: "no write that only versions of another etcd would date",
      config: { sources: [written(null, { version: 2603 })], ...COMPARABLE, others: dated([9000, 40]) },
      says: undefined,
    },
  ])("include $why", ({ config, says }) => {
    expect(changesOf(config)?.changes?.map(({ sentence }) => textInUtc(sentence))).toEqual(
      says === undefined ? undefined : [says],
    );
  });

  const restartedAt = { annotations: { "kubectl.kubernetes.io/restartedAt": "2026-11-21T12:01:00Z" } };
  const RESTARTED: Partial<OwnersObservation> = {
    revisions: [
      aRevision(2, "web:1", { createdAtMs: T0_MS + 60 * S, template: aTemplate({}, restartedAt) }),
      aRevision(1, "web:1", { createdAtMs: T0_MS - 30 * HOUR_MS, template: aTemplate({}) }),
    ],
    pods: [
      anOwnedPod("web", { revision: "rev-2" }),
      anOwnedPod("old", { revision: "rev-1", restarts: 0, isReady: true, readySinceMs: T0_MS - HOUR_MS }),
    ],
  };

  it("include a write before a restart of the Deployment, and lead to reading the ConfigMap instead of an undo", () => {
    const pod = changesOf({ sources: [written(57)] }, RESTARTED);
    expect(pod?.changes?.map(({ kind, basis, by }) => ({ kind, basis, by }))).toEqual([
      { kind: "configmap", basis: "observed", by: "kubectl-patch" },
      { kind: "revision", basis: "observed", by: null },
    ]);
    expect(textInUtc(pod?.changes?.[0]?.sentence ?? "")).toBe(
      "configmap/cart-config was written at 2026-11-21T12:00:57Z (kubectl-patch), 3s before revision 2; new pods of revision 1 would get it, too",
    );
    const steps = pod?.nextSteps ?? [];
    expect(steps.map(({ what }) => what)).toContain("see what is in it");
    expect(steps.filter(({ command }) => command.includes("undo"))).toEqual([]);
    expect(pod?.ownerEvidence?.map(({ rule }) => rule)).not.toContain("crashes-since-revision");
  });

  describe("beside healthy pods of the previous revision", () => {
    const volumes = [{ name: "v", configMap: { name: CONFIG.name } }];
    const inVolume = podTemplateIn({ metadata: {}, spec: { containers: [{ name: "app", image: "web:1" }], volumes } });
    const envFrom = [{ configMapRef: { name: CONFIG.name } }];
    const changed = (writtenS: number, template = inVolume, old: Partial<OwnedPod> = {}) => {
      const createdAtMs = T0_MS - 1000 * S;
      const since = { restarts: 0, isReady: true, createdAtMs, readySinceMs: createdAtMs + 2 * S };
      const owners = {
        revisions: [
          aRevision(2, "web:2", { createdAtMs: T0_MS + 60 * S }),
          aRevision(1, "web:1", { createdAtMs, template }),
        ],
        pods: [anOwnedPod("web", { revision: "rev-2" }), anOwnedPod("old", { revision: "rev-1", ...since, ...old })],
      };
      return (changesOf({ sources: [written(writtenS)] }, owners)?.changes ?? []).map(({ kind }) => kind);
    };

    it.each([
      ["in a volume", inVolume],
      ["in all its variables", aTemplate({ envFrom })],
      ["in one variable", aTemplate({ env: [{ name: "A", valueFrom: { configMapKeyRef: { ...CONFIG, key: "a" } } }] })],
    ])("leave out a write that the healthy pods have read: %s", (_, template) => {
      expect(changed(-1000, template)).toEqual(["revision"]);
    });

    it.each([
      ["came after the start of the healthy pods", changed(-900)],
      ["is of an object that the healthy pods do not read", changed(-1000, aTemplate({}))],
      ["the healthy pods had read for only a short time", changed(-1000, undefined, { readySinceMs: T0_MS })],
    ])("name a write that %s", (_, kinds) => {
      expect(kinds).toEqual(["configmap", "revision"]);
    });
  });

  it("do not count healthy pods that started before the write as evidence", () => {
    const pods = [
      anOwnedPod("web", { revision: "rev-1" }),
      anOwnedPod("peer", { revision: "rev-1", restarts: 0, isReady: true, readySinceMs: T0_MS - HOUR_MS }),
    ];
    const only = { revisions: [aRevision(1, "web:1", { createdAtMs: T0_MS - 30 * HOUR_MS })], pods };
    expect(changesOf({}, only)?.since?.kind).toBe("healthy-peers");
    expect(changesOf({ sources: [written(57)] }, only)?.since).toBeNull();
  });

  it("do not count healthy pods that may have started before one of two writes as evidence", () => {
    const peer = { revision: "rev-1", restarts: 0, isReady: true, readySinceMs: T0_MS - 400 * S };
    const pods = [anOwnedPod("web", { revision: "rev-1" }), anOwnedPod("peer", peer)];
    const only = { revisions: [aRevision(1, "web:1", { createdAtMs: T0_MS - 30 * HOUR_MS })], pods };
    const other = written(-500, { name: "other-config" });
    const inferred = written(-7200, { version: 2603 });
    const known = { events: dated([2598, -600], [2611, -300]), others: dated([2600, -450]) };
    expect(changesOf({ sources: [other], ...known }, only)?.since?.kind).toBe("healthy-peers");
    expect(changesOf({ sources: [other, inferred], ...known }, only)?.since).toBeNull();
  });
});

describe("one tag with two digests", () => {
  const digest = (letter: string) => `docker.io/library/app@sha256:${letter.repeat(64)}`;
  const ran = (name: string, letter: string, more: object = {}) =>
    anOwnedPod(name, {
      revision: "rev-1",
      images: [{ container: "app", image: "app:1.4", imageID: digest(letter) }],
      ...more,
    });
  const FINE = { restarts: 0, isReady: true };

  it.each([
    {
      why: "the healthy pods run another image",
      pods: [ran("web", "a"), ran("old", "b", FINE), ran("older", "b", FINE)],
      says: "the crashing pod runs app:1.4@sha256:aaaaaaaaaaaa…, the healthy ones run the same tag @sha256:bbbbbbbbbbbb…",
    },
    { why: "a healthy pod runs the same image", pods: [ran("web", "a"), ran("old", "b", FINE), ran("x", "a", FINE)] },
    { why: "the others are not healthy", pods: [ran("web", "a"), ran("old", "b")] },
    { why: "all run the same", pods: [ran("web", "a"), ran("old", "a", FINE)] },
  ])("is named only if the healthy pods run another image: $why", ({ pods, says }) => {
    const changes = changesOf({}, { revisions: [aRevision(1, "app:1.4")], pods })?.changes ?? [];
    expect(changes.map(({ kind, sentence }) => [kind, sentence])).toEqual(
      says === undefined ? [] : [["image-digest", says]],
    );
  });

  it("suggests to look at the image, and not at the pod's data or node", () => {
    const up = { ...FINE, readySinceMs: 0 };
    const owners = { revisions: [aRevision(1, "app:1.4")], pods: [ran("web", "a"), ran("old", "b", up)] };
    const { since = null, nextSteps = [], ownerEvidence = [] } = changesOf({}, owners) ?? {};
    expect(since && textInUtc(sinceInWords(since, T0_MS, "all"))).toBe(
      "old runs the same revision (1), but another image of the same tag, and is healthy; look at that image",
    );
    expect(ownerEvidence.map(({ text }) => textInUtc(text)).join()).toContain("for this pod's image");
    expect(nextSteps.map(({ what }) => what)).not.toContain("check the node");
  });
});
