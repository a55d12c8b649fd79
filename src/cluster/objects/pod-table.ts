import { RESET_AFTER_MS, RESTART_PERIOD_RANGE } from "../../kubelet/crash-loop-policy.ts";
import { MINUTE_MS } from "../../kubelet/go-duration.ts";
import { kindOfWaiting } from "../../kubelet/waiting-reasons.ts";
import { at, objectsOf, textOf } from "./json-access.ts";
import { cellsOf } from "./server-table.ts";

export interface PodRow {
  readonly namespace: string | null;
  readonly name: string;
  /** E.g. "1/2": of two app containers and sidecars, one is ready. */
  readonly ready: string;
  /** E.g. "Running", "CrashLoopBackOff", "Init:Error". */
  readonly status: string;
  /** E.g. "5" or "5 (2m ago)". */
  readonly restarts: string;
  /** E.g. "42s", "3m10s", "5d". */
  readonly age: string;
  /** Null also if the table has no column for the node. */
  readonly nodeName: string | null;
}

const COLUMNS = ["Name", "Ready", "Status", "Restarts", "Age"];
/** An optional column, which `kubectl get` prints only with `-o wide`. */
const NODE = "Node";

/** Null if `body` is no Table or lacks one of `COLUMNS`. If `namespace` is null, each row's metadata may have it. */
export function podRowsOf(body: unknown, namespace: string | null): readonly PodRow[] | null {
  const rows = cellsOf(body, [...COLUMNS, NODE]) ?? cellsOf(body, COLUMNS);
  if (rows === null) return null;
  const objects = objectsOf(at(body, "rows"));
  return rows.map(([name = "", ready = "", status = "", restarts = "", age = "", node = ""], index) => ({
    namespace: namespace ?? textOf(at(objects[index], "object", "metadata", "namespace")),
    name,
    ready,
    status,
    restarts,
    age,
    nodeName: node === "" || node === "<none>" ? null : node,
  }));
}

/** The statuses of pods whose containers the kubelet should not start, or not yet. */
const AT_REST = /^(SchedulingGated|Terminating)$/;
/** STATUS, READY and RESTARTS before the start of a pod's only container. Of several, another may be down. */
const CREATING = /^(ContainerCreating|PodInitializing) 0\/1 0$/;
/** Assumed: most pods start within two minutes. The API server prints a lower age in seconds. */
const NEW = /^\d+s$/;
const ENDED = /^(Error|Completed|ExitCode:\d+|Signal:\d+)$/;

/**
 * Whether a container of the pod may be in back-off, restarting or failing to start. If all are ready, none is down:
 * `printPod` (v1.37.1, pkg/printers/internalversion/printers.go) counts only running containers as ready. The status
 * alone does not suffice: it is about one container, and stays "Running" if a sidecar has exited with 0.
 */
export function mayBeDown({ ready, status, restarts, age }: PodRow): boolean {
  if (AT_REST.test(status)) return false;
  if (status === "Running") return !areAllReady(ready);
  return !(CREATING.test(`${status} ${ready} ${restarts}`) && NEW.test(age));
}

/** The longest time since the last exit in a crash loop, in whole minutes: the longest wait, and a run until the reset. */
const LONGEST_SINCE_EXIT_MINUTES = Math.floor((RESTART_PERIOD_RANGE.mostMs + RESET_AFTER_MS) / MINUTE_MS);

/**
 * Whether a container may crash-loop although it runs now: the pod's containers have restarted at least twice, the last
 * time recently. False for API servers of v1.21 and older, which do not print when the last exit was.
 */
export function mayLoop({ restarts }: Pick<PodRow, "restarts">): boolean {
  const [, count = "0", minutes = "0"] = /^(\d+) \((?:(\d+)m)?(?:\d+s)? ago\)$/.exec(restarts) ?? [];
  return Number(count) >= 2 && Number(minutes) <= LONGEST_SINCE_EXIT_MINUTES;
}

/** Returns which log has the last exit. Null if unknown: a row does not show which of several containers has exited. */
export function crashLogIn({ ready, status, restarts }: PodRow): "current" | "previous" | null {
  if (!/^[01]\/1$/.test(ready)) return null;
  if (status === "CrashLoopBackOff") return "previous";
  if (status === "Running") return mayLoop({ restarts }) ? "previous" : null;
  return ENDED.test(status) ? "current" : null;
}

export function mayBeSlowToStart({ status, age, nodeName }: PodRow): boolean {
  return BEFORE_START.test(status) && nodeName !== null && !NEW.test(age);
}

/** The statuses of pods without a started app container. In an "Init:0/2" pod, an init container may already run. */
const BEFORE_START = /^(Pending|ContainerCreating|PodInitializing|Init:0\/\d+)$/;

/** Can be false although an image is missing, because the status is about one container only. */
export function mayBeWithoutImage({ status }: Pick<PodRow, "status">): boolean {
  return kindOfWaiting(status.replace(/^Init:/, "")) === "image-pull";
}

export function areAllUp({ ready, status }: PodRow): boolean {
  return status === "Running" && areAllReady(ready);
}

export function areAllReady(ready: string): boolean {
  const [count, all] = ready.split("/");
  return count === all;
}
