import { UserError } from "../../errors.ts";
import { harmless } from "../../render/page/harmless.ts";
import { ProgressLine } from "../terminal/progress-bar.ts";

/**
 * Takes each part of a list, and shows on a terminal how far it is. The failure that leaves the list incomplete; null if it is
 * complete. A failure before the first part is thrown.
 */
export async function takeParts<Part>(
  parts: AsyncIterable<Part>,
  take: (part: Part) => void,
  progressOf: (part: Part) => string,
): Promise<UserError | null> {
  const progress = new ProgressLine(process.stderr);
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

/** Tells that a list is incomplete, and why. */
export function incompleteSentence({ text }: UserError): string {
  return `The list is incomplete. ${text.split("\n", 1)[0]}`;
}

/** Nodes that are not ready can be many. */
const MOST_GAPS = 3;

/** The first gaps as notes, and how many more there are. */
export function gapNotes(gaps: readonly { readonly message: string }[]): string[] {
  const more = gaps.length > MOST_GAPS ? [`And ${gaps.length - MOST_GAPS} more such gaps: see -o json.`] : [];
  return [...gaps.slice(0, MOST_GAPS).map(({ message }) => harmless(message)), ...more];
}
