import type { ContainerExplanation, PodExplanation } from "../../src/explain/answer/explanation.ts";
import { explain } from "../../src/explain/explain.ts";
import type {
  AtBasis,
  ContainerStatus,
  PodObservation,
  PodSnapshot,
  TerminatedState,
} from "../../src/explain/observed/observation.ts";
import { aPod, aStatus, observationOf, running, S, T0_MS, terminated, waiting } from "./builders.ts";

type Seen = Partial<PodObservation> & { readonly atMs: number; readonly atBasis?: AtBasis };

export function explainPod(pod: Partial<PodSnapshot>, { atBasis = "flag", ...seen }: Seen): PodExplanation {
  const [explained] = explain({ ...observationOf(aPod(pod), seen), atBasis }, {}).pods;
  if (explained === undefined) throw new Error("nothing was explained");
  return explained;
}

export function explainApp(pod: Partial<PodSnapshot>, seen: Seen): ContainerExplanation {
  const app = explainPod(pod, seen).containers.find(({ name }) => name === "app");
  if (app === undefined) throw new Error("no container app");
  return app;
}

export function at(seconds: number): number {
  return T0_MS + seconds * S;
}

/** `runs` are in seconds after T0_MS. */
export interface SeenRuns {
  /** At most two runs, the older one first. A run without an end is still up. */
  readonly runs: readonly (readonly [from: number, to?: number])[];
  readonly restarts: number;
  /** As in the kubelet's message, e.g. "2m40s". If absent, the status shows the exit instead of CrashLoopBackOff. */
  readonly delay?: string;
  readonly exit?: Partial<TerminatedState>;
}

export function statusOf(
  { runs, restarts, delay, exit }: SeenRuns,
  more: Partial<ContainerStatus> = {},
): ContainerStatus {
  const [newest = null, before = null] = runs
    .map(([from, to], index) => {
      const containerID = `containerd://${index}`;
      return to === undefined ? running(at(from)) : terminated(at(from), at(to), { containerID, ...exit });
    })
    .toReversed();
  const message = `back-off ${delay} restarting failed container=app pod=web_default(uid)`;
  const isNamed = delay !== undefined && newest?.kind === "terminated";
  const shown = isNamed
    ? { state: waiting("CrashLoopBackOff", message), lastState: newest }
    : { state: newest, lastState: before?.kind === "terminated" ? before : null };
  return aStatus({ restartCount: restarts, containerID: `containerd://${runs.length - 1}`, ...shown, ...more });
}

/**
 * Reads runs as tests write them, in seconds. "100-105 120-" is a run from second 100 to 105, and a run that is up
 * since second 120. "gap 13" is two runs of 5 s with 13 s between them, the second of which ends at second 1,000.
 */
export function runsIn(text: string): SeenRuns["runs"] {
  const gapS = Number(/^gap (\d+)$/.exec(text)?.[1]);
  const runs = Number.isNaN(gapS) ? text : `${990 - gapS}-${995 - gapS} 995-1000`;
  return runs.split(" ").map((run) => {
    const [from, to] = run.split("-");
    return to === "" ? [Number(from)] : [Number(from), Number(to)];
  });
}

export function outcomeOf({ state, delayMs, nextRestart, reset }: ContainerExplanation) {
  const seconds = (atMs: number): number => (atMs - T0_MS) / S;
  return {
    state,
    delayS: delayMs === null ? null : delayMs / S,
    windowS: nextRestart === null ? null : [seconds(nextRestart.notBeforeMs), seconds(nextRestart.likelyByMs)],
    resetS: reset === null ? null : seconds(reset.atMs),
  };
}
