import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the size of the heap, in MiB, after each twelve hours. */
export async function passDays(days: number, passHour: () => Promise<void>): Promise<readonly number[]> {
  const heapsMiB: number[] = [];
  for (let hour = 1; hour <= days * 24; hour++) {
    await passHour();
    if (hour % 12 === 0) heapsMiB.push(heapMiB());
  }
  return heapsMiB;
}

/** Bun can always collect garbage on request, Node.js only after --expose-gc. */
const collectGarbage = bunGarbageCollection() ?? nodeGarbageCollection();

function heapMiB(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function bunGarbageCollection(): (() => void) | undefined {
  const { Bun } = globalThis as { readonly Bun?: { gc(isNow: true): void } };
  return Bun && (() => Bun.gc(true));
}

function nodeGarbageCollection(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
