import type { Connection } from "../../cluster/connection/connection.ts";
import { toUserError } from "../../cluster/connection/request-failure.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { UserError } from "../../errors.ts";
import { harmless } from "../../render/page/harmless.ts";
import { counted } from "../../render/page/paint.ts";
import { progressLine } from "../terminal/progress-bar.ts";

interface ScopeValues {
  readonly "all-namespaces": boolean;
  readonly selector?: string | undefined;
}

export function scopeOf(connection: Connection, flags: ScopeValues): ListScope {
  return { namespace: flags["all-namespaces"] ? null : connection.namespace, labelSelector: flags.selector };
}

export function placeOf({ namespace }: ListScope): string {
  return namespace === null ? "any namespace" : `${namespace} namespace`;
}

/** If a request fails after the first part, returns the error as `failure`, and the earlier results as `found`. */
export async function collectParts<Part extends { readonly startsOver: boolean }, Found>(
  connection: Connection,
  parts: AsyncIterable<Part>,
  judge: (part: Part) => Found,
  progressOf: (part: Part, found: readonly Found[]) => string,
): Promise<{ readonly found: readonly [Found, ...Found[]]; readonly failure: UserError | null }> {
  const progress = progressLine(process.stderr);
  const found: Found[] = [];
  let failure: UserError | null = null;
  try {
    for await (const part of parts) {
      const judged = judge(part);
      if (part.startsOver) found.length = 0;
      found.push(judged);
      if (process.stderr.isTTY) progress.show(progressOf(part, found));
    }
  } catch (reason) {
    const error = toUserError(reason, connection);
    if (found.length === 0 || !(error instanceof UserError)) throw error;
    failure = error;
  } finally {
    progress.clear();
  }
  const [first, ...others] = found;
  if (first === undefined) throw new Error("A list has at least one page");
  return { found: [first, ...others], failure };
}

export function incompleteSentence({ text }: UserError): string {
  return `The list is incomplete. ${text.split("\n", 1)[0]}`;
}

/** Assumed: this number of log lines is enough to include the line above a stack trace. */
export const CRASH_LOG_LINES = 50;

const MOST_GAPS = 3;

export function gapNotes(gaps: readonly { readonly message: string }[]): string[] {
  const more = gaps.length > MOST_GAPS ? [`${counted(gaps.length - MOST_GAPS, "more gap")} in -o json.`] : [];
  return [...gaps.slice(0, MOST_GAPS).map(({ message }) => harmless(message)), ...more];
}
