import { explain } from "../../src/explain/explain.ts";
import type { Condition, EventSnapshot, PodObservation, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { answerOf } from "../../src/render/page/answer.ts";
import { pageOf } from "../../src/render/page/page.ts";
import { mainNotes, podNotes } from "../../src/render/pod/notes.ts";
import { anEvent, aPod, aStatus, observationOf, S, T0_MS, terminated, waiting } from "./builders.ts";

export const NOW_S = 1_510;

export function told(pod: Partial<PodSnapshot>, seen: Partial<PodObservation> = {}, atS = NOW_S) {
  const explained = explain(observationOf(aPod(pod), { atMs: T0_MS + atS * S, ...seen }), {});
  const [first] = explained.pods;
  if (first === undefined) throw new Error("nothing was explained");
  const { verdict, plan, containers } = first;
  const page = pageOf(explained, { columns: 200, color: false, timeZone: "UTC" });
  const { headline, next } = answerOf(first, page);
  const notes = [...podNotes(first), ...mainNotes(first, page)];
  const whys = notes.filter(({ label }) => ["why", "Why", "Wait"].includes(label));
  const states = containers.map(({ state }) => state).join(" ");
  return {
    headline: headline.replace("default/web", ""),
    next,
    verdict,
    states,
    plan,
    why: whys.map(({ text }) => page.times.text(text)).join(" "),
  };
}

export function warning(
  reason: string,
  message: string,
  [firstS, lastS]: readonly [number, number],
  count = 1,
): EventSnapshot {
  const [firstAtMs, lastAtMs] = [T0_MS + firstS * S, T0_MS + lastS * S];
  return anEvent({ name: `web.${reason}.${message}`, reason, message, container: null, firstAtMs, lastAtMs, count });
}

export function condition(type: string, status: Condition["status"], more: Partial<Condition> = {}): Condition {
  return { type, status, reason: null, message: null, lastTransitionAtMs: T0_MS, ...more };
}

export const CREATING = {
  phase: "Pending",
  podIP: null,
  conditions: [condition("PodReadyToStartContainers", "False")],
  statuses: [aStatus({ state: waiting("ContainerCreating"), containerID: null })],
} as const;
export const UNSCHEDULED = { phase: "Pending", podIP: null, nodeName: null, startedAtMs: null, statuses: [] } as const;
export const CRASHED = aStatus({
  state: terminated(T0_MS + 1_000 * S, T0_MS + 1_100 * S, { reason: "Unknown", exitCode: 255 }),
  restartCount: 3,
});
export const CRASH_LOOP = aStatus({
  state: terminated(T0_MS + 1_480 * S, T0_MS + 1_490 * S, { containerID: "containerd://b" }),
  lastState: terminated(T0_MS + 1_390 * S, T0_MS + 1_400 * S),
  restartCount: 4,
  containerID: "containerd://b",
});

export const NO_CONFIG = 'MountVolume.SetUp failed for volume "config" : configmap "shop-config" not found';
export const FAILED_MOUNT = warning("FailedMount", NO_CONFIG, [0, 1_500], 12);
export const NOT_MOUNTED = warning(
  "FailedMount",
  "Unable to attach or mount volumes: unmounted volumes=[config]",
  [123, 1_505],
  11,
);
const SANDBOX =
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "4f": no IP left';
export const NO_SANDBOX = warning("FailedCreatePodSandBox", SANDBOX, [1_200, 1_506], 7);
export const NO_NODE_FITS =
  "0/6 nodes are available: 3 Insufficient memory, 3 node(s) had untolerated taint(s). preemption: 0/6 nodes are available: 6 No preemption victims found for incoming pod.";
