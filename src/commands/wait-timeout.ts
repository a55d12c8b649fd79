import { UserError } from "../errors.ts";
import { parseGoDuration } from "../kubelet/go-duration.ts";

/** The longest that `kubectl wait` waits, for those who set no limit (kubectl v0.37.1, pkg/cmd/wait/wait.go). */
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** How long to wait, as `kubectl wait` takes it: a Go duration, 0 to look once, a negative one for a week. */
export function parseWaitTimeout(text: string): number {
  const timeoutMs = parseGoDuration(text);
  const expected = "a duration such as 30s or 10m; 0 looks once, -1s waits for a week";
  if (timeoutMs === null) throw new UserError("badFlag", "timeout", text, expected);
  return timeoutMs < 0 ? WEEK_MS : timeoutMs;
}
