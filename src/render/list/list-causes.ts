import type { ListItem } from "../../explain/answer/backoff-list.ts";
import { excerpt, SIGNALS } from "../../explain/answer/excerpt.ts";
import { EXIT_CAUSES } from "../page/container-words.ts";

export const UNKNOWN = "unknown";

export function causeCell({ cause, lastExit, reported, obstacleReason }: ListItem): string {
  if (cause === "start-failure") return obstacleReason ?? reported ?? "start failure";
  if (cause === "image-pull") return "image pull";
  const words = EXIT_CAUSES[cause];
  // For the causes "unknown" and "restart-all", the kubelet can make up the exit code.
  if (lastExit === null || cause === "unknown" || cause === "restart-all") return words?.tag ?? UNKNOWN;
  const { exitCode } = lastExit;
  if (words?.isBeforeCode) return `${words.tag} (${exitCode})`;
  const signal = lastExit.signal ?? (cause === "signal" && exitCode > 128 ? exitCode - 128 : null);
  const clause = words?.tag ?? (signal === null ? undefined : (SIGNALS[signal] ?? `signal ${signal}`));
  return clause === undefined ? `exit ${exitCode}` : `exit ${exitCode} (${clause})`;
}

export function withLine(cause: string, line: string | null): string {
  return line === null ? cause : `${cause}: ${excerpt(line.replaceAll(/\s+/g, " "), MOST_CHARACTERS_OF_LINE)}`;
}

export const LOG_LEFT_OUT = "log not read";

const MOST_CHARACTERS_OF_LINE = 160;
