import type { ListItem } from "../../explain/answer/backoff-list.ts";
import { excerpt, SIGNALS } from "../../explain/answer/excerpt.ts";
import { EXIT_CAUSES } from "../page/trouble.ts";

export const UNKNOWN = "unknown";

/** Returns why the container is down: "exit 1", "exit 143 (SIGTERM)", "OOMKilled (137)", or the API's reason. */
export function causeCell({ cause, lastExit, reported, obstacleReason }: ListItem): string {
  if (cause === "start-failure") return obstacleReason ?? reported ?? "start failure";
  if (cause === "image-pull") return "image pull";
  const words = EXIT_CAUSES[cause];
  // For these causes the kubelet made up the exit code.
  if (lastExit === null || cause === "unknown" || cause === "restart-all") return words?.tag ?? UNKNOWN;
  const { exitCode } = lastExit;
  if (words?.isBeforeCode) return `${words.tag} (${exitCode})`;
  // A program that ends itself after SIGTERM chooses its exit code: often 0, not 143.
  const signal = lastExit.signal ?? (cause === "signal" && exitCode > 128 ? exitCode - 128 : null);
  const clause = words?.tag ?? (signal === null ? undefined : (SIGNALS[signal] ?? `signal ${signal}`));
  return clause === undefined ? `exit ${exitCode}` : `exit ${exitCode} (${clause})`;
}

export function withLine(cause: string, line: string | null): string {
  return line === null ? cause : `${cause}: ${excerpt(line.replaceAll(/\s+/g, " "), MOST_OF_LINE)}`;
}

export const LOG_LEFT_OUT = "log not read";

/**
 * The maximum length of a log line or a message in a cell, in characters. A terminal may cut it further, at its edge.
 */
const MOST_OF_LINE = 160;
