import type { RandomSource } from "../backoff/backoff.ts";

const WORD = 2 ** 32;
/** The fraction of the golden ratio in 32 bits. With a stride of 1, seeds in a row could share most of their state. */
const STRIDE = 0x9e3779b9;

/**
 * The numbers are the same on all machines, because xoshiro128** (Blackman and Vigna), filled by splitmix32, needs only
 * 32-bit integers. The seed is a whole number, taken modulo 2^32.
 */
export function seededRandom(seed: number, ...stream: readonly (string | number)[]): RandomSource {
  let filled = stream.length === 0 ? seed >>> 0 : hashed(`${seed >>> 0}/${stream.join("/")}`);
  const fill = () => {
    filled = (filled + STRIDE) >>> 0;
    const mixed = Math.imul(filled ^ (filled >>> 16), 0x21f0aaad);
    const again = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (again ^ (again >>> 15)) >>> 0;
  };
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];
  return () => {
    const drawn = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return drawn / WORD;
  };
}

function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}

/** The 32-bit FNV-1a hash, over UTF-16 units instead of bytes. */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
