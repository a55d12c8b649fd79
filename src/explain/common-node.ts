import { type BackoffList, type Common, isDownInList, type ListItem } from "./answer/backoff-list.ts";
import { factInWords } from "./answer/node-fact.ts";
import { formatPercent, joinedProse, type Prose } from "./answer/prose.ts";
import { podKeyOf, workloadKey } from "./observed/lookups.ts";

/**
 * A limit for the probability that so many failing pods run on one node by chance, times the number of nodes with pods.
 * Assumed: a node is conspicuous only below this limit.
 */
const LEAST_CHANCE = 0.01;
const LEAST_PODS = 3;

export function whichNodes({
  items,
  podsPerNode,
  nodeFacts,
}: Pick<BackoffList, "items" | "podsPerNode" | "nodeFacts">): Common[] {
  const failing = items.filter((item) => isDownInList(item) && item.node !== null);
  const pods = [...new Map(failing.map((item) => [podKeyOf(item), item])).values()];
  const byNode = [...Map.groupBy(pods, ({ node }) => node ?? "")].toSorted(([, a], [, b]) => b.length - a.length);
  return byNode.flatMap(([node, own]): Common[] => {
    const [fact] = nodeFacts?.get(node) ?? [];
    const share = podsPerNode === undefined ? null : conspicuousShare(node, own, pods.length, podsPerNode);
    if (share === null && fact === undefined) return [];
    const some = `${own.length} of the ${pods.length} failing pods`;
    const state = (subject: string) => (fact === undefined ? "" : factInWords(subject, fact, allSince(own)));
    const sentence =
      share === null ? state(`${node}, which runs ${some},`) : sentenceOf(node, some, share, state("it"));
    return [{ sentence, pods: own.map(({ namespace, pod: name }) => ({ namespace, name })), what: ["node"] }];
  });
}

function allSince(items: readonly ListItem[]): number | null {
  const beganMs = items.flatMap(({ failingSince }) => failingSince?.atMs ?? []);
  return beganMs.length < items.length ? null : Math.max(...beganMs);
}

function sentenceOf(node: string, some: string, share: number, state: Prose): Prose {
  const percent = share < 0.01 ? "less than 1%" : formatPercent(share);
  return joinedProse("; ", [`${some} run on ${node}, which runs ${percent} of the pods`, state]);
}

/** Returns the node's share of the pods in `podsPerNode`; null if the node is not conspicuous. */
function conspicuousShare(
  node: string,
  own: readonly ListItem[],
  failing: number,
  podsPerNode: ReadonlyMap<string, number>,
): number | null {
  const all = [...podsPerNode.values()].reduce((sum, count) => sum + count, 0);
  const share = (podsPerNode.get(node) ?? 0) / all;
  const workloads = new Set(own.map(workloadKey));
  // All replicas of one workload may run on one node, e.g. because of a node selector.
  if (podsPerNode.size < 2 || share === 0 || own.length < LEAST_PODS || workloads.size < 2) return null;
  return chanceOfAtLeast(own.length, failing, share) * podsPerNode.size < LEAST_CHANCE ? share : null;
}

/** The probability of at least `least` successes in `count` independent trials with the probability `share` each. */
export function chanceOfAtLeast(least: number, count: number, share: number): number {
  // With many pods, the first terms of the sum can underflow to 0, so the loop computes the logarithms of the terms.
  let logTerm = count * Math.log1p(-share);
  let sum = 0;
  for (let found = 0; found <= count; found++) {
    if (found >= least) sum += Math.exp(logTerm);
    logTerm += Math.log((count - found) / (found + 1)) + Math.log(share / (1 - share));
  }
  return sum;
}
