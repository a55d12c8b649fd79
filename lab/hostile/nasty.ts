import type { Json } from "./world.ts";

const HOLE = /"@@JSON(\d+)@@"/g;

/**
 * JSON that `JSON.stringify` does not write like this. In a value, the placeholder "@@JSON0@@" stands for the first of
 * these texts.
 */
const TEXTS: string[] = [];

function json(text: string): Json {
  TEXTS.push(text);
  return `@@JSON${TEXTS.length - 1}@@`;
}

export function textOfJson(value: Json): string {
  return JSON.stringify(value).replace(HOLE, (_, index) => TEXTS[Number(index)] ?? "null");
}

const DEPTH = 10_000;

export const NESTED: readonly Json[] = [
  json(`${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`),
  json(`${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`),
  json(`${'{"items":[{"containers":['.repeat(DEPTH / 4)}0${"]}]}".repeat(DEPTH / 4)}`),
];

export const TYPES: readonly Json[] = [true, false, 0, 5, 1.5, "", "text", [], {}, [[]], [null], [{}], { name: {} }];

export const NUMBERS: readonly Json[] = [
  ...[-1, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 31 - 1, 2 ** 53, 2 ** 53 - 1, 2 ** 63, 255, 256],
  ...["NaN", "-Infinity", "12", "0x10", "1e3"],
  ...["-0", "1e999", "-1e999", "1E400", "123456789012345678901234567890"].map(json),
];

export const DURATIONS: readonly string[] = [
  ...["0s", "-5m", "1ns", "2562047h47m16.854775807s", "2562048h", "9999999999h", "1e308s", "5", "", "5m 0s", "NaN"],
  ...["106751d", "0.000000001s", "1000000h0m0s"],
];

export const DATES: readonly Json[] = [
  ...["0000-00-00T00:00:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "-000001-01-01T00:00:00Z"],
  ...["1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2000-01-01T00:00:00Z"],
  ...["2262-04-11T23:47:16Z", "2262-04-12T00:00:00Z", "9999-12-31T23:59:59Z", "+275760-09-13T00:00:00Z"],
  ...["275760-09-13T00:00:00.001Z", "2026-12-31T23:59:60Z", "2016-12-31T23:59:60Z", "2026-02-30T00:00:00Z"],
  ...["2026-11-21T24:00:00Z", "2026-11-21T14:04:38", "2026-11-21T14:04:38+14:00", "2026-11-21T14:04:38-23:59"],
  ...["2026-11-21T14:04:38+99:99", "2026-11-21T14:04:38.123456789Z", "2026-11-21t14:04:38z", "2026-11-21 14:04:38Z"],
  ...["2026-11-21", "14:04:38", "now", "yesterday", "", " ", "NaN", "Invalid Date", "2200-01-01T00:00:00Z"],
  ...["2026-11-21T13:00:00Z", "2026-11-21T16:00:00Z", "2027-01-01T00:00:00Z"],
  ...[0, 1_795_000_000, 1_795_000_000_000, -1, 8.64e15],
];

export const TEXT_PARTS: readonly string[] = [
  ...["\u001b[31m", "\u001b]0;owned\u0007", "\u001b]8;;http://x.example\u001b\\", "\u009b2J", "\u001bc", "\u001b[2K\r"],
  ...["\u0000", "\u0007", "\u0008", "\u007f", "\u0085", "\r", "\n", "\t", "\v", "\f", "\u001a", "\u0090q\u009c"],
  ...["\u202a", "\u202e", "\u2066", "\u2069", "\u200e", "\u061c", "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"],
  ...["\u00ad", "\u180e", "\u034f", "\u115f", "\u3164", "\uffa0", "\u2028", "\u2029", "\ufff9", "\ufffb", "\u{e0041}"],
  ...["\u{e0100}", "\ud800", "\udc00", "\udc00\ud800", "\uffff", "\ufffe", "\u{1fffe}", "e\u0301\u0301\u0301"],
  ...["\u0301".repeat(3_000), "🚨", "データ"],
  ...["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</svg><b>", "]]>", "<!--", "-->", "&amp;&#0;"],
  ...["</script>", "</style>", "javascript:alert(1)", "`{x}`", "%s%n", "=1+1", "\\u001b"],
  ...["'", '"', "\\", "|", "---", "*a", "!!js"],
];

export const KEYS: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "toJSON", "then", "length"],
];
