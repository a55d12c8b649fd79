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
