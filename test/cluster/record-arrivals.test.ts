import { expect, it } from "vitest";
import { NESTED, textOfJson } from "../../lab/hostile/nasty.ts";
import { LAB_PATHS } from "../../lab/watch/api.ts";
import { PodLab } from "../../lab/watch/pod-lab.ts";
import { Arrivals } from "../../src/cluster/watch/record-arrivals.ts";
import { aRawConfig, aRawEvent, aRawNode, aRawPod } from "../support/raw-objects.ts";

it("records each version of the pod and of its events once, and the newest node and kubelet configuration, as they arrive", async () => {
  const lab = new PodLab();
  const arrivals = new Arrivals("uid-of-web-0", () => lab.timers.nowMs());
  const [raw] = lab.api.stored(LAB_PATHS.pods);
  arrivals.add({ kind: "Pod", raw }, 1);
  arrivals.add({ kind: "ReplicaSet", raw: { metadata: { name: "web", uid: "uid-of-web" } } }, 1);
  const { pod, ended } = lab.watch(aRawPod(), arrivals.on(lab.api.connection()));
  await lab.timers.pass(1_000);
  lab.put(LAB_PATHS.pods, { ...aRawPod(), status: {} });
  lab.put(LAB_PATHS.events, aRawEvent("one"));
  await lab.timers.pass(200_000);
  lab.api.remove(LAB_PATHS.events, "one");
  lab.api.remove(LAB_PATHS.pods, "web-0");
  lab.put(LAB_PATHS.pods, aRawPod({ metadata: { uid: "another" } }));
  await lab.timers.pass(1_000);
  pod.end();
  await ended;
  const beganMs = lab.timers.nowMs() - 202_000;
  const told = arrivals.all().map(({ atMs, type, kind }) => `${kind} ${type} ${atMs === 1 ? 0 : atMs - beganMs}`);
  expect(told.map((line) => line.replace(/(Node|KubeletConfiguration) ADDED \d+/, "$1 ADDED"))).toEqual([
    "Pod ADDED 0",
    "ReplicaSet ADDED 0",
    "Pod MODIFIED 1000",
    "Event ADDED 1000",
    "Node ADDED",
    "KubeletConfiguration ADDED",
    "Event DELETED 201000",
    "Pod DELETED 201000",
  ]);
});

it("leaves out what is nested too deeply, and drops the oldest arrivals when they are too large together", () => {
  const arrivals = new Arrivals(null, () => 0);
  for (const nested of NESTED) arrivals.add({ kind: "Pod", raw: JSON.parse(textOfJson([nested])) }, 0);
  expect(arrivals.all()).toEqual([]);
  arrivals.add({ kind: "Node", raw: aRawNode() }, 0);
  arrivals.add({ kind: "KubeletConfiguration", raw: aRawConfig() }, 0);
  const message = "x".repeat(2 ** 20);
  for (let index = 0; index < 40; index++) arrivals.add({ kind: "Event", raw: { index, message } }, index);
  const kept = arrivals.all();
  expect(kept.length).toBe(31);
  expect(kept[0]?.atMs).toBe(9);
});
