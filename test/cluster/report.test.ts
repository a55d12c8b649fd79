import { describe, expect, it } from "vitest";
import { NameBook } from "../../src/cluster/report/name-book.ts";
import { reportOf } from "../../src/cluster/report/report.ts";
import type { Missing, OwnerMissing, PodObservation } from "../../src/explain/observed/observation.ts";
import { aContainer, anEvent, aPod, aStatus, observationOf, T0_MS, terminated, waiting } from "../support/builders.ts";
import { observeInput } from "../support/input.ts";
import { recordingOf } from "../support/recording.ts";
import { CANARY, planted } from "../support/report-canaries.ts";
import { objectsAt, objectsOfExample, observedIn, reported } from "../support/report-cases.ts";
import { OWNED_CASES } from "../support/report-owners.ts";

/** One recording of each kind of trouble: the page on reliability tries all of them, at many moments. */
const RECORDINGS = [
  ...["agent-lh6n5", "command-not-found", "config-missing", "image-changed", "image-unreachable", "poststart-fails"],
  ...["liveness-quick-exit", "rules-restart-all", "sidecar-crashes", "no-node"],
];

const ORIGIN = { program: "1.2.3", model: "v1.29 to v1.37", flags: [] };

function textOf(observed: Partial<PodObservation>, book = new NameBook()): string {
  const observation = observationOf(aPod(), observed);
  const [pod] = observation.pods;
  if (pod === undefined) throw new Error("no pod");
  return reportOf({ ...pod, ...observed }, observation, ORIGIN, book);
}

