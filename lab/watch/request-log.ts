import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import type { LabApi } from "./api.ts";

/** Counts requests and forgets them, because a week of requests would fill the memory that is measured. */
export class RequestLog {
  total = 0;
  mostPerMinute = 0;
  readonly #api: LabApi;
  #latestMs: number[] = [];

  constructor(api: LabApi) {
    this.#api = api;
  }

  take(): void {
    const instants = [...this.#latestMs, ...this.#api.asked.map(({ atMs }) => atMs)];
    let first = 0;
    for (const [index, atMs] of instants.entries()) {
      while (atMs - (instants[first] ?? atMs) >= MINUTE_MS) first++;
      this.mostPerMinute = Math.max(this.mostPerMinute, index - first + 1);
    }
    this.total += this.#api.asked.length;
    this.#latestMs = instants.slice(first);
    this.#api.asked.length = 0;
  }
}

/** Bun can always collect garbage on request, Node.js only after --expose-gc. */
const collectGarbage = bunGarbageCollection() ?? nodeGarbageCollection();

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
