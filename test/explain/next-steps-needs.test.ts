import { describe, expect, it } from "vitest";
import type { NeedObservation } from "../../src/explain/observed/observation.ts";
import { aContainer, aPod, aStatus, observationOf } from "../support/builders.ts";
import { commands, stepsFor } from "../support/steps.ts";

function needOf(pods: readonly string[], ready = 0, namespace = "default"): NeedObservation {
  const service = { namespace, name: "db", ports: [5432], clusterIPs: [], selector: {}, externalName: null };
  const observed = pods.flatMap((name) => observationOf(aPod({ name })).pods);
  const endpoints = { ready, total: 1 };
  return {
    address: { host: "db", port: 5432 },
    containers: ["app"],
    service,
    namespace,
    similar: [],
    endpoints,
    pods: observed,
  };
}

describe("the next steps of a pod that could not reach a Service", () => {
  it.each([
    { why: "explain a pod of the Service", need: needOf(["db-0"]), is: "kubectl backoff explain db-0 -n default" },
    { why: "describe the Service, if it has no pods", need: needOf([]), is: "kubectl describe service db -n default" },
  ])("have this as the second step: $why", ({ need, is }) => {
    expect(commands(stepsFor({}, { needs: [need] }))[1]).toBe(is);
  });

  it("begin with the Service while an init container waits for it", () => {
    const containers = [aContainer({ name: "wait", type: "init" }), aContainer()];
    const statuses = [aStatus({ name: "wait", ready: false })];
    const steps = stepsFor({ phase: "Pending", containers, statuses }, { needs: [needOf([])] });
    expect(commands(steps)).toEqual([
      "kubectl describe service db -n default",
      "kubectl describe pod web -n default",
      "kubectl logs web -n default -c wait -f",
    ]);
  });

  it.each([
    { why: "that is ready", need: needOf(["db-0"], 1) },
    { why: "of another namespace, for which the command has no flag", need: needOf(["db-0"], 0, "data") },
  ])("have nothing about a Service $why", ({ need }) => {
    expect(commands(stepsFor({}, { needs: [need] })).join()).not.toContain("db");
  });
});
