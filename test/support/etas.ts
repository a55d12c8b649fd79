import type { Eta } from "../../src/explain/answer/eta.ts";
import { etaOf } from "../../src/explain/eta/eta.ts";
import { etaPart } from "../../src/explain/eta/parts.ts";
import type { PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { formatGoDuration, HOUR_MS } from "../../src/kubelet/go-duration.ts";
import { aPod, aStatus, observationOf, S, terminated, waiting } from "./builders.ts";

export function aLoopingPod(name: string, finishedAtMs: number, delayMs: number, more: Partial<PodSnapshot> = {}) {
  const message = `back-off ${formatGoDuration(delayMs)} restarting failed container=app pod=${name}_default(${name})`;
  const status = aStatus({
    state: waiting("CrashLoopBackOff", message),
    lastState: terminated(finishedAtMs - 5 * S, finishedAtMs),
    restartCount: Math.max(1, Math.round(Math.log2(delayMs / 10_000)) + 1),
  });
  const bornAtMs = finishedAtMs - HOUR_MS;
  return aPod({ name, uid: name, createdAtMs: bornAtMs, startedAtMs: bornAtMs, statuses: [status], ...more });
}

export function etaOfPods(pods: readonly PodSnapshot[], atMs: number, seen: Partial<PodObservation> = {}): Eta {
  const now = { atMs, atBasis: "flag" } as const;
  const observed = pods.flatMap((pod) => observationOf(pod, { atMs, ...seen }).pods);
  return etaOf(etaPart({ ...now, pods: observed }, {}), now);
}

const STEPS_MS = [10, 20, 40, 80, 160, 300].map((seconds) => seconds * S);

export function aHerdEta(atMs: number): Eta {
  const owner = { kind: "ReplicaSet", name: "cart-7d9fbc6f4" };
  const down = Array.from({ length: 300 }, (_, index) => {
    const delayMs = STEPS_MS[index % STEPS_MS.length] ?? 0;
    const finishedAtMs = atMs - Math.floor(((index * 7) % 97) * (delayMs / S / 100)) * S;
    const nodeName = delayMs === 300_000 ? "node-b" : "node-a";
    return aLoopingPod(`cart-7d9fbc6f4-${index}`, finishedAtMs, delayMs, { namespace: "shop", owner, nodeName });
  });
  const up = Array.from({ length: 12 }, (_, index) => aPod({ namespace: "shop", name: `web-${index}`, owner }));
  return etaOfPods([...down, ...up], atMs, { missing: [] });
}
