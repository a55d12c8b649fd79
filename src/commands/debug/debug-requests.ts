import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { REQUEST_CHANNEL, type TracedRequest } from "../../cluster/connection/request-trace.ts";

/** Expects a call of `wanted` before each request, and of `end` after the last request. */
export class RequestTrace {
  readonly #say: (line: string) => void;
  readonly #credentialsKind: string;
  /** Undefined until the first request is wanted; null once the credentials are reported. */
  #credentialsWantedAtMs: number | null | undefined;
  #pluginRuns = 0;
  /** If n is the highest round of the requests that have ended, a new request belongs to round n + 1. */
  readonly #rounds = new WeakMap<TracedRequest, number>();
  readonly #total = { connections: 0, rounds: 0, requests: 0, bytes: 0 };
  #answeredRounds = 0;
  readonly #failures = new Map<string, number>();

  constructor(say: (line: string) => void, credentialsKind: string) {
    this.#say = say;
    this.#credentialsKind = credentialsKind;
    REQUEST_CHANNEL.subscribe(this.#onStep);
    subscribe("child_process", this.#onPlugin);
  }

  readonly #onStep = (message: unknown): void => {
    const request = message as TracedRequest;
    this[request.step](request);
  };

  readonly #onPlugin = (message: unknown): void => {
    const { process: plugin } = message as { process: ChildProcess };
    const count = ++this.#pluginRuns;
    const startedAtMs = performance.now();
    plugin.once("close", (code) => {
      const result = code === 0 ? "" : `, exit code ${code}`;
      this.#say(`plugin run ${count}, ${elapsedMs(startedAtMs)} ms${result}`);
    });
  };

  end(): void {
    const counts = Object.entries(this.#total).map(([what, count]) => `${what} ${count}`);
    this.#say(`link ${counts.join(" ")}`);
    REQUEST_CHANNEL.unsubscribe(this.#onStep);
    unsubscribe("child_process", this.#onPlugin);
  }

  wanted(): void {
    if (this.#credentialsWantedAtMs === undefined) this.#credentialsWantedAtMs = performance.now();
  }

  sent(request: TracedRequest): void {
    this.#reportCredentials();
    this.#rounds.set(request, this.#answeredRounds + 1);
    this.#total.requests++;
  }

  #reportCredentials(): void {
    const wantedAtMs = this.#credentialsWantedAtMs;
    if (wantedAtMs == null) return;
    this.#credentialsWantedAtMs = null;
    const runs = this.#pluginRuns;
    const run = runs === 0 ? "" : runs === 1 ? ", run once" : `, run ${runs} times`;
    this.#say(`credentials ${this.#credentialsKind}${run}, ${elapsedMs(wantedAtMs)} ms`);
  }

  begun(request: TracedRequest): void {
    if (request.answer?.isFirstOnConnection) this.#total.connections++;
    if (request.url.searchParams.has("watch")) this.#say(`${answerIn(request)} begun ${howIn(request)}`);
  }

  ended(request: TracedRequest): void {
    const { answer, failure, bytes } = request;
    const round = this.#rounds.get(request) ?? 0;
    this.#answeredRounds = Math.max(this.#answeredRounds, round);
    this.#total.rounds = Math.max(this.#total.rounds, round);
    this.#total.bytes += bytes;
    const retry = this.#retryOf(request, answer !== null && answer.status < 400);
    if (answer === null) {
      this.#say(`request ${lineOf(request)} failed ${failure} ${elapsedMs(request.sentAtMs)} ms${retry}`);
      return;
    }
    const isCut = !answer.body.readableEnded || answer.isWhole?.() === false;
    this.#say(`${answerIn(request)} ${bytes} bytes ${howIn(request)}${retry}${isCut ? " broken off" : ""}`);
  }

  #retryOf({ url }: TracedRequest, isGood: boolean): string {
    const failures = this.#failures.get(url.href) ?? 0;
    if (isGood) this.#failures.delete(url.href);
    else this.#failures.set(url.href, failures + 1);
    return failures === 0 ? "" : ` retry ${failures}`;
  }
}

function answerIn(request: TracedRequest): string {
  return `request ${lineOf(request)} ${request.answer?.status}`;
}

function howIn(request: TracedRequest): string {
  return `${elapsedMs(request.sentAtMs)} ms ${request.answer?.isFirstOnConnection ? "new" : "reused"} connection`;
}

function elapsedMs(sinceMs: number): number {
  return Math.round(performance.now() - sinceMs);
}

function lineOf({ url }: TracedRequest): string {
  return `GET ${url.pathname}${url.search}`.replaceAll(/=[^&]{100,}/g, (value) => `${value.slice(0, 40)}...`);
}
