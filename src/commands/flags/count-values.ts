import { UserError } from "../../errors.ts";

/** A row of numbers wider than that no table holds. */
const MOST_COUNTS = 20;

/** Seeds are numbers of 32 bits. */
const LARGEST_SEED = 2 ** 32 - 1;

/** Whole numbers with commas between, each from 1 to `most`; the same one twice counts once. */
export function parseCounts(flag: string, text: string, most: number): number[] {
  const counts = text.split(",").map((part) => wholeNumber(part, 1, most));
  const distinct = [...new Set(counts)].filter((count) => count !== undefined);
  if (!counts.includes(undefined) && distinct.length <= MOST_COUNTS) return distinct;
  throw new UserError("badFlag", flag, text, `up to ${MOST_COUNTS} whole numbers from 1 to ${most}, such as 10,100`);
}

/** A whole number from `least` to `most`. */
export function parseCount(flag: string, text: string, least: number, most: number): number {
  const number = wholeNumber(text, least, most);
  if (number !== undefined) return number;
  throw new UserError("badFlag", flag, text, `a whole number from ${least} to ${most}`);
}

/** What random numbers begin from. */
export function parseSeed(text: string): number {
  return parseCount("seed", text, 0, LARGEST_SEED);
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}
