import { describe, expect, it } from "vitest";
import { seededRandom } from "../../src/simulate/seeded-random.ts";

function draws(seed: number, count: number): number[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, random);
}

describe("seededRandom()", () => {
  it("draws 1,000 different first numbers from 1,000 seeds", () => {
    const firsts = new Set(Array.from({ length: 1_000 }, (_, seed) => draws(seed, 1)[0]));
    expect(firsts.size).toBe(1_000);
  });

  it("draws the numbers of the reference implementation from seed 0", () => {
    // From prng.di.unimi.it/xoshiro128starstar.c with the state that splitmix32 gives for seed 0.
    const words = [1789933344, 44971166, 2521387044, 3848737593, 1138324114, 749234105];
    const drawn = draws(0, 100).map((draw) => draw * 2 ** 32);
    expect([...drawn.slice(0, 6), drawn.at(-1)]).toEqual([...words, 2023960751]);
  });
});

describe("the streams of a seed", () => {
  it("differ if the seed or one of their names differs, and are the same for the same names", () => {
    const first = (seed: number, ...stream: (string | number)[]) => seededRandom(seed, ...stream)();
    expect(first(1, "full", 10, 0)).toBe(first(1, "full", 10, 0));
    const others = [first(1), first(2, "full", 10, 0), first(1, "equal", 10, 0), first(1, "full", 10, 1)];
    expect(new Set([first(1, "full", 10, 0), ...others]).size).toBe(5);
  });
});
