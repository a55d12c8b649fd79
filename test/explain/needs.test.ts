import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { explain } from "../../src/explain/explain.ts";
import type { NeedObservation, PodObservation, ServiceSnapshot } from "../../src/explain/observed/observation.ts";
import { neededBy, needsOf } from "../../src/explain/owners/needs.ts";
import { aPod, aStatus, observationOf, T0_MS, terminated } from "../support/builders.ts";

const AT_MS = T0_MS + 30_000;
const DB: ServiceSnapshot = {
  ...{ namespace: "shop", name: "db", ports: [5432], clusterIPs: ["10.0.0.7"] },
  ...{ selector: { app: "db" }, externalName: null },
};

function podOf(name: string, isDown: boolean): PodObservation {
  const last = terminated(T0_MS, T0_MS + 20_000);
  const down = aStatus({ state: last, lastState: last, restartCount: 1, ready: false, started: false });
  const [observed] = observationOf(aPod({ name, ...(isDown && { statuses: [down] }) }), { atMs: AT_MS }).pods;
  if (observed === undefined) throw new Error("no pod");
  return observed;
}

const NEED: NeedObservation = {
  address: { host: "db", port: 5432 },
  containers: ["app"],
  service: DB,
  namespace: "shop",
  endpoints: { ready: 0, total: 1 },
  similar: [],
  pods: [],
};

function needOf(more: Partial<NeedObservation>) {
  const [observed] = observationOf(aPod(), { needs: [{ ...NEED, ...more }] }).pods;
  const explainPods = (pods: readonly PodObservation[]) => explain({ atMs: AT_MS, atBasis: "flag", pods }, {}).pods;
  const [found] = observed === undefined ? [] : needsOf(observed, explainPods);
  return found;
}

describe("needsOf()", () => {
  it.each([
    { count: 3, says: "; 1 more is not up" },
    { count: 4, says: "; 2 more are not up" },
  ])("counts the pods after the first two that are down: $says", ({ count, says }) => {
    const pods = Array.from({ length: count }, (_, index) => podOf(`db-${index}`, true));
    const need = needOf({ pods, endpoints: { ready: 0, total: count } });
    expect(textInUtc(need?.sentence ?? "").endsWith(says)).toBe(true);
  });

  it("has the endpoints of the Service, and when its pods restart, with those that are down first", () => {
    const need = needOf({ pods: [podOf("db-1", false), podOf("db-0", true)], endpoints: { ready: 1, total: 2 } });
    const nextRestart = { notBeforeMs: AT_MS, likelyByMs: expect.any(Number) };
    expect(need).toMatchObject({
      ...{ host: "db", port: 5432, service: "db", namespace: "shop", readyEndpoints: 1, endpoints: 2 },
      pods: [
        { name: "db-0", nextRestart },
        { name: "db-1", nextRestart: null },
      ],
    });
    expect(textInUtc(need?.sentence ?? "")).toMatch(
      /^db:5432 has 1 of 2 ready endpoints; db-0 is (crash-looping|down) and restarts next between 2026-11-21T12:00:30Z and 2026-11-21T12:00:3\dZ$/,
    );
  });

  it.each([
    { ready: true, says: "db:5432 has 1 of 1 ready endpoints; db-0 is up again after a crash loop" },
    { ready: false, says: "db:5432 has 0 of 1 ready endpoints; db-0 is not ready" },
  ])("says that a pod that has just restarted is up again only if it is ready: $ready", ({ ready, says }) => {
    const up = aStatus({
      ...{ restartCount: 29, ready, state: { kind: "running", startedAtMs: AT_MS - 5_000 } },
      lastState: terminated(AT_MS - 12_000, AT_MS - 6_000),
    });
    const pods = observationOf(aPod({ name: "db-0", statuses: [up] }), { atMs: AT_MS }).pods;
    const need = needOf({ pods: [...pods], endpoints: { ready: ready ? 1 : 0, total: 1 } });
    expect(textInUtc(need?.sentence ?? "")).toBe(says);
  });

  it.each<[string, Partial<NeedObservation>, string]>([
    ["no endpoint is ready", {}, "db:5432 has 0 of 1 ready endpoints"],
    [
      "no pod matches the selector",
      { endpoints: { ready: 0, total: 0 } },
      "db:5432 has no endpoints: no pod matches its selector",
    ],
    [
      "the Service has no selector",
      { endpoints: { ready: 0, total: 0 }, service: { ...DB, selector: {} }, pods: null },
      "db:5432 has no endpoints",
    ],
    [
      "the log has the address of a Service",
      { address: { host: "10.0.0.7", port: 5432 } },
      "10.0.0.7:5432 (Service db) has 0 of 1 ready endpoints",
    ],
    ["the Service has another port", { address: { host: "db", port: 5433 } }, "Service db has no port 5433, only 5432"],
    [
      "there is no such Service",
      { address: { host: "dbx.shop", port: null }, service: null, similar: ["db"] },
      "namespace shop has no Service dbx (there is db)",
    ],
    [
      "the Service has an externalName",
      { service: { ...DB, externalName: "db.example.com" }, endpoints: null },
      "db:5432 stands for db.example.com, outside the cluster",
    ],
    [
      "the endpoints could not be read",
      { endpoints: null, address: { host: "db.shop.svc", port: null } },
      "db.shop.svc is Service db; its endpoints could not be read",
    ],
  ])("has a sentence if %s", (_, more, says) => {
    expect(textInUtc(needOf(more)?.sentence ?? "")).toBe(says);
  });
});

describe("neededBy()", () => {
  const db = podOf("db-0", true);
  const owned = (kind: string, name: string) => aPod({ name: "by", owner: { kind, name } });

  it.each([
    { by: owned("StatefulSet", "db"), isNeeding: false, why: "it is a replica" },
    { by: owned("Job", "db"), isNeeding: true, why: "only the name of its controller is the same" },
    { by: owned("StatefulSet", "api"), isNeeding: true, why: "it has another controller" },
    { by: aPod({ name: "by" }), isNeeding: true, why: "it has no controller" },
  ])("names a pod that could not reach the Service: $isNeeding, because $why", ({ by, isNeeding }) => {
    const pod = { ...db.pod, owner: { kind: "StatefulSet", name: "db" } };
    const observed = { ...db, pod };
    const { pods } = observationOf(by, { needs: [{ ...NEED, pods: [observed] }] });
    const found = neededBy(observed, { atMs: AT_MS, atBasis: "flag", pods });
    expect(found.map(({ service }) => service)).toEqual(isNeeding ? ["db"] : []);
  });
});
