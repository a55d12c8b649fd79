import type { Explanation, PodExplanation, PodGroup, Verdict } from "../../explain/answer/explanation.ts";
import { awaitsRestart, byStart, mainContainer, nextStartOf, troubleOf } from "../../explain/triage.ts";
import { formatWindow } from "../page/durations.ts";
import { labelled, type Page } from "../page/page.ts";
import { counted } from "../page/paint.ts";
import { wrap } from "../page/width.ts";

const MOST_NAMES = 20;

/**
 * Returns pods as blocks of lines. Of a group of similar pods, only the first to restart is explained in full, and the
 * others are named. Healthy pods are also only named. The last block says how many pods were left out.
 */
export function groupBlocks(
  explanation: Explanation,
  page: Page,
  podBlock: (pod: PodExplanation, page: Page, also?: readonly string[]) => string[],
): string[][] {
  const { pods, groups } = explanation;
  if (groups === undefined) return pods.map((pod) => podBlock(pod, page));
  const blocks = groups.map((group) => {
    const [lead, ...others] = group.members.flatMap((index) => pods[index] ?? []);
    if (lead === undefined) return [];
    if (group.kind === "fine") {
      const names = [lead, ...others].map(({ namespace, name }) => `${namespace}/${name}`);
      return wrap(`${counted(names.length, "healthy pod")}: ${listed(names)}.`, page.columns);
    }
    if (others.length === 0) return podBlock(lead, page);
    return [...opening(lead, group, explanation, page), ...podBlock(lead, page, alsoLines(lead, others, page))];
  });
  blocks.push(wrap(leftOutSentence(explanation) ?? "", page.columns));
  return blocks.filter((lines) => lines.length > 0);
}

/** The words for each verdict, the most urgent verdict first. */
const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  "crash-looping": "are crash-looping",
  "image-pull-back-off": "can't pull their image",
  "start-failing": "can't start",
  failed: "have failed",
  unknown: "have no usable status",
  pending: "are pending",
  terminating: "are being deleted",
  running: "are running",
  completed: "have completed",
};

/** Returns what the pods like `lead` have in common. A verdict alone does not say that a pod is down, or is not Ready. */
function predicate(lead: PodExplanation): string {
  const main = mainContainer(lead);
  if (lead.verdict === "pending" && main !== undefined && awaitsRestart(main)) return "are down";
  const isReady = lead.containers.every((container) => troubleOf(container) !== "not-ready");
  return lead.verdict === "running" && !isReady ? "are running, but not ready" : VERDICT_WORDS[lead.verdict];
}

function opening(lead: PodExplanation, { members }: PodGroup, { pods, selection }: Explanation, page: Page): string[] {
  const owner = topOwner(lead);
  const all = pods.filter((pod) => pod.namespace === lead.namespace && topOwner(pod) === owner).length;
  // Of a healthy pod, perhaps only the ReplicaSet is known: then the pod may belong to the same owner.
  const isOpen = pods.some((pod) => topOwner(pod) !== owner && topOwner(pod).startsWith("replicaset/"));
  const isWhole = !isOpen && (selection?.leftOutFine ?? 0) + (selection?.leftOutInTrouble ?? 0) === 0;
  const count = isWhole ? `${members.length} of ${all} pods` : `${members.length} pods`;
  const which = nextStartOf(lead) === null ? "One of them" : "The first to restart";
  return wrap(`${count} of ${owner} ${predicate(lead)}. ${which}:`, page.columns);
}

function topOwner({ owners = [], owner }: PodExplanation): string {
  const top = owners.at(-1) ?? owner;
  return top === null ? "no owner" : `${top.kind.toLowerCase()}/${top.name}`;
}

function alsoLines(lead: PodExplanation, others: readonly PodExplanation[], page: Page): string[] {
  const names = others.map((pod) => {
    const next = nextStartOf(pod);
    const runs = pod.verdict === "crash-looping" && mainContainer(pod)?.state === "running";
    const when = next === null ? (runs ? " (running)" : "") : ` (${formatWindow(next, page.nowMs)})`;
    return `${pod.namespace === lead.namespace ? "" : `${pod.namespace}/`}${pod.name}${when}`;
  });
  return labelled("Also", listed(names), page);
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(", ");
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/** Returns "Showing 10 of 300 pods (290 healthy not shown)."; null if no pod was left out. */
export function leftOutSentence({ pods, selection }: Explanation): string | null {
  if (selection === undefined || selection.leftOutFine + selection.leftOutInTrouble === 0) return null;
  const { matched, leftOutFine, leftOutInTrouble } = selection;
  const rest = [
    ...(leftOutInTrouble > 0 ? [`${leftOutInTrouble} more failing`] : []),
    ...(leftOutFine > 0 ? [`${leftOutFine} healthy`] : []),
  ];
  const way = leftOutInTrouble > 0 ? " Narrow down with -n or -l." : "";
  return `Showing ${pods.length} of ${matched} pods (${rest.join(", ")} not shown).${way}`;
}

/** Returns "3 pods: 2 crash-looping, 1 running. First to restart: app of shop/web-0, in 20s." */
export function totals(pods: readonly PodExplanation[], page: Page): string {
  const counts = Object.keys(VERDICT_WORDS).flatMap((verdict) => {
    const count = pods.filter((pod) => pod.verdict === verdict).length;
    return count > 0 ? [`${count} ${verdict}`] : [];
  });
  return `${counted(pods.length, "pod")}: ${counts.join(", ")}.${firstStart(pods, page)}`;
}

function firstStart(pods: readonly PodExplanation[], { nowMs }: Page): string {
  const starts = pods.flatMap((pod) =>
    pod.containers.flatMap(({ name, nextRestart }) => (nextRestart === null ? [] : [{ pod, name, ...nextRestart }])),
  );
  const [first] = starts.toSorted(byStart);
  if (first === undefined) return "";
  const { pod, name } = first;
  return ` First to restart: ${name} of ${pod.namespace}/${pod.name}, ${formatWindow(first, nowMs)}.`;
}
