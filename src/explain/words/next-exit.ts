import { isOfRestartAll } from "../../kubelet/exit-codes.ts";
import { formatBriefDuration, roundToSecond } from "../../kubelet/go-duration.ts";
import { KILLED_BECAUSE } from "../answer/excerpt.ts";
import type { ContainerExplanation, NextExit } from "../answer/explanation.ts";
import { joinedWords } from "../answer/prose.ts";
import { delaysAfterNextRun } from "../prediction/next-exit.ts";
import type { Prediction } from "../prediction/prediction.ts";
import type { RestartAllCycle } from "../prediction/sibling-starts.ts";

export function whyRunning(prediction: Prediction): string {
  const { kill } = prediction;
  if (kill === null) return keepsRunning(prediction);
  const forecast = forecastOf(prediction);
  const stopping = `It is being killed: ${KILLED_BECAUSE[kill.cause]}. It has ${formatBriefDuration(kill.graceMs)} to stop.`;
  return forecast === null ? stopping : `${stopping} ${forecast}`;
}

function keepsRunning(prediction: Prediction): string {
  const { facts, delayMs } = prediction;
  if (facts.status?.state?.kind === "waiting")
    return "A new instance is running, but its postStart hook, or the kill after it, has not finished, so the API still shows the old state.";
  const hasExited = facts.runs.length > 1 || (facts.status?.restartCount ?? 0) > 0;
  if (facts.restartingExits === "none")
    return `It is running${hasExited ? "" : " and has never exited"}; its restart policy never restarts it.`;
  if (!hasExited) return "It is running and has never exited.";
  if (delayMs === 0 && isOfRestartAll(facts.lastExit))
    return "It is running. A RestartAllContainers rule restarted the whole pod, which starts no back-off.";
  return nextDelay(prediction);
}

function nextDelay(prediction: Prediction): string {
  const { ifItExits, reset, policy, restartAll } = prediction;
  const forecast = forecastOf(prediction);
  if (forecast === null) return "It is running; the wait after its next exit is unknown.";
  const [likely] = ifItExits ?? [];
  const lag = likely !== undefined && likely.probe !== null ? ` ${AFTER_A_KILL}` : "";
  const earlier = restartAll === null || likely?.delayMs === 0 ? "" : ` ${earlierWithAll(restartAll)}`;
  const gone =
    reset === null
      ? ""
      : ` Once it has run for ${formatBriefDuration(policy.resetAfterMs)}, the back-off is gone: the first restart is immediate, the next waits ${formatBriefDuration(policy.initialMs)}.`;
  return `It is running. ${forecast}${lag}${earlier}${gone}`;
}

export function earlierWithAll({ container, averageMs }: RestartAllCycle): string {
  const pace = formatBriefDuration(roundToSecond(averageMs));
  return `It may restart sooner: each exit of ${container} restarts all containers (every ${pace} on average so far).`;
}

const AFTER_A_KILL =
  "When the kubelet kills a container itself, it counts the wait from the previous exit, so some restarts are immediate.";

export function forecastOf({ facts, kill, ifItExits }: Prediction): string | null {
  const [likely, other] = ifItExits ?? [];
  if (likely === undefined) return null;
  if (kill !== null && likely.otherDelaysMs !== undefined) return `When it has stopped, ${consequence(likely)}.`;
  if (kill !== null)
    return likely.delayMs === 0
      ? "The kubelet restarts it as soon as it has stopped."
      : `When it has stopped, ${consequence(likely)} before restarting it.`;
  const fails = facts.spec.type === "init" || facts.restartingExits === "failures" ? "fails" : "exits";
  const restarts = `${consequence(likely)}.`;
  if (other === undefined)
    return delaysIn(likely) === null ? `No back-off: if it ${fails}, ${restarts}` : `If it ${fails} now, ${restarts}`;
  const [itself, killed] = likely.probe === null ? [likely, other] : [other, likely];
  const probe = `its ${(killed.probe ?? "liveness-probe").replace("-", " ")} fails`;
  if (consequence(likely) === consequence(other))
    return likely === itself
      ? `If it ${fails} or ${probe}, ${restarts}`
      : `If ${probe} again or it ${fails}, ${restarts}`;
  return likely === itself
    ? `If it ${fails}, ${consequence(itself)}; if ${probe}, ${consequence(killed)}.`
    : `If ${probe} again, ${consequence(killed)}; if it ${fails} by itself, ${consequence(itself)}.`;
}

export function waysToEnd(prediction: Prediction): ContainerExplanation["ways"] {
  const { kill, ifItExits } = prediction;
  const killed = ifItExits?.find(({ probe }) => probe !== null);
  const itself = ifItExits?.find(({ probe }) => probe === null);
  if (killed === undefined || itself === undefined) return waysOfNextRun(prediction);
  const [afterKill, afterExit] = [`${consequence(killed)}.`, `${consequence(itself)}.`];
  return kill !== null || afterKill === afterExit ? null : { afterKill, afterExit };
}

function waysOfNextRun(prediction: Prediction): ContainerExplanation["ways"] {
  const ends = endsOfNextRun(prediction);
  if (ends?.areDifferent !== true) return null;
  return {
    afterKill: `after another kill by its probe, ${ends.afterKill}, because the kubelet counts that wait from this exit.`,
    afterExit: `after an exit by itself, ${ends.afterExit}.`,
  };
}

export function endsOfNextRun({ state, wait, facts, observed, policy }: Prediction) {
  if (state !== "backing-off" || wait === null || wait.likeliest.isDropped) return null;
  const { afterExitMs, afterKillMs } = delaysAfterNextRun(facts, wait, observed.pod.gracePeriodMs, policy);
  return {
    afterExitMs,
    hasKills: afterKillMs.length > 0,
    areDifferent: afterKillMs.some((delayMs) => delayMs !== afterExitMs),
    afterKill: afterKillMs.map((delayMs) => consequence({ delayMs })).join(" or "),
    afterExit: consequence({ delayMs: afterExitMs }),
  };
}

export function afterNextRun(prediction: Prediction): string {
  const ends = endsOfNextRun(prediction);
  if (ends === null || !ends.hasKills) return "";
  if (!ends.areDifferent) return AFTER_A_KILL;
  const { afterKill, afterExit } = ends;
  return `After its next run, if its probe kills it again, ${afterKill}; if it exits by itself, ${afterExit}. ${AFTER_A_KILL}`;
}

function consequence(exit: Pick<NextExit, "delayMs" | "otherDelaysMs">): string {
  const delays = delaysIn(exit);
  if (delays === null) return "it restarts immediately";
  const isImmediate = exit.delayMs === 0 || exit.otherDelaysMs?.includes(0) === true;
  return isImmediate ? `it restarts immediately or after a wait of ${delays}` : `the kubelet waits ${delays}`;
}

const MOST_LISTED = 3;

export function delaysIn({ delayMs, otherDelaysMs = [] }: Pick<NextExit, "delayMs" | "otherDelaysMs">): string | null {
  const delays = [delayMs, ...otherDelaysMs].filter((ms) => ms > 0).toSorted((a, b) => a - b);
  const words = delays.map(formatBriefDuration);
  if (words.length === 0) return null;
  return words.length > MOST_LISTED ? `${words[0]} to ${words.at(-1)}` : joinedWords(words, "or");
}
