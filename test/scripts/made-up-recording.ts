import type { RecordedLine, Recording } from "../../lab/recordings/recordings.ts";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import type { Observation } from "../../src/explain/observed/observation.ts";

export const START_MS = Date.UTC(2026, 10, 21, 12);

export function podLine(arrivedAt: number, status: object, metadata: object = {}): RecordedLine {
  const object = {
    metadata: { name: "web", namespace: "default", uid: "uid-1", ...metadata },
    spec: { nodeName: "node-x", containers: [{ name: "app", image: "web:1" }] },
    status: { phase: "Running", containerStatuses: [{ name: "app", restartCount: 0, ...status }] },
  };
  return { atMs: START_MS + arrivedAt * 1000, kind: "Pod", type: "MODIFIED", object };
}

export function running(id: string, startedAt: number): object {
  return { containerID: id, state: { running: { startedAt: timeOf(startedAt) } } };
}

export function terminated(id: string, startedAt: number, finishedAt: number): object {
  return { containerID: id, state: exitOf(id, timeOf(startedAt), finishedAt) };
}

export function heldBack(id: string, startedAt: number, finishedAt: number, delay: string): object {
  const message = `back-off ${delay} restarting failed container=app pod=web_default(uid-1)`;
  const waiting = { reason: "CrashLoopBackOff", message };
  return { containerID: id, state: { waiting }, lastState: exitOf(id, timeOf(startedAt), finishedAt) };
}

export function exitOf(id: string, startedAt: string, finishedAt: number): object {
  return { terminated: { containerID: id, exitCode: 1, startedAt, finishedAt: timeOf(finishedAt) } };
}

export function timeOf(second: number): string {
  return new Date(START_MS + second * 1000).toISOString();
}

export function madeUpRecording(lines: readonly RecordedLine[]): Recording {
  return { node: "node-x", pod: "web", lines, nodeRaw: null, configzRaw: null, nodeEventLines: [] };
}

export const ONE_WAIT: readonly RecordedLine[] = [
  podLine(1, running("a", 0)),
  podLine(6, terminated("a", 0, 5)),
  podLine(17, heldBack("a", 0, 5, "10s")),
  podLine(19, { ...running("b", 18), restartCount: 1 }),
];

/** Stands in for explain(), with the same window, in seconds after START_MS, and the same delay at every moment. */
export function explainAlways(window: readonly [number, number] | null, delayMs: number | null) {
  return ({ atMs, atBasis, pods }: Observation): Explanation => {
    const nextRestart = window && {
      notBeforeMs: START_MS + window[0] * 1000,
      likelyByMs: START_MS + window[1] * 1000,
    };
    const container = { name: "app", state: "backing-off", delayMs, nextRestart, evidence: [] };
    return { atMs, atBasis, pods: pods.map(({ pod }) => ({ uid: pod.uid, containers: [container] })) } as never;
  };
}
