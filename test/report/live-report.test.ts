import { expect, it } from "vitest";
import { reportOf } from "../../src/report/report.ts";
import { answerEverything, useFakeApiServer } from "../support/api-server.ts";
import { observeInput } from "../support/input.ts";
import { observeWeb0 } from "../support/observe.ts";
import { answer, answerList, inProd, refuseTheRest } from "../support/observe-targets.ts";
import { PATHS } from "../support/raw-objects.ts";
import { aFineRawPod, aRawOwnedPod, aRawReplicaSet, aRawWorkload } from "../support/raw-workloads.ts";

useFakeApiServer();

it("reports what the API server answered about a pod, its node, its kubelet and its owners", async () => {
  const set = { kind: "ReplicaSet", name: "api-new" };
  answerEverything({ pod: "unasked" });
  answer(PATHS.pod, aRawOwnedPod(set, "web-0", { "pod-template-hash": "new", app: "api" }));
  answer(inProd("replicasets", "api-new"), aRawReplicaSet("api", "new", 2, "web:2"));
  answer(inProd("deployments", "api"), aRawWorkload("Deployment", "api"));
  const sets = [aRawReplicaSet("api", "old", 1, "web:1"), aRawReplicaSet("api", "new", 2, "web:2")];
  answerList("replicasets", sets, "app=api");
  const other = aFineRawPod({ ...set, name: "api-old" }, "web-1", { app: "api" });
  answerList("pods", [aRawOwnedPod(set, "web-0", { app: "api" }), other], "app=api");
  refuseTheRest();
  const observation = await observeWeb0();
  const [observed] = observation.pods;
  if (observed === undefined) throw new Error("no pod");
  const text = reportOf(observed, observation, { program: "1.2.3", model: "", flags: [] });
  const [again] = (await observeInput(text)).observation.pods;
  expect(again).toMatchObject({
    events: [{ count: 3 }],
    nodeEvents: [{ count: 3 }],
    node: { kubeletVersion: "v1.37.1" },
    kubeletConfig: { maxContainerRestartPeriodMs: 60_000 },
    missing: [],
    owners: {
      chain: [{ kind: "ReplicaSet" }, { kind: "Deployment", name: "api" }],
      workload: { kind: "Deployment", replicas: 1 },
      revisions: [{ number: 2 }, { number: 1 }],
      pods: [
        { name: "web-0", isReady: false },
        { name: "web-1", isReady: true },
      ],
    },
  });
});
