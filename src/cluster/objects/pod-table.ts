import { cellsOf } from "./server-table.ts";

/** One pod as the API server's own table shows it: the columns of `kubectl get pods`. */
export interface PodRow {
  readonly name: string;
  /** "1/2": of the app containers and sidecars, how many are ready. */
  readonly ready: string;
  /** What it makes of all containers: "Running", "CrashLoopBackOff", "Init:Error" … */
  readonly status: string;
  /** "5", or "5 (2m ago)". */
  readonly restarts: string;
}

/** The rows of a Table of pods; null if it is none, or has other columns. Whatever it is given, it does not throw. */
export function podRowsOf(body: unknown): readonly PodRow[] | null {
  const rows = cellsOf(body, ["Name", "Ready", "Status", "Restarts"]);
  return (
    rows?.map(([name = "", ready = "", status = "", restarts = ""]) => ({ name, ready, status, restarts })) ?? null
  );
}

/** Nothing of the pod is started any more, or yet. */
const AT_REST = /^(Pending|SchedulingGated|Terminating)$/;
/** The start of its only container is before it; of several, another one may be down. */
const CREATING = /^(ContainerCreating|PodInitializing) 0\/1 0$/;

/**
 * Whether a container of the pod may be in back-off, restarting or failing to start: only then is the pod worth reading.
 * `printPod` (v1.37.1, pkg/printers/internalversion/printers.go) counts a container as ready only while it runs, so where all
 * are ready none is down. The status alone does not do: a sidecar that has exited with 0 leaves it at "Running", and of
 * several containers only one is told.
 */
export function mayBeDown({ ready, status, restarts }: PodRow): boolean {
  if (AT_REST.test(status)) return false;
  if (status === "Running") return !areAllReady(ready);
  return !CREATING.test(`${status} ${ready} ${restarts}`);
}

/**
 * Whether a container of the pod may be up in the midst of a crash loop: at least two restarts, the last exit so short ago that
 * the wait after it (5m24s at most) and a run that has not outlived its back-off (10m) fit in between. Servers up to v1.21 do
 * not say when that was.
 */
export function mayLoop({ restarts }: Pick<PodRow, "restarts">): boolean {
  const [, count = "0", minutes = "0"] = /^(\d+) \((?:(\d+)m)?(?:\d+s)? ago\)$/.exec(restarts) ?? [];
  return Number(count) >= 2 && Number(minutes) <= 15;
}

export function areAllUp({ ready, status }: PodRow): boolean {
  return status === "Running" && areAllReady(ready);
}

function areAllReady(ready: string): boolean {
  const [count, all] = ready.split("/");
  return count === all;
}
