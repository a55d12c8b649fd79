import { describe, expect, it } from "vitest";
import type { Eta } from "../../src/explain/answer/eta.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { etaOf } from "../../src/explain/eta/eta.ts";
import { etaPart } from "../../src/explain/eta/parts.ts";
import type {
  NeedObservation,
  PodObservation,
  PodSnapshot,
  ServiceSnapshot,
} from "../../src/explain/observed/observation.ts";
import { aContainer, aPod, aProbe, observationOf, S, T0_MS } from "../support/builders.ts";
import { aLoopingPod } from "../support/etas.ts";

const EXIT_MS = T0_MS + 1_000 * S;
const NOW_MS = EXIT_MS + 30 * S;

const ownedBy = (name: string) => ({ owner: { kind: "ReplicaSet", name } });

const looping = (name: string, delayS: number, more: Partial<PodSnapshot> = {}): PodSnapshot =>
  aLoopingPod(`${name}-0`, EXIT_MS, delayS * S, { ...ownedBy(name), ...more });

function observed(pod: PodSnapshot, needs: readonly NeedObservation[] = []): PodObservation {
  const [found] = observationOf(pod, { atMs: NOW_MS, ...(needs.length > 0 && { needs }) }).pods;
  if (found === undefined) throw new Error("no pod");
  return found;
}

function need(name: string, pods: readonly PodSnapshot[], more: Partial<NeedObservation> = {}) {
  const service: ServiceSnapshot = {
    ...{ namespace: "default", name, ports: [80], clusterIPs: ["10.0.0.7"] },
    ...{ selector: { app: name }, externalName: null },
  };
  return {
    ...{ address: { host: name, port: 80 }, containers: ["app"], service, namespace: "default", similar: [] },
    endpoints: { ready: 0, total: pods.length },
    pods: pods.map((pod) => observed(pod)),
    ...more,
  };
}

function etaOfAll(pods: readonly PodObservation[]): Eta {
  const now = { atMs: NOW_MS, atBasis: "flag" } as const;
  return etaOf(etaPart({ ...now, pods }, {}), now);
}

const sentencesOf = ({ needs }: Eta): string[] =>
  needs.flatMap(({ sentence }) => (sentence === null ? [] : [textInUtc(sentence)]));

const find = ({ down }: Eta, name: string) => down.find(({ pod }) => pod === `${name}-0`);

