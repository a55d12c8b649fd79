import { askBoth, type BothWays } from "./ask-both.ts";
import type { WayCase } from "./case.ts";

/** What is wrong with a case; nothing if a user cannot tell the difference. */
export interface WayResult {
  readonly wayCase: WayCase;
  readonly problems: readonly string[];
}

const PATIENCE_MS = 10_000;
/** Each takes two servers. */
const AT_ONCE = 16;
/** On a busy machine somebody may lose patience, and what is reset may be noticed early or late. */
const TRIES = 3;

/** Tries all of them by both ways, many at a time; what takes much of the machine by itself. */
export async function tryWays(cases: readonly WayCase[]): Promise<readonly WayResult[]> {
  const results: WayResult[] = [];
  const left = [...cases.entries()].sort(
    ([, one], [, other]) => Number(one.isHeavy === true) - Number(other.isHeavy === true),
  );
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, wayCase] = next;
      results[index] = { wayCase, problems: await problemsOf(wayCase) };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** What is so every time. */
async function problemsOf(wayCase: WayCase): Promise<readonly string[]> {
  const { served, patienceMs = PATIENCE_MS, isUsual = false, times = isUsual ? 2 : 1 } = wayCase;
  let problems: readonly string[] = [];
  for (let tries = 0; tries < TRIES; tries++) {
    problems = problemsIn(wayCase, await askBoth(served, times, patienceMs * 4 ** tries));
    if (problems.length === 0) break;
  }
  return problems;
}

function problemsIn({ isUsual, differs }: WayCase, { direct, node, asked, leftOpen }: BothWays): string[] {
  const isSame = JSON.stringify(direct) === JSON.stringify(node);
  return [
    ...(isSame === (differs === undefined) ? [] : [`directly: ${direct.join(", ")}; by Node: ${node.join(", ")}`]),
    ...(isUsual === true && asked.direct !== asked.node
      ? [`asked ${asked.direct} times instead of ${asked.node}`]
      : []),
    ...(leftOpen === 0 ? [] : [`${leftOpen} connections are left open`]),
  ];
}
