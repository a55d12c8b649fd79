import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bun's, or the one that Node has after this flag. */
const collectGarbage = bunGarbageCollection() ?? nodeGarbageCollection();

/** What is in use after a garbage collection, in MiB. */
export function heapMiB(): number {
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
