import type { Cause, LastExit } from "../../explain/answer/explanation.ts";
import { formatElapsed } from "./durations.ts";

/** Causes that tell more than the exit code; the others are told by the code alone. */
const CAUSES: Partial<Readonly<Record<Cause, { readonly tag: string; readonly clause: string }>>> = {
  oom: { tag: "OOM", clause: "out of memory" },
  "liveness-probe": { tag: "liveness", clause: "killed by its liveness probe" },
  "startup-probe": { tag: "startup", clause: "killed by its startup probe" },
  "post-start-hook": { tag: "postStart", clause: "its postStart hook failed" },
  "start-error": { tag: "start error", clause: "it could not be started" },
  "restart-all": { tag: "restart all", clause: "stopped with all its pod's containers" },
  "spec-change": { tag: "spec change", clause: "stopped because its spec changed" },
};

/** An exit inside a sentence: "code 1, after 7s", "probably killed by its liveness probe, code 137, after 42s". */
export function exitClause(exit: LastExit): string {
  const cause = CAUSES[exit.cause]?.clause;
  const guess = exit.causeBasis === "inferred" ? "probably " : "";
  const code = hasOwnCode(exit) ? [`code ${exit.exitCode}`] : [];
  return [...(cause === undefined ? [] : [guess + cause]), ...code, ...runLength(exit)].join(", ");
}

/** An exit inside a cell: "1", "137 OOM". */
export function exitTag(exit: LastExit): string {
  const cause = CAUSES[exit.cause]?.tag;
  return [...(hasOwnCode(exit) ? [`${exit.exitCode}`] : []), ...(cause === undefined ? [] : [cause])].join(" ");
}

/** The kubelet makes up a 137 for the containers that it removes together; nothing has exited with it. */
function hasOwnCode({ cause }: LastExit): boolean {
  return cause !== "restart-all";
}

/** How long the instance ran: "after 7s"; nothing if that is unknown. */
export function runLength({ startedAtMs, finishedAtMs }: LastExit): string[] {
  return startedAtMs === null || finishedAtMs === null ? [] : [`after ${formatElapsed(finishedAtMs - startedAtMs)}`];
}
