import { failure } from "./api.ts";
import type { PodLab } from "./pod-lab.ts";

const S = 1_000;

/** Breaks the connections of a lab in every way that networks and servers know, one after the other, for as long as time passes. */
export class BadNetwork {
  /** How often something was broken. */
  breaks = 0;
  readonly #lab: PodLab;
  readonly #betweenMs: number;

  /** On average `betweenMs` apart. */
  constructor(lab: PodLab, betweenMs: number) {
    this.#lab = lab;
    this.#betweenMs = betweenMs;
    this.#plan();
  }

  #plan(): void {
    const { timers } = this.#lab;
    timers.after(this.#betweenMs * 2 * timers.random(), () => {
      this.#break();
      this.#plan();
    });
  }

  #break(): void {
    const { api } = this.#lab;
    const ways = [
      () => api.each((pipe) => pipe.end()),
      () => api.each((pipe) => pipe.end(failure("unreachable", 0))),
      () => api.each((pipe) => pipe.send('{"type":"MODIFIED","object":{"metadata":')),
      () => api.each((pipe) => pipe.stall()),
      () => this.#endAfterBookmark(),
      () =>
        api.each((pipe) => pipe.send('{"type":"ERROR","object":{"code":410,"message":"too old resource version"}}')),
      () => this.#refuse(failure("unauthorized", 401), 15 * S),
      () => this.#refuse(failure("server-error", 503), 40 * S),
      () => this.#forget(),
    ];
    ways[this.breaks % ways.length]?.();
    this.breaks++;
  }

  #endAfterBookmark(): void {
    this.#lab.api.bookmark();
    this.#lab.api.each((pipe) => pipe.end());
  }

  #refuse(refusal: ReturnType<typeof failure>, ms: number): void {
    const { api, timers } = this.#lab;
    api.refusal = refusal;
    api.each((pipe) => pipe.end());
    timers.after(ms, () => {
      api.refusal = null;
    });
  }

  /** An outage at whose end the server no longer has what came in between. */
  #forget(): void {
    this.#refuse(failure("unreachable", 0), 20 * S);
    this.#lab.timers.after(19 * S, () => this.#lab.api.compact());
  }
}
