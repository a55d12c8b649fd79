import { RESET_AFTER_MS, RESTART_PERIOD_RANGE } from "../../kubelet/crash-loop-policy.ts";
import { MINUTE_MS } from "../../kubelet/go-duration.ts";
import { kindOfWaiting } from "../../kubelet/waiting-reasons.ts";
import { at, objectsOf, textOf } from "./json-access.ts";
import { cellsOf } from "./server-table.ts";

export interface PodRow {
  readonly namespace: string | null;
  readonly name: string;
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
  readonly age: string;
  readonly nodeName: string | null;
}

const COLUMNS = ["Name", "Ready", "Status", "Restarts", "Age"];
const NODE = "Node";

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

const AT_REST = /^(SchedulingGated|Terminating)$/;
/** READY must be 0/1, because in a pod with more containers, another container may be down. */
const CREATING = /^(ContainerCreating|PodInitializing) 0\/1 0$/;
/** Assumed: most pods start within two minutes. The API server prints an age below two minutes in seconds. */
const NEW = /^\d+s$/;
const ENDED = /^(Error|Completed|ExitCode:\d+|Signal:\d+)$/;

/**
 * The status alone is not enough: it can be "Running" while a sidecar has exited with 0 (`printPod`, v1.37.1,
 * pkg/printers/internalversion/printers.go).
 */
export function mayBeDown({ ready, status, restarts, age }: PodRow): boolean {
  if (AT_REST.test(status)) return false;
  if (status === "Running") return !areAllReady(ready);
  return !(CREATING.test(`${status} ${ready} ${restarts}`) && NEW.test(age));
}

/** The maximum delay plus the longest run that does not reset the back-off. */
const LONGEST_SINCE_EXIT_MINUTES = Math.floor((RESTART_PERIOD_RANGE.mostMs + RESET_AFTER_MS) / MINUTE_MS);

/** Always false for API servers of v1.21 and older, which do not print when the last restart was. */
export function mayLoop({ restarts }: Pick<PodRow, "restarts">): boolean {
  const [, count = "0", minutes = "0"] = /^(\d+) \((?:(\d+)m)?(?:\d+s)? ago\)$/.exec(restarts) ?? [];
  return Number(count) >= 2 && Number(minutes) <= LONGEST_SINCE_EXIT_MINUTES;
}

/** Returns null unless READY is 0/1 or 1/1, because otherwise a row does not show which container has exited. */
export function crashLogIn({ ready, status, restarts }: PodRow): "current" | "previous" | null {
  if (!/^[01]\/1$/.test(ready)) return null;
  if (status === "CrashLoopBackOff") return "previous";
  if (status === "Running") return mayLoop({ restarts }) ? "previous" : null;
  return ENDED.test(status) ? "current" : null;
}

export function mayBeSlowToStart({ status, age, nodeName }: PodRow): boolean {
  return BEFORE_START.test(status) && nodeName !== null && !NEW.test(age);
}

const BEFORE_START = /^(Pending|ContainerCreating|PodInitializing|Init:0\/\d+)$/;

/** Can be false although an image is missing, because the status is about only one of the pod's containers. */
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
