import { UserError } from "../../errors.ts";
import { parseGoDuration } from "../../kubelet/go-duration.ts";
import type { Network } from "../../simulate/contention-network.ts";
import { CONTENDERS, type ContenderName } from "../../simulate/contention-strategies.ts";

const DAY_MS = 86_400_000;

/** A Go duration, up to a day; zero only where that means something. */
export function parseSpan(flag: string, text: string, least: "zero" | "more than zero"): number {
  const ms = parseGoDuration(text.trim());
  if (ms !== null && ms <= DAY_MS && (ms > 0 || (ms === 0 && least === "zero"))) return ms;
  const bounds = least === "zero" ? "from 0s to 24h" : "of more than 0s, up to 24h";
  throw new UserError("badFlag", flag, text, `a duration ${bounds}, such as 5ms, 2s or 10m`);
}

/** How long a message takes: a mean, and a standard deviation after a comma; without it, none. */
export function parseNetwork(text: string): Network {
  const [meanMs, sdMs = 0, ...rest] = text.split(",").map((part) => parseGoDuration(part.trim()) ?? Number.NaN);
  const isDuration = (ms: number | undefined) => ms !== undefined && ms >= 0 && ms <= DAY_MS;
  if (meanMs !== undefined && isDuration(meanMs) && isDuration(sdMs) && rest.length === 0) return { meanMs, sdMs };
  throw new UserError("badFlag", "network", text, "a mean and a standard deviation, from 0s to 24h, such as 10ms,2ms");
}

/** Names of strategies with commas between; the same one twice counts once. */
export function parseStrategies(text: string): ContenderName[] {
  const known = Object.keys(CONTENDERS) as ContenderName[];
  const names = text.split(",").map((part) => {
    const name = known.find((candidate) => candidate === part.trim());
    if (name === undefined) throw new UserError("badFlag", "strategy", text, `some of ${known.join(", ")}`);
    return name;
  });
  return [...new Set(names)];
}
