import { gzipSync } from "node:zlib";
import type { RandomSource } from "../../src/backoff/backoff.ts";
import { oneOf } from "./mutations.ts";
import { TEXT_PARTS } from "./nasty.ts";

export const BYTE_MUTATIONS = {
  "damaged bytes": damaged,
  "YAML's own ways": inYaml,
} as const satisfies Readonly<Record<string, (text: string, random: RandomSource) => Uint8Array>>;

export type ByteMutationName = keyof typeof BYTE_MUTATIONS;

type Damage = (bytes: Buffer, random: RandomSource) => Buffer;

const below = (most: number, random: RandomSource): number => Math.floor(random() * most);

const DAMAGES: readonly Damage[] = [
  (bytes, random) => bytes.subarray(0, below(bytes.length, random)),
  (bytes, random) => bytes.subarray(below(bytes.length, random)),
  (bytes, random) => inserted(bytes, Buffer.from([below(256, random)]), random),
  (bytes, random) => inserted(bytes, oneOf(BAD_UTF8, random), random),
  (bytes, random) => inserted(bytes, Buffer.from(oneOf(TEXT_PARTS, random)), random),
  (bytes, random) => inserted(bytes, Buffer.alloc(1 + below(4, random)), random),
  (bytes, random) => inserted(bytes, slice(bytes, random), random),
  (bytes, random) =>
    inserted(bytes, Buffer.from(oneOf(["\n---\n", "\n...\n", "}{", "][", "\u001e", ",,"], random)), random),
  (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  (bytes) => Buffer.from(`\ufeff${bytes.toString("utf8")}`, "utf16le"),
  (bytes) => Buffer.from(`\ufeff${bytes.toString("utf8")}`, "utf16le").swap16(),
  (bytes) => Buffer.from(bytes.toString("utf8"), "utf16le"),
  (bytes, random) => flipped(gzipSync(bytes, { level: 1 }), random),
  (bytes, random) => {
    const packed = gzipSync(bytes, { level: 1 });
    return packed.subarray(0, below(packed.length, random));
  },
  (bytes) => Buffer.concat([gzipSync(bytes, { level: 1 }), Buffer.from("more")]),
  (bytes) => gzipSync(gzipSync(bytes, { level: 1 }), { level: 1 }),
  flipped,
];

const BAD_UTF8 = ["ff", "c080", "eda080", "f4908080", "e282", "80"].map((hex) => Buffer.from(hex, "hex"));

function damaged(text: string, random: RandomSource): Uint8Array {
  let bytes = Buffer.from(text);
  for (let count = 1 + below(3, random); count > 0; count--)
    bytes = oneOf(DAMAGES, random)(bytes, random) as typeof bytes;
  return bytes;
}

function inserted(bytes: Buffer, more: Buffer, random: RandomSource): Buffer {
  const place = below(bytes.length + 1, random);
  return Buffer.concat([bytes.subarray(0, place), more, bytes.subarray(place)]);
}

function slice(bytes: Buffer, random: RandomSource): Buffer {
  const start = below(bytes.length, random);
  return bytes.subarray(start, start + below(2_000, random));
}

function flipped(bytes: Buffer, random: RandomSource): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = 1 + below(8, random); count > 0 && copy.length > 0; count--) {
    const place = below(copy.length, random);
    copy[place] = (copy[place] ?? 0) ^ (1 << below(8, random));
  }
  return copy;
}

const BEFORE = "&a !!str !!int !!float !!binary !!timestamp !!set !!omap !<x> !js !!null &__proto__".split(" ");
const INSTEAD = [
  ..."*a *b ~ yes 0o17 0x1F .inf -.Inf .NaN 2026-11-21 2026-11-21T14:04:38Z 1_000 <<".split(" "),
  ...["|\n  x", "? [a]", "- x", "%YAML 9.9"],
];
const KEYS = ['"<<": *a', '"<<": [*a, *a]', "? {a: 1} : 2", '"__proto__": {"polluted": true}', "*a : 1", '"kind": x'];

function inYaml(text: string, random: RandomSource): Uint8Array {
  let yaml = text;
  for (let count = 1 + below(4, random); count > 0; count--) {
    const from = below(yaml.length, random);
    const change = below(3, random);
    if (change === 0)
      yaml = replacedFrom(yaml, from, /:\s*(?=[{["\d])/, (found) => `${found} ${oneOf(BEFORE, random)} `);
    else if (change === 1) yaml = replacedFrom(yaml, from, /:\s*("[^"]*"|\d+)/, () => `: ${oneOf(INSTEAD, random)}`);
    else yaml = replacedFrom(yaml, from, /\{(?=")/, () => `{${oneOf(KEYS, random)}, `);
  }
  return Buffer.from(`---\n${yaml}\n`);
}

function replacedFrom(text: string, from: number, pattern: RegExp, make: (found: string) => string): string {
  return text.slice(0, from) + text.slice(from).replace(pattern, make);
}