describe("reportOf()", () => {
  it.each(RECORDINGS)("is explained as node-a/%s was, and names nothing of it", async (name) => {
    const recording = recordingOf(`node-a/${name}`);
    const { length } = recording.lines;
    for (const index of [0.3, 0.9].map((share) => Math.floor(share * length))) {
      const atMs = (recording.lines[index]?.atMs ?? 0) + 1_234;
      const objects = objectsAt(recording, atMs);
      if (objects === null) continue;
      const { expected, actual, leaks } = await reported(await observedIn(planted(objects), atMs));
      expect(actual).toEqual(expected);
      expect(leaks).toEqual([]);
    }
  });

  it.each(["liveness-probe", "sidecar", "image-pull", "restart-all-containers"])(
    "is explained as the example %s was",
    async (name) => {
      const observation = await observedIn(planted(objectsOfExample(name)), null, Date.UTC(2027, 0));
      expect(JSON.stringify(observation)).toContain(CANARY);
      const { expected, actual, leaks } = await reported(observation);
      expect(actual).toEqual(expected);
      expect(leaks).toEqual([]);
    },
  );

  it.each(Object.entries(OWNED_CASES))("has the objects above a pod: %s", async (_, { objects, rules }) => {
    const observation = await observedIn(planted(objects), T0_MS + 900_000);
    const { expected, actual, leaks } = await reported(observation);
    expect(actual).toEqual(expected);
    expect(leaks).toEqual([]);
    expect(actual.pods[0]?.ownerEvidence?.map(({ rule }) => rule)).toEqual(rules);
  });

  it("has the older versions of the pod", async () => {
    const run = (start: number) => {
      const startedAtMs = T0_MS + start * 60_000;
      return terminated(startedAtMs, startedAtMs + 5_000, { containerID: `containerd://${start}` });
    };
    const version = (restartCount: number) => {
      const status = aStatus({
        name: "shop",
        restartCount,
        containerID: `containerd://${restartCount}`,
        state: run(restartCount),
      });
      return aPod({ containers: [aContainer({ name: "shop" })], statuses: [status] });
    };
    const observation = observationOf(version(2), { earlier: [version(0), version(1)], atMs: T0_MS + 130_000 });
    const { expected, actual } = await reported(observation);
    expect(actual).toEqual(expected);
    expect(actual.pods[0]?.containers[0]?.history.map(({ basis }) => basis)).toEqual([
      "observed",
      "observed",
      "observed",
    ]);
  });

  it("keeps the gaps of what could not be seen", async () => {
    const missing: Missing[] = [
      { what: "events", why: "forbidden" },
      { what: "node-config", why: "timeout" },
    ];
    const owner = { kind: "ReplicaSet", name: "shop-7d4b9c" };
    const ownersMissing: OwnerMissing[] = [{ what: "owner", owner, why: "forbidden" }];
    const owners = {
      chain: [{ ...owner, basis: "seen" as const }],
      workload: null,
      revisions: [],
      pods: [],
      missing: ownersMissing,
    };
    const observation = observationOf(aPod({ owner, containers: [], statuses: [] }), {
      missing,
      owners,
      kubeletConfig: null,
    });
    const { expected, actual } = await reported(observation);
    expect(actual).toEqual(expected);
    expect(actual.pods[0]?.gaps.map(({ code }) => code)).toEqual([
      "events-forbidden",
      "node-config-timeout",
      "owner-forbidden",
    ]);
  });

  it("keeps the delay of the kubelet's message, whatever follows it", () => {
    const message = "back-off 2m40s restarting failed container=app pod=web_default(7c8b): secret words";
    const pod = aPod({ statuses: [aStatus({ state: waiting("CrashLoopBackOff", message) })] });
    const text = textOf({ pod });
    expect(text).toContain('"back-off 2m40s restarting failed container=app-1 pod=pod-1_namespace-1(');
    expect(text).not.toContain("secret");
  });

  it("keeps why a sidecar was killed, without its name", () => {
    const message = "Init container sekret-proxy failed liveness probe, sekret words";
    const text = textOf({ events: [anEvent({ reason: "Killing", message, container: "sekret-proxy" })] });
    expect(text).toMatch(/"Init container container-\d failed liveness probe\b/);
    expect(text).not.toContain("sekret");
  });

  it("keeps no word that is not Kubernetes' own", () => {
    const status = aStatus({ name: "sekret-a", state: waiting("SekretFailed", "sekret words") });
    const text = textOf({
      pod: aPod({
        phase: "Sekret",
        reason: "SekretReason",
        message: "sekret",
        owner: { kind: "SekretDatabase", name: "sekret-db" },
        conditions: [
          { type: "sekret.example/ready", status: "True", reason: null, message: null, lastTransitionAtMs: null },
        ],
        containers: [aContainer({ name: "sekret-a", image: "sekret/image:1", imagePullPolicy: "Sekret" })],
        statuses: [status],
      }),
      events: [anEvent({ name: "sekret.1", reason: "SekretInjected", message: "sekret", container: "sekret-b" })],
      nodeEvents: [anEvent({ reason: "SekretNode", message: "sekret" })],
      kubeletConfig: { maxContainerRestartPeriodMs: null, featureGates: { SekretGate: true }, syncFrequencyMs: null },
    });
    expect(text.toLowerCase()).not.toContain("sekret");
    expect(text).toContain("OtherError");
  });

  it("tells which messages were the same", () => {
    const events = ["first words", "other words", "first words"].map((message, index) => {
      return anEvent({ name: `e${index}`, message });
    });
    const messages = [...textOf({ events }).matchAll(/\((removed \d)\)/g)].map(([, which]) => which);
    expect(messages).toEqual(["removed 1", "removed 2", "removed 1"]);
  });
});

describe("observeFiles() of a report", () => {
  it("is at the moment of the report, unless --at says otherwise", async () => {
    const text = textOf({});
    const { observation } = await observeInput(text, { localNowMs: T0_MS + 999_999_999 });
    expect(observation).toMatchObject({ atMs: T0_MS, atBasis: "recording" });
    const asked = await observeInput(text, { atMs: T0_MS + 5_000 });
    expect(asked.observation).toMatchObject({ atMs: T0_MS + 5_000, atBasis: "flag" });
  });

  it("names the flags that it was made with", async () => {
    const [pod] = observationOf(aPod()).pods;
    if (pod === undefined) throw new Error("no pod");
    const flags = ["--kubelet-version=v1.34.4", "no flag", "--reduced-decay"];
    const text = reportOf(pod, observationOf(aPod()), { ...ORIGIN, flags });
    const { skipped } = await observeInput(text);
    expect(skipped).toEqual([
      "The report was made with --kubelet-version=v1.34.4 --reduced-decay: pass that to explain it the same way.",
    ]);
  });

  it("refuses several reports, and passes over a Report of somebody else", async () => {
    const report = JSON.parse(textOf({}));
    await expect(observeInput([report, report])).rejects.toMatchObject({ code: "severalReports" });
    const other = { apiVersion: "acme.example/v1", kind: "Report", metadata: { name: "x" } };
    const [, pod] = report.items;
    const { observation, skipped } = await observeInput([other, pod], { localNowMs: T0_MS + 60_000 });
    expect(observation.atBasis).toBe("local-clock");
    expect(skipped.join()).toContain("Report object");
  });
});
