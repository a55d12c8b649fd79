import type { Timers } from "../../cluster/connection/timers.ts";
import type { PodExplanation } from "../../explain/answer/explanation.ts";
import type { WaitCondition, WaitState } from "../../explain/follow/wait-for.ts";
import type { Frame, WatchSession } from "../watch/watch-session.ts";

/** How a wait ended: as the condition says, or waiting still, when time was up or it was stopped. */
export interface Waited {
  readonly state: WaitState;
  /** The pod as it was last seen. */
  readonly pod: PodExplanation;
  readonly atMs: number;
}

/** Looks at every frame until the condition is met, cannot be met any more, or `timeoutMs` are over; 0 looks once. `onWaiting` is told how it goes on. */
export async function waitUntil(
  session: WatchSession,
  condition: WaitCondition,
  timeoutMs: number,
  timers: Timers,
  onWaiting: (waited: Waited) => void,
): Promise<Waited> {
  const callOff = timers.after(timeoutMs, () => session.end());
  let last: Waited | null = null;
  try {
    for await (const frame of session.frames()) {
      last = lookAt(frame, condition);
      if (last.state.kind !== "waiting" || timeoutMs === 0) break;
      onWaiting(last);
    }
  } finally {
    callOff();
    session.end();
  }
  if (last === null) throw new Error("a watch without any frame");
  return last;
}

function lookAt({ explanation, observed, end }: Frame, condition: WaitCondition): Waited {
  const { atMs } = explanation;
  const [pod] = explanation.pods;
  if (pod === undefined) throw new Error("a frame without a pod");
  if (end === null) return { state: condition({ observed, explained: pod, atMs }), pod, atMs };
  const because = end === "replaced" ? "it is gone, and another pod has its name" : "it has been deleted";
  return { state: { kind: "impossible", because }, pod, atMs };
}
