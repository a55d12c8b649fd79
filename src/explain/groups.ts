import type { Explanation, PodExplanation } from "./answer/explanation.ts";
import { isNodeDown } from "./answer/node-outage.ts";
import { podKey } from "./observed/lookups.ts";
import { greatestOf } from "./observed/max-min.ts";
import type { Selection } from "./observed/observation.ts";
import { byStart, isFine, isWell, nextStartOf } from "./triage.ts";

/** Pods that the user named are grouped with other pods only if the user named more than this many. */
const MOST_NAMED_ALONE = 3;

export function inGroups(explanation: Explanation, selection: Selection): Explanation {
  const named = new Set(selection.named);
  const groupKeyOf = (pod: PodExplanation): string => {
    const isNamed = named.has(podKey(pod));
    if (explanation.pods.length > 1 && isFine(pod) && !isNamed) return "fine";
    const isAlone = isFine(pod) || pod.owner === null || (isNamed && named.size <= MOST_NAMED_ALONE);
    return isAlone ? JSON.stringify([pod.namespace, pod.name]) : failureKey(pod);
  };
  const groups = [...Map.groupBy(explanation.pods, groupKeyOf)]
    .map(([key, members]) => {
      return { kind: key === "fine" ? ("fine" as const) : ("alike" as const), members: members.toSorted(byTelling) };
    })
    .sort((a, b) => Number(a.kind === "fine") - Number(b.kind === "fine"));
  let place = 0;
  return {
    ...explanation,
    pods: groups.flatMap(({ members }) => members),
    groups: groups.map(({ kind, members }) => ({ kind, members: members.map(() => place++) })),
    selection,
  };
}

/** In a crash loop, `state` and `reported` of a container change again and again, so the key leaves them out. */
function failureKey({ unreadyGates, ...pod }: PodExplanation): string {
  const { namespace, owner, verdict, containers, ending } = pod;
  const troubled = containers
    .filter((container) => !isWell(container))
    .map(({ name, state, isCrashLooping, nextRestart, overdue, lastExit, reported, obstacle, isReady }) => {
      const word = lastExit === null && !isCrashLooping ? reported : null;
      const turn = isCrashLooping ? [] : [state, nextRestart === null, isReady];
      return [name, ...turn, overdue === null, lastExit?.cause, lastExit?.exitCode, word, obstacle?.reason];
    });
  const isDark = isNodeDown(pod);
  return JSON.stringify([namespace, owner, verdict, ending?.reason, isDark, troubled, unreadyGates]);
}

function byTelling(a: PodExplanation, b: PodExplanation): number {
  return Number(hasLog(b)) - Number(hasLog(a)) || byNextStart(a, b);
}

function hasLog({ containers }: PodExplanation): boolean {
  return containers.some(({ logs }) => logs !== undefined);
}

function byNextStart(a: PodExplanation, b: PodExplanation): number {
  const [one, other] = [nextStartOf(a), nextStartOf(b)];
  const byWindow = one === null || other === null ? Number(one === null) - Number(other === null) : byStart(one, other);
  return byWindow || newestExitOf(b) - newestExitOf(a);
}

function newestExitOf({ containers }: PodExplanation): number {
  const exits = containers.flatMap(({ lastExit }) => lastExit?.finishedAtMs ?? []);
  return greatestOf(exits, 0);
}
