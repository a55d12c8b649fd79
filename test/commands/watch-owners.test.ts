import { expect, it } from "vitest";
import { LAB_PATHS } from "../../lab/watch/api.ts";
import { firstOf, PodLab } from "../../lab/watch/pod-lab.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { type Frame, WatchSession } from "../../src/commands/watch/watch-session.ts";
import { aRawOwnedPod, aRawReplicaSet, aRawWorkload } from "../support/raw-workloads.ts";

const S = 1_000;
const APPS = "/apis/apps/v1/namespaces/prod";

function putDeployment(lab: PodLab, reason: string, status: string): void {
  const progressing = { type: "Progressing", status, reason, lastTransitionTime: "2026-11-21T12:00:30Z" };
  const spec = { replicas: 3, selector: { matchLabels: { app: "web" } } };
  const rolled = { updatedReplicas: 1, availableReplicas: 2, conditions: [progressing] };
  lab.put(`${APPS}/deployments`, aRawWorkload("Deployment", "web", { spec, status: rolled }));
}

async function follow(lab: PodLab, connection: Connection, raw: object): Promise<readonly Frame[]> {
  const first = firstOf(raw);
  const observation = { atMs: lab.timers.nowMs(), atBasis: "server-clock" as const, pods: [first] };
  const session = new WatchSession(connection, { observation, first, nodeConfig: "auto", kubelet: {} }, lab.timers);
  const frames: Frame[] = [];
  void (async () => {
    for await (const frame of session.frames()) frames.push(frame);
  })();
  await lab.timers.pass(5 * S);
  return frames;
}

it("knows the owners of a watched pod, and says when their rollout gets stuck", async () => {
  const lab = new PodLab();
  putDeployment(lab, "ReplicaSetUpdated", "True");
  lab.put(`${APPS}/replicasets`, aRawReplicaSet("web", "abc", 1, "web:1"));
  const raw = aRawOwnedPod({ kind: "ReplicaSet", name: "web-abc" }, "web-0", { app: "web" });
  lab.put(LAB_PATHS.pods, raw);
  const frames = await follow(lab, lab.api.connection(), raw);
  const shown = () => frames.at(-1)?.explanation.pods[0];
  const evidence = (): string => (shown()?.ownerEvidence ?? []).map(({ text }) => text).join("\n");
  expect(shown()?.owners?.map(({ name }) => name)).toEqual(["web-abc", "web"]);
  expect(evidence()).toMatch(/^the rollout of Deployment web waits: 1 of 3 replicas updated, 2 available/m);
  putDeployment(lab, "ProgressDeadlineExceeded", "False");
  await lab.timers.pass(180 * S);
  expect(evidence()).toMatch(/^the rollout of Deployment web is stuck since /m);
});
