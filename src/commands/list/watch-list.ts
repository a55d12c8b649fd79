import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListedObservation } from "../../cluster/list/list-observe.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import { keepingTime } from "../../cluster/watch/watch-clock.ts";
import { type ListHandler, ListWatch } from "../../cluster/watch/watch-list.ts";
import { UserError } from "../../errors.ts";
import { type ExplainOptions, explain } from "../../explain/explain.ts";
import { type BackoffList, joined, listed, type SortKey, sorted, withoutRunning } from "../../explain/list.ts";
import type { PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import type { ListLook } from "../../render/list/list-table.ts";
import { lastingTrouble } from "../../render/watch/live.ts";
import { type ListFrame, listKey, listNews, renderListJsonLine, renderLiveList } from "../../render/watch/live-list.ts";
import { NO_TRACE, type Trace } from "../debug/debug-trace.ts";
import { showFrames, showIn, TroubleNotes } from "../watch/watch-output.ts";
import { FramePace, type Moment, WatchTime } from "../watch/watch-pace.ts";

/** What to list and go on listing, and how to show it. */
interface ListWatchRequest {
  readonly scope: ListScope;
  readonly kubelet: ExplainOptions;
  readonly sortKey: SortKey;
  readonly output: string;
  readonly look: ListLook;
  readonly note: (sentence: string) => void;
  readonly trace: Trace;
}

/**
 * Lists and watches: in place on a terminal, with a countdown; else a row for each change, or a BackoffList on a line. The
 * exit code: 130 after ^C, 0 when nobody reads on.
 */
export async function watchList(connection: Connection, request: ListWatchRequest, timers: Timers): Promise<number> {
  const { output, scope, kubelet, sortKey, look, trace, note } = request;
  if (output === "name" || output === "yaml") throw new UserError("notWithWatch", `-o ${output}`);
  const show = await showIn<ListFrame>(output, {
    screen: (frame, size, isLast) => renderLiveList({ ...frame, isLast }, { ...look, ...size }),
    lines: rowsOf(look),
    json: jsonLines(),
    troubleOf: ({ trouble }) => trouble,
    notes: new TroubleNotes("the pods", note),
  });
  const session = new ListSession(connection, scope, kubelet, timers, undefined, trace);
  const inOrder = (list: BackoffList): BackoffList => sorted(look.isDownOnly ? withoutRunning(list) : list, sortKey);
  return showFrames(connection, session, (frame, isLast) => show({ ...frame, list: inOrder(frame.list) }, isLast));
}

function rowsOf(look: ListLook): (frame: ListFrame) => string {
  let shown: BackoffList | null = null;
  let hasHeaders = look.hasHeaders;
  return ({ list }) => {
    const news = listNews(shown, list, { ...look, hasHeaders });
    shown = list;
    if (list.items.length > 0) hasHeaders = false;
    return news;
  };
}

function jsonLines(): (frame: ListFrame) => string {
  let shown: string | null = null;
  return ({ list }) => {
    const key = listKey(list);
    if (key === shown) return "";
    shown = key;
    return renderListJsonLine(list);
  };
}

const TICK_MS = 1_000;
/** A longer list is shown once a second, whatever happens in between. */
const LONG_LIST = 500;
/** How often what is down is judged anew only because time has passed; of thousands that takes a while, and less often is enough. */
const JUDGE_MS = 5_000;
const JUDGE_REST_FACTOR = 19;

/** A list that is kept up to date, with the time that passes. */
export class ListSession {
  readonly #timers: Timers;
  readonly #time: WatchTime;
  readonly #pace: FramePace;
  readonly #watch: ListWatch;
  readonly #kubelet: ExplainOptions;
  readonly #ending = new AbortController();
  #matches: ListMatches;
  #judgeAtMs = 0;
  #trouble: ListFrame["trouble"] = null;
  #bug: { readonly error: unknown } | null = null;

  /** `trace` is told of each pod when it comes, not when only time has passed. */
  constructor(
    connection: Connection,
    scope: ListScope,
    kubelet: ExplainOptions,
    timers: Timers,
    tickMs = TICK_MS,
    trace: Trace = NO_TRACE,
  ) {
    this.#timers = timers;
    this.#time = new WatchTime(timers);
    this.#pace = new FramePace(timers, () => this.#time.nowMs(), tickMs);
    this.#kubelet = kubelet;
    this.#matches = new ListMatches(kubelet);
    const timed = keepingTime(connection, this.#time.clock, () => timers.nowMs());
    const handler: ListHandler = {
      listed: (parts) => this.#listed(trace.parts(parts, kubelet)),
      changed: (pod) => {
        const now = this.#time.now();
        this.#news(this.#matches.judge(pod, now));
        trace.explained({ ...now, pods: [pod] }, kubelet);
      },
      up: (pod) => this.#news(this.#matches.forget(pod)),
      trouble: (failure, sinceLocalMs) => {
        this.#trouble = this.#time.troubleAfter(this.#trouble, failure, sinceLocalMs);
      },
    };
    this.#watch = new ListWatch(timed, scope, handler, timers);
  }

  /** How many pods are held in memory: those that are down. */
  get held(): number {
    return this.#matches.size;
  }

  /** Stops at once, whatever is under way. */
  end(): void {
    this.#ending.abort();
    this.#pace.end();
  }

  /**
   * A frame each second, and soon after each change, until `end` is called. Throws what the first list fails with; later
   * ones are tried again.
   */
  async *frames(): AsyncGenerator<ListFrame> {
    const { signal } = this.#ending;
    if (!(await this.#begin(signal))) return;
    this.#watch.run(signal).catch((error) => {
      this.#bug = { error };
      this.end();
    });
    try {
      while (!signal.aborted) {
        yield this.#frame();
        await this.#pace.pause();
      }
      if (this.#bug !== null) throw this.#bug.error;
    } finally {
      this.end();
    }
  }

  /** Whether it came to a list before the end. */
  async #begin(signal: AbortSignal): Promise<boolean> {
    const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    const begun = this.#watch.begin(signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
    await Promise.race([begun, ended]);
    return !signal.aborted;
  }

  /** What was known holds until all of the new list is there. */
  async #listed(parts: AsyncIterable<ListedObservation>): Promise<void> {
    const matches = new ListMatches(this.#kubelet);
    for await (const part of parts) {
      if (part.startsOver) matches.clear();
      for (const pod of part.pods) matches.judge(pod, part);
    }
    this.#matches = matches;
    this.#judgeAtMs = this.#timers.nowMs() + JUDGE_MS;
    this.#news(true);
  }

  #news(isNews: boolean): void {
    if (isNews && this.#matches.size <= LONG_LIST) this.#pace.news();
  }

  #frame(): ListFrame {
    this.#pace.framed();
    const now = this.#time.now();
    if (this.#timers.nowMs() >= this.#judgeAtMs) this.#judgeAll(now);
    const trouble = lastingTrouble(this.#trouble, now.atMs);
    return { list: this.#matches.list(now.atMs), trouble, isLast: false };
  }

  #judgeAll(now: Moment): void {
    const beganAtMs = this.#timers.nowMs();
    this.#matches.judgeAll(now);
    const endedAtMs = this.#timers.nowMs();
    this.#judgeAtMs = endedAtMs + Math.max(JUDGE_MS, JUDGE_REST_FACTOR * (endedAtMs - beganAtMs));
  }
}

interface Match {
  readonly observed: PodObservation;
  readonly found: BackoffList;
}

/** The pods that have a container that is down, as they were last seen; others are judged and forgotten. */
class ListMatches {
  readonly #options: ExplainOptions;
  readonly #matches = new Map<string, Match>();

  constructor(options: ExplainOptions) {
    this.#options = options;
  }

  /** How many pods are held. */
  get size(): number {
    return this.#matches.size;
  }

  /** Takes a pod in if anything of it is down. Gives whether it is one of those that are held, or was. */
  judge(observed: PodObservation, moment: Moment): boolean {
    const observation = { ...moment, pods: [observed] };
    const found = listed(observation, explain(observation, this.#options));
    if (found.items.length === 0) return this.forget(observed.pod);
    this.#matches.set(keyOf(observed.pod), { observed, found });
    return true;
  }

  /** Judges anew what only time has changed. */
  judgeAll(moment: Moment): void {
    for (const { observed } of [...this.#matches.values()]) this.judge(observed, moment);
  }

  /** Gives whether it was held. */
  forget(pod: Pick<PodSnapshot, "namespace" | "name">): boolean {
    return this.#matches.delete(keyOf(pod));
  }

  clear(): void {
    this.#matches.clear();
  }

  /** All that is down, as one list. */
  list(atMs: number): BackoffList {
    const parts = [...this.#matches.values()].map(({ found }) => found);
    return joined(atMs, parts);
  }
}

function keyOf({ namespace, name }: Pick<PodSnapshot, "namespace" | "name">): string {
  return `${namespace}/${name}`;
}
