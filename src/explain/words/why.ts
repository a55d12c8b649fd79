import { instantIn } from "../answer/instant-words.ts";
import type { Findings } from "./findings.ts";
import { phaseWords, whyBackingOff, whyRestarting, whyStaysDown } from "./why-down.ts";
import { whyRunning } from "./why-running.ts";
import { whyStarting } from "./why-starting.ts";

/** The mechanism with its numbers, in one or two sentences, and of what is overdue by when it usually has run its course. */
export function whyOf(found: Findings): string {
  const { overdue } = found;
  const mechanism = mechanismOf(found);
  return overdue === null
    ? mechanism
    : `${mechanism} In 99 of 100 cases it has done so by ${instantIn(overdue.expectedByMs)}.`;
}

function mechanismOf(found: Findings): string {
  const { observed } = found;
  if (observed.pod.deletionAtMs !== null && found.state !== "running")
    return "The pod is being deleted: nothing restarts.";
  switch (found.state) {
    case "backing-off":
      return whyBackingOff(found);
    case "restarting":
      return whyRestarting(found);
    case "running":
      return whyRunning(found);
    case "starting":
      return whyStarting(found);
    case "blocked":
      return "It starts after the init containers and sidecars before it.";
    case "completed":
    case "failed":
      return whyStaysDown(found);
    case "unknown":
      return whyUnknown(found);
  }
}

function whyUnknown({ facts, observed: { pod } }: Findings): string {
  if (facts.spec.type === "ephemeral") return "Ephemeral containers never restart.";
  if (pod.phase === "Failed" || pod.phase === "Succeeded")
    return `${phaseWords(pod)}; the API has no status of this container.`;
  return "No status reported yet.";
}
