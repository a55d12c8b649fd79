import type { ListItem, NotReadyPod } from "../../src/explain/answer/backoff-list.ts";
import type { FailedJob } from "../../src/explain/answer/explanation.ts";
import type { ListLook } from "../../src/render/list/list-table.ts";

export const LISTED_AT_MS = Date.UTC(2026, 10, 21, 12, 10);

export const A_LOOK: ListLook = {
  columns: Number.POSITIVE_INFINITY,
  isWide: false,
  hasNamespaces: false,
  hasHeaders: true,
  isGrouped: false,
  isDownOnly: false,
  color: false,
};

/** The look of a list of several namespaces into a pipe. */
export const A_GROUPED_LOOK: ListLook = { ...A_LOOK, hasNamespaces: true, isGrouped: true };

export function anItem(overrides: Partial<ListItem> = {}): ListItem {
  return {
    namespace: "prod",
    pod: "web-0",
    container: "app",
    state: "backing-off",
    startedAtMs: null,
    isReady: false,
    isOnlyApp: true,
    readiness: { ready: 0, all: 1 },
    lastExitLog: "previous",
    lastLogLine: null,
    reported: "CrashLoopBackOff",
    restartCount: 5,
    delayMs: 160_000,
    nextRestart: { notBeforeMs: LISTED_AT_MS + 87_000, likelyByMs: LISTED_AT_MS + 117_000 },
    overdue: null,
    cause: "exited",
    lastExit: { exitCode: 1, signal: null },
    message: null,
    failingSince: { atMs: LISTED_AT_MS - 480_000, basis: "observed" },
    isByDefaults: false,
    node: "node-a",
    isNodeReady: true,
    owner: { kind: "StatefulSet", name: "web" },
    workload: { kind: "StatefulSet", name: "web" },
    createdAtMs: LISTED_AT_MS - 600_000,
    image: "registry.example/web:1",
    sources: [],
    ...overrides,
  };
}

export const exited = (exitCode: number, signal: number | null = null) => ({ exitCode, signal });
export const ahead = (fromSeconds: number, toSeconds: number) => ({
  notBeforeMs: LISTED_AT_MS + fromSeconds * 1000,
  likelyByMs: LISTED_AT_MS + toSeconds * 1000,
});
export const overdue = { expectedByMs: LISTED_AT_MS - 300_000, check: "" };

export function itemOf(name: string, secondsAgo: number | null, overrides: Partial<ListItem> = {}): ListItem {
  const failingSince =
    secondsAgo === null ? null : { atMs: LISTED_AT_MS - secondsAgo * 1_000, basis: "observed" as const };
  const image = `registry.example/${name}:1`;
  const workload = { kind: "Deployment", name };
  return anItem({ pod: `${name}-6d5b7c9f4d-x2x4q`, container: name, workload, failingSince, image, ...overrides });
}

export function aFailedJob(overrides: Partial<FailedJob> = {}): FailedJob {
  return {
    ...{ namespace: "prod", name: "migrate", failedAtMs: null, reason: null, message: null },
    ...{ failedPods: 3, backoffLimit: 2, summary: "", nextSteps: [] },
    ...overrides,
  };
}

export function aNotReadyPod(overrides: Partial<NotReadyPod> = {}): NotReadyPod {
  return {
    ...{ namespace: "prod", pod: "core-0", node: "node-a", createdAtMs: LISTED_AT_MS - 600_000 },
    owner: { kind: "StatefulSet", name: "core" },
    workload: { kind: "StatefulSet", name: "core" },
    sinceMs: LISTED_AT_MS - 300_000,
    readiness: { ready: 0, all: 1 },
    ...{ cause: "readiness-probe", message: null },
    container: { name: "core", isOnlyApp: true, restartCount: 0, reported: "Running" },
    waitsFor: null,
    ...overrides,
  };
}
