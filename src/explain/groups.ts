import type { ContainerExplanation, Explanation, PodExplanation, PodGroup } from "./answer/explanation.ts";
import { greatestOf, leastOf } from "./observed/extremes.ts";
import type { Selection } from "./observed/observation.ts";

/** So many pods that were asked for by name are each told of: whoever names them wants to know each. */
const MOST_NAMED_ALONE = 3;

/** Whether nothing in the pod needs a reader: all has ended well, or runs without any back-off. */
export function isFine({ verdict, containers }: PodExplanation): boolean {
  if (verdict === "completed") return true;
  const isCalm = ({ state, reset }: ContainerExplanation): boolean =>
    state === "completed" || (state === "running" && reset === null);
  return verdict === "running" && containers.every((container) => isCalm(container) || container.type === "ephemeral");
}

/**
 * The explanation in the order in which it is told: pods in trouble before those that are fine, the ones that are alike
 * together. Pods that were asked for by name keep their place, and a few of them stand for themselves.
 */
export function inGroups(explanation: Explanation, selection: Selection): Explanation {
  const { pods } = explanation;
  const named = new Set(selection.named);
  const isNamed = ({ namespace, name }: PodExplanation): boolean => named.has(`${namespace}/${name}`);
  const isAside = (pod: PodExplanation): boolean => pods.length > 1 && isFine(pod) && !isNamed(pod);
  const keyOf = (pod: PodExplanation): string => {
    if (isAside(pod)) return "fine";
    const isAlone = isFine(pod) || pod.owner === null || (isNamed(pod) && named.size <= MOST_NAMED_ALONE);
    return isAlone ? JSON.stringify([pod.namespace, pod.name]) : likeness(pod);
  };
  const groups = [...Map.groupBy(pods, keyOf)].map(([key, members]) => {
    return { kind: key === "fine" ? ("fine" as const) : ("alike" as const), members: members.toSorted(byNextStart) };
  });
  const ordered = [...groups.filter(({ kind }) => kind === "alike"), ...groups.filter(({ kind }) => kind === "fine")];
  return { ...explanation, pods: ordered.flatMap(({ members }) => members), groups: numbered(ordered), selection };
}

function numbered(groups: readonly { kind: PodGroup["kind"]; members: readonly PodExplanation[] }[]): PodGroup[] {
  let first = 0;
  return groups.map(({ kind, members }) => {
    const indices = members.map((_, index) => first + index);
    first += members.length;
    return { kind, members: indices };
  });
}

/** What two pods have in common if one explanation does for both; the delay is one of the curve's steps. */
function likeness({ namespace, owner, verdict, containers, gaps }: PodExplanation): string {
  const troubled = containers
    .filter(({ state, reset }) => state !== "completed" && (state !== "running" || reset !== null))
    .map(({ name, state, delayMs, nextRestart, overdue, lastExit, reported, obstacle }) => {
      const word = lastExit === null ? reported : null;
      const next = [nextRestart === null, overdue === null];
      return [name, state, delayMs, ...next, lastExit?.cause, lastExit?.exitCode, word, obstacle?.reason];
    });
  const isDark = gaps.some(({ code }) => code === "node-not-ready");
  return JSON.stringify([namespace, owner, verdict, isDark, troubled]);
}

/** Those that will not start again follow, the one that ended last before the others. */
function byNextStart(a: PodExplanation, b: PodExplanation): number {
  return nextStartOf(a) - nextStartOf(b) || newestExitOf(b) - newestExitOf(a);
}

function nextStartOf({ containers }: PodExplanation): number {
  return leastOf(
    containers.flatMap(({ nextRestart }) => nextRestart?.notBeforeMs ?? []),
    Number.MAX_SAFE_INTEGER,
  );
}

function newestExitOf({ containers }: PodExplanation): number {
  return greatestOf(
    containers.flatMap(({ lastExit }) => lastExit?.finishedAtMs ?? []),
    0,
  );
}
