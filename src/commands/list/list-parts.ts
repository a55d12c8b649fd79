import { UserError } from "../../errors.ts";
import { harmless } from "../../render/page/harmless.ts";
import { progressLine } from "../terminal/progress-bar.ts";

/**
 * Calls `take` for each part of a list, and shows the progress on a terminal. Returns the failure that makes the list
 * incomplete, or null; throws it if there was no part before.
 */
export async function takeParts<Part>(
  parts: AsyncIterable<Part>,
  take: (part: Part) => void,
  progressOf: (part: Part) => string,
): Promise<UserError | null> {
  const progress = progressLine(process.stderr);
  let hasPart = false;
  try {
    for await (const part of parts) {
      take(part);
      hasPart = true;
      if (process.stderr.isTTY) progress.show(progressOf(part));
    }
    return null;
  } catch (error) {
    if (!hasPart || !(error instanceof UserError)) throw error;
    return error;
  } finally {
    progress.clear();
  }
}

export function incompleteSentence({ text }: UserError): string {
  return `The list is incomplete. ${text.split("\n", 1)[0]}`;
}

const MOST_GAPS = 3;

/** The first 3 gaps, and how many more there are: a cluster can have many nodes that are not ready. */
export function gapNotes(gaps: readonly { readonly message: string }[]): string[] {
  const more = gaps.length > MOST_GAPS ? [`And ${gaps.length - MOST_GAPS} more such gaps: see -o json.`] : [];
  return [...gaps.slice(0, MOST_GAPS).map(({ message }) => harmless(message)), ...more];
}
