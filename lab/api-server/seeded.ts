const HEALTHY = {
  running: 90,
  "restarted-once": 5,
  "not-ready": 0.5,
  creating: 0.3,
  unscheduled: 0.2,
  succeeded: 4,
};

const TROUBLED = {
  "crash-loop": 50,
  error: 15,
  "out-of-memory": 10,
  completes: 5,
  "image-pull": 10,
  "config-error": 4,
  "init-loop": 4,
  "sidecar-loop": 2,
};

export type Look = keyof typeof HEALTHY | keyof typeof TROUBLED;

export const TROUBLED_LOOKS = Object.keys(TROUBLED) as readonly Look[];

export function lookOf(dice: number, isTroubled: boolean): Look {
  const weights = Object.entries(isTroubled ? TROUBLED : HEALTHY) as [Look, number][];
  let left = dice * weights.reduce((sum, [, weight]) => sum + weight, 0);
  const found = weights.find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  return (found ?? weights[0] ?? ["running"])[0];
}

/** `alphanums` (k8s.io/apimachinery v0.37.1, pkg/util/rand/rand.go), sorted. */
const LETTERS = "2456789bcdfghjklmnpqrstvwxz";

/** A hash of the arguments, from 0 to below 1, with the finalizer of murmur3. */
export function random(stream: number, index: number): number {
  let hash = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns the text at `place` (from 0 to below 1) in the sorted list of all texts of `length` LETTERS. */
export function lettersOf(place: number, length: number): string {
  let left = Math.floor(place * LETTERS.length ** length);
  let text = "";
  for (; text.length < length; left = Math.floor(left / LETTERS.length)) text = LETTERS[left % LETTERS.length] + text;
  return text;
}

export function uuidOf(index: number): string {
  const hex = (stream: number, length: number): string =>
    Math.floor(random(stream, index) * 16 ** length)
      .toString(16)
      .padStart(length, "0");
  return `${hex(6, 8)}-${hex(7, 4)}-4${hex(8, 3)}-8${hex(9, 3)}-${hex(10, 8)}${hex(11, 4)}`;
}
