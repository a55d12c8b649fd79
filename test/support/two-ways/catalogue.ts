import { BODY_CASES } from "./body-cases.ts";
import type { WayCase } from "./case.ts";
import { CONNECTION_CASES } from "./connection-cases.ts";
import { HEAD_CASES } from "./head-cases.ts";
import { mutant } from "./mutants.ts";
import { OTHER_CASES } from "./other-cases.ts";

/** Ways to answer that somebody has thought of. */
export const WAY_CASES: readonly WayCase[] = [...BODY_CASES, ...HEAD_CASES, ...OTHER_CASES, ...CONNECTION_CASES];

/** Enough of them for every run of the tests: of those that come in pairs, one of each. */
export const QUICK_CASES: readonly WayCase[] = WAY_CASES.filter(
  ({ isHeavy, isUsual, differs }, index) =>
    isHeavy !== true && (isUsual === true || differs !== undefined || (index + (index >> 1)) % 2 === 0),
);

/** How many mutants there are in every run of the tests. */
export const QUICK_MUTANTS = 80;

/** So many mutants from that seed on. */
export function mutants(firstSeed: number, count: number): readonly WayCase[] {
  return Array.from({ length: count }, (_, index) => mutant(firstSeed + index));
}
