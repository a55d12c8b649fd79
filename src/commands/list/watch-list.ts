import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListedObservation } from "../../cluster/list/list-observe.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import type { ListHandler } from "../../cluster/watch/watch-list.ts";
import { UserError } from "../../errors.ts";
import { type ExplainOptions, explain } from "../../explain/explain.ts";
import { type BackoffList, joined, listed, type SortKey, sorted, withoutRunning } from "../../explain/list.ts";
import type { PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import type { ListLook } from "../../render/list/list-table.ts";
import { type ListFrame, listKey, listNews, renderListJsonLine, renderLiveList } from "../../render/watch/live-list.ts";
import { NO_TRACE, type Trace } from "../debug/debug-trace.ts";
import { showFrames, showIn, TroubleNotes } from "../watch/watch-output.ts";
import type { Moment } from "../watch/watch-pace.ts";
import { WatchedList } from "../watch/watched-list.ts";

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

/** A longer list is shown once a second, whatever happens in between. */
const LONG_LIST = 500;
/** How often what is down is judged anew only because time has passed; of thousands that takes a while, and less often is enough. */
const JUDGE_MS = 5_000;
const JUDGE_REST_FACTOR = 19;

/** The frames of a watched list: what is down, judged again as time passes. */
export class ListSession {
  readonly #timers: Timers;
  readonly #list: WatchedList;
  readonly #kubelet: ExplainOptions;
  #matches: ListMatches;
  #judgeAtMs = 0;

  /** `trace` is told of each pod when it comes, not when only time has passed. */
  constructor(
    connection: Connection,
    scope: ListScope,
    kubelet: ExplainOptions,
    timers: Timers,
    tickMs?: number,
    trace: Trace = NO_TRACE,
  ) {
    this.#timers = timers;
    this.#kubelet = kubelet;
    this.#matches = new ListMatches(kubelet);
    const handler: Omit<ListHandler, "trouble"> = {
      listed: (parts) => this.#listed(trace.parts(parts, kubelet)),
      changed: (pod) => {
        const now = this.#list.time.now();
        this.#news(this.#matches.judge(pod, now));
        trace.explained({ ...now, pods: [pod] }, kubelet);
      },
      up: (pod) => this.#news(this.#matches.forget(pod)),
    };
    this.#list = new WatchedList(connection, scope, handler, timers, tickMs);
  }

  /** How many pods are held in memory: those that are down. */
  get held(): number {
    return this.#matches.size;
  }

  end(): void {
    this.#list.end();
  }

  async *frames(): AsyncGenerator<ListFrame> {
    for await (const _ of this.#list.turns()) yield this.#frame();
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
    if (isNews && this.#matches.size <= LONG_LIST) this.#list.news();
  }

  #frame(): ListFrame {
    const now = this.#list.time.now();
    if (this.#timers.nowMs() >= this.#judgeAtMs) this.#judgeAll(now);
    return { list: this.#matches.list(now.atMs), trouble: this.#list.troubleAt(now.atMs), isLast: false };
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
