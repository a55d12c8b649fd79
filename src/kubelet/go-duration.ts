export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Kubernetes rounds a `metav1.Time` down, too, when it writes the time as JSON. */
export function floorToSecond(ms: number): number {
  return Math.floor(ms / SECOND_MS) * SECOND_MS;
}

export function roundToSecond(ms: number): number {
  return Math.round(ms / SECOND_MS) * SECOND_MS;
}

export function ceilToSecond(ms: number): number {
  return Math.ceil(ms / SECOND_MS) * SECOND_MS;
}

const UNIT_NS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  "\u00b5s": 1_000n,
  "\u03bcs": 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const DURATION = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;
const COMPONENT = /(\d*)(?:\.(\d*))?([a-z\u00b5\u03bc]+)/g;
const LARGEST_NS = 2n ** 63n - 1n;
const NS_PER_MS = 1e6;

/**
 * Mirrors `time.ParseDuration` (Go 1.26, time/format.go), in ms; null if Go rejects the text. Unlike Go, it returns
 * null for the minimum of -2^63 ns, too.
 */
export function parseGoDuration(text: string): number | null {
  if (/^[+-]?0$/.test(text)) return 0;
  const match = DURATION.exec(text);
  if (match === null) return null;
  const [, sign = "", components = ""] = match;
  let totalNs = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of components.matchAll(COMPONENT)) {
    const unitNs = UNIT_NS[unit] ?? 0n;
    // Go ignores the digits of a fraction that do not fit into an int64, which has up to 19 digits.
    const digits = fraction.slice(0, 19);
    const fractionNs = Math.trunc(Number(digits) * (Number(unitNs) / 10 ** digits.length));
    totalNs += BigInt(whole) * unitNs + BigInt(fractionNs);
  }
  if (totalNs > LARGEST_NS) return null;
  const totalMs = Number(totalNs) / NS_PER_MS;
  return sign === "-" && totalMs !== 0 ? -totalMs : totalMs;
}

/** Mirrors `time.Duration.String` (Go 1.26, time/time.go), e.g. "2m40s", "5m0s", "1.5s". */
export function formatGoDuration(ms: number): string {
  const signedNs = BigInt(Math.round(ms * NS_PER_MS));
  if (signedNs === 0n) return "0s";
  const ns = signedNs < 0n ? -signedNs : signedNs;
  return (signedNs < 0n ? "-" : "") + formatPositive(ns);
}

/** Writes "5m" instead of Go's "5m0s", and "1h" instead of "1h0m0s". */
export function formatBriefDuration(ms: number): string {
  return formatGoDuration(ms)
    .replace(/(?<=m)0s$/, "")
    .replace(/(?<=h)0m$/, "");
}

function formatPositive(ns: bigint): string {
  if (ns < 1_000n) return `${ns}ns`;
  if (ns < 1_000_000n) return `${decimal(ns, 1_000n)}\u00b5s`;
  if (ns < 1_000_000_000n) return `${decimal(ns, 1_000_000n)}ms`;
  const minutes = ns / 60_000_000_000n;
  const seconds = `${decimal(ns % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(ns: bigint, unit: bigint): string {
  const fraction = `${ns % unit}`.padStart(`${unit}`.length - 1, "0").replace(/0+$/, "");
  return fraction === "" ? `${ns / unit}` : `${ns / unit}.${fraction}`;
}