describe("the estimate for a pod that needs a Service", () => {
  const db = looping("db", 160);

  it("is the first restart after the needed pod is up, because an earlier one crashes again", () => {
    const api = observed(looping("api", 40), [need("db", [db])]);
    const eta = etaOfAll([api, observed(db)]);
    const [dbBack, apiNext, apiBack] = [
      find(eta, "db")?.nextRestart,
      find(eta, "api")?.nextRestart,
      find(eta, "api")?.upAgain,
    ];
    expect(apiNext).toMatchObject({ notBeforeMs: EXIT_MS + 40 * S });
    // The container of api runs for 5 s after its restart, waits for 80 s and restarts before db is up. Then it waits
    // for 160 s.
    expect(apiBack?.notBeforeMs).toBeGreaterThanOrEqual(EXIT_MS + (40 + 5 + 80 + 5 + 160) * S);
    expect(apiBack?.likelyByMs).toBeLessThan(EXIT_MS + (40 + 5 + 80 + 5 + 160 + 40) * S);
    expect(dbBack).toEqual(find(eta, "db")?.upAgain);
    expect(find(eta, "api")?.needs).toEqual([{ namespace: "default", service: "db" }]);
    expect(eta.down.map(({ pod }) => pod)).toEqual(["api-0", "db-0"]);
    expect(eta.quantilesOfDown.at(-1)?.likelyByMs).toBeGreaterThanOrEqual(apiBack?.likelyByMs ?? 0);
    expect(eta.needs).toMatchObject([
      { host: "db", effect: "waits", neededBy: [{ kind: "ReplicaSet", name: "api", namespace: "default" }] },
    ]);
    expect(sentencesOf(eta)).toEqual([
      "api (1 pod) needs db:80 (inferred from its last output). It is up again at its first restart after db-0 is up " +
        `(between 2026-11-21T12:19:20Z and ${new Date(dbBack?.likelyByMs ?? 0).toISOString().replace(".000", "")}).`,
    ]);
  });

  it("has the restart of the needed pod, not of a pod with the same name in another namespace", () => {
    const other = looping("db", 20, { namespace: "other" });
    const eta = etaOfAll([observed(other), observed(looping("api", 40), [need("db", [db])]), observed(db)]);
    const own = eta.down.find(({ namespace, pod }) => namespace === "default" && pod === "db-0");
    expect(eta.needs[0]?.pods).toEqual([{ name: "db-0", nextRestart: own?.nextRestart }]);
  });

  it("is its next restart if that comes after the needed pod is up", () => {
    const api = looping("api", 300);
    const eta = etaOfAll([observed(api, [need("db", [db])]), observed(db)]);
    expect(find(eta, "api")?.upAgain).toMatchObject({ notBeforeMs: find(eta, "api")?.nextRestart?.notBeforeMs });
    expect(find(eta, "api")?.needs).toHaveLength(1);
  });

  it("waits for the initial delay of the needed pod's readiness probe", () => {
    const containers = [aContainer({ readinessProbe: aProbe({ initialDelayMs: 200 * S }) })];
    const slow = looping("db", 160, { containers });
    const eta = etaOfAll([observed(looping("api", 300), [need("db", [slow])]), observed(slow)]);
    expect(find(eta, "api")?.upAgain?.notBeforeMs).toBeGreaterThanOrEqual(EXIT_MS + (300 + 5 + 300) * S);
  });

  it("holds for all pods of the same workload, and for no other", () => {
    const of = (name: string, owner: string) => aLoopingPod(name, EXIT_MS, 40 * S, ownedBy(owner));
    const pods = [
      observed(of("api-a", "api"), [need("db", [db])]),
      observed(of("api-b", "api")),
      observed(of("web-a", "web")),
    ];
    const eta = etaOfAll([...pods, observed(db)]);
    const waiting = eta.down.filter(({ needs }) => needs.length > 0).map(({ pod }) => pod);
    expect(waiting.sort()).toEqual(["api-a", "api-b"]);
    expect(sentencesOf(eta)[0]).toMatch(/^api \(2 pods\) needs db:80 .* Each is up again/);
  });

  it("waits for the first of several needed pods, or for the one that the log names", () => {
    const [soon, late] = [looping("db", 40), aLoopingPod("db-1", EXIT_MS, 300 * S, ownedBy("db"))];
    const upAgain = (host: string) => {
      const api = observed(looping("api", 80), [need("db", [soon, late], { address: { host, port: 80 } })]);
      return find(etaOfAll([api, observed(soon), observed(late)]), "api")?.upAgain?.notBeforeMs ?? 0;
    };
    expect(upAgain("db")).toBeLessThan(EXIT_MS + 100 * S);
    expect(upAgain("db-1.db")).toBeGreaterThan(EXIT_MS + 300 * S);
  });

  it("follows a chain of needed Services", () => {
    const api = looping("api", 80);
    const web = observed(looping("web", 40), [need("api", [api])]);
    const eta = etaOfAll([web, observed(api, [need("db", [db])]), observed(db)]);
    const [first, second, third] = ["db", "api", "web"].map((name) => find(eta, name)?.upAgain?.notBeforeMs ?? 0);
    expect(second).toBeGreaterThan(first ?? 0);
    expect(third).toBeGreaterThan(second ?? 0);
  });

  it("does not wait if two pods need each other", () => {
    const [a, b] = [looping("a", 40), looping("b", 160)];
    const eta = etaOfAll([observed(a, [need("b", [b])]), observed(b, [need("a", [a])])]);
    for (const { upAgain, nextRestart, needs } of eta.down) expect([upAgain, needs]).toEqual([nextRestart, []]);
    expect(eta.needs.map(({ effect }) => effect)).toEqual(["loop", "loop"]);
    expect(sentencesOf(eta)).toEqual([
      "a (1 pod) needs b:80 (inferred from its last output), which needs it, too. The forecast lets neither wait for the other.",
      "b (1 pod) needs a:80 (inferred from its last output), which needs it, too. The forecast lets neither wait for the other.",
    ]);
  });

  it("does not wait for the pod's own workload", () => {
    const [one, other] = ["db-0", "db-1"].map((name) => aLoopingPod(name, EXIT_MS, 40 * S, ownedBy("db")));
    const eta = etaOfAll([observed(one ?? db, [need("db", [one ?? db, other ?? db])]), observed(other ?? db)]);
    expect(eta.needs).toMatchObject([{ effect: "loop" }]);
  });

  it.each<[string, Partial<NeedObservation>, string[]]>([
    ["the Service has a ready endpoint", { endpoints: { ready: 1, total: 2 } }, []],
    ["the needed pod runs", { pods: [observed(aPod({ name: "db-0" }))], endpoints: { ready: 0, total: 1 } }, []],
    [
      "there is no such Service",
      { service: null, pods: null, endpoints: null, similar: ["db2"] },
      [
        "api (1 pod) needs db:80 (inferred from its last output), but namespace default has no Service db (there is db2).",
      ],
    ],
    [
      "the Service has another port",
      { address: { host: "db", port: 81 }, endpoints: { ready: 1, total: 1 } },
      ["api (1 pod) needs db:81 (inferred from its last output), but Service db has no port 81, only 80."],
    ],
  ])("does not wait if %s", (_, more, sentences) => {
    const eta = etaOfAll([observed(looping("api", 40), [need("db", [], more)])]);
    expect(find(eta, "api")).toMatchObject({ needs: [], upAgain: find(eta, "api")?.nextRestart });
    expect(sentencesOf(eta)).toEqual(sentences);
    expect(eta.needs).toMatchObject([{ effect: "none" }]);
  });

  it("is unknown if there is no needed pod, or none with a predictable start", () => {
    const nothing = etaOfAll([observed(looping("api", 40), [need("db", [])])]);
    expect(nothing).toMatchObject({
      down: [],
      total: 1,
      unknown: [{ reason: "needs-unknown", places: [{ pod: "api-0" }] }],
    });
    expect(sentencesOf(nothing)).toEqual([
      "api (1 pod) needs db:80 (inferred from its last output), but db:80 has no endpoints: no pod matches its selector, so there is no forecast.",
    ]);
    const late = aLoopingPod("db-0", EXIT_MS - 600 * S, 40 * S, ownedBy("db"));
    const web = observed(looping("web", 40), [need("api", [looping("api", 40)])]);
    const eta = etaOfAll([web, observed(looping("api", 40), [need("db", [late])]), observed(late)]);
    expect(eta).toMatchObject({ down: [], overdue: [{ pod: "db-0" }], total: 3 });
    expect(eta.unknown).toMatchObject([{ reason: "needs-unknown", places: [{ pod: "api-0" }, { pod: "web-0" }] }]);
    expect(sentencesOf(eta)[0]).toMatch(/but it has 0 of 1 ready endpoints, and nothing shows/);
  });

  it.each([
    { why: "the needed pod has been not Ready for 2m", sinceMs: NOW_MS - 120 * S, effect: "taken-as-ready" },
    { why: "the needed pod has been not Ready for less than 2m", sinceMs: NOW_MS - 119 * S, effect: "none" },
  ])("has the effect $effect: $why", ({ sinceMs, effect }) => {
    const lastTransitionAtMs = sinceMs;
    const ready = { type: "Ready", status: "False" as const, reason: null, message: null, lastTransitionAtMs };
    const eta = etaOfAll([observed(looping("api", 40), [need("db", [aPod({ name: "db-0", conditions: [ready] })])])]);
    expect(find(eta, "api")).toMatchObject({ needs: [] });
    expect(eta.needs).toMatchObject([{ effect }]);
    const says =
      "api (1 pod) needs db:80 (inferred from its last output), but db-0 is not Ready. " +
      "The forecast assumes that this is fixed now, too.";
    expect(sentencesOf(eta)).toEqual(effect === "none" ? [] : [says]);
  });

  it("has the workloads in the order in which they are up, with the Services that they need", () => {
    const apis = [0, 1].map((index) => aLoopingPod(`api-${index}`, EXIT_MS, 40 * S, ownedBy("api")));
    const [first = db, second = db] = apis;
    const { workloads, down } = etaOfAll([observed(first, [need("db", [db])]), observed(second), observed(db)]);
    const [dbBack, apiBack] = ["db-0", "api-0"].map((name) => down.find(({ pod }) => pod === name)?.upAgain);
    expect(workloads).toEqual([
      { namespace: "default", kind: "ReplicaSet", name: "db", pods: 1, upAgain: dbBack, needs: [] },
      {
        ...{ namespace: "default", kind: "ReplicaSet", name: "api", pods: 2, upAgain: apiBack },
        needs: [{ namespace: "default", service: "db" }],
      },
    ]);
  });

  it("suggests to delete a waiting pod only after the needed Service is up", () => {
    const eta = etaOfAll([
      observed(looping("api", 300), [need("db", [db])]),
      observed(db),
      observed(looping("web", 40)),
    ]);
    expect(eta.faster.deletion).toMatchObject({
      pods: [{ pod: "api-0" }],
      after: [{ namespace: "default", service: "db" }],
    });
  });
});
