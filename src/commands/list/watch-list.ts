import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { ListedObservation } from "../../cluster/list/list-observe.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import type { ListHandler } from "../../cluster/watch/watch-list.ts";
import { UserError } from "../../errors.ts";
import { type ExplainOptions, explain } from "../../explain/explain.ts";
import { type BackoffList, joined, listed, type SortKey, sorted, withoutRunning } from "../../explain/list.ts";
import type { Now, PodObservation, PodSnapshot } from "../../explain/observed/observation.ts";
import type { ListLook } from "../../render/list/list-table.ts";
import {
  type ListFrame,
  listKey,
  listNews,
  renderListJsonLine,
  renderLiveList,
  stampedNews,
} from "../../render/watch/live-list.ts";
import { ifChanged, showFrames, showIn, troubleNotes } from "../watch/watch-output.ts";
import { WatchedList } from "../watch/watched-list.ts";

interface ListWatchRequest {
  readonly scope: ListScope;
  readonly kubelet: ExplainOptions;
  readonly sortKey: SortKey;
  readonly output: string;
  readonly look: ListLook;
  readonly note: (sentence: string) => void;
}

/**
 * Prints the list again whenever it changes: on a terminal in place with a countdown, else as new rows or as JSON
 * lines. Returns the exit code: 130 after Ctrl-C, 0 when the reader of stdout is gone.
 */
export async function watchList(connection: Connection, request: ListWatchRequest, timers: Timers): Promise<number> {
  const { output, scope, kubelet, sortKey, look, note } = request;
  if (output === "name" || output === "yaml") throw new UserError("notWithWatch", `-o ${output}`);
  const noteTrouble = troubleNotes(note);
  const show = await showIn<ListFrame>(output, {
    screen: (frame, size, isLast) => renderLiveList({ ...frame, isLast }, { ...look, ...size }),
    lines: rowsOf(look),
    json: ifChanged(
      ({ list }) => listKey(list),
      ({ list }) => renderListJsonLine(list),
    ),
    noteTrouble: ({ trouble }) => noteTrouble(trouble),
  });
  const session = new ListSession(connection, scope, kubelet, timers);
  const inOrder = (list: BackoffList): BackoffList => sorted(look.isDownOnly ? withoutRunning(list) : list, sortKey);
  return showFrames(connection, session, (frame, isLast) => show({ ...frame, list: inOrder(frame.list) }, isLast));
}

function rowsOf(look: ListLook): (frame: ListFrame) => string {
  let shown: BackoffList | null = null;
  let hasHeaders = look.hasHeaders;
  return ({ list, nowMs }) => {
    const hasRows = list.items.length > 0;
    const news = stampedNews(listNews(shown, list, { ...look, hasHeaders }), nowMs, hasHeaders && hasRows);
    shown = list;
    if (hasRows) hasHeaders = false;
    return news;
  };
}

/** A list of more pods is shown only once a second, even if pods change in between. */
const LONG_LIST = 500;
/** How often to explain the pods again if only time has passed. Less often if that takes more than 5% of the time. */
const JUDGE_MS = 5_000;
/** The same while nothing is heard: the server's answer usually comes soon. */
const UNHEARD_MS = 1_000;
const JUDGE_REST_FACTOR = 19;

/** The pods with a container that is down, by NAMESPACE/NAME, and what the list shows of them. */
type Matches = Map<string, { readonly observed: PodObservation; readonly found: BackoffList }>;

export class ListSession {
  readonly #timers: Timers;
  readonly #list: WatchedList;
  readonly #kubelet: ExplainOptions;
  #matches: Matches = new Map();
  #judgeAtMs = 0;
  /** The time of the list: now, or earlier if nothing was heard when a restart was expected. */
  #atMs = 0;
  /** Whether the list is as of now. */
  #isCurrent = true;

  constructor(connection: Connection, scope: ListScope, kubelet: ExplainOptions, timers: Timers, tickMs?: number) {
    this.#timers = timers;
    this.#kubelet = kubelet;
    const handler: Omit<ListHandler, "trouble"> = {
      listed: (parts) => this.#listed(parts),
      changed: (pod) => {
        const now = this.#list.time.now();
        this.#news(this.#judge(this.#matches, pod, now));
      },
      up: (pod) => this.#news(this.#matches.delete(keyOf(pod))),
    };
    this.#list = new WatchedList(connection, scope, handler, timers, tickMs);
  }

  get held(): number {
    return this.#matches.size;
  }

  end(): void {
    this.#list.end();
  }

  async *frames(): AsyncGenerator<ListFrame> {
    for await (const _ of this.#list.turns()) yield this.#frame();
  }

  /** Keeps the old list until the new one is complete. */
  async #listed(parts: AsyncIterable<ListedObservation>): Promise<void> {
    const matches: Matches = new Map();
    for await (const part of parts) {
      if (part.startsOver) matches.clear();
      for (const pod of part.pods) this.#judge(matches, pod, part);
    }
    this.#matches = matches;
    this.#isCurrent = true;
    this.#judgeAtMs = this.#timers.nowMs() + JUDGE_MS;
    this.#news(true);
  }

  #news(isNews: boolean): void {
    if (isNews && this.#matches.size <= LONG_LIST) this.#list.news();
  }

  #frame(): ListFrame {
    const now = this.#list.time.now();
    const { atMs: nowMs } = now;
    if (this.#timers.nowMs() >= this.#judgeAtMs) this.#judgeAll(now);
    const parts = [...this.#matches.values()].map(({ found }) => found);
    if (this.#isCurrent) this.#atMs = nowMs;
    return { list: joined(this.#atMs, parts), nowMs, trouble: this.#list.troubleAt(nowMs), isLast: false };
  }

  /** Keeps the last judgement while nothing shows whether a restart that was expected has come. */
  #judgeAll(now: Now): void {
    const beganAtMs = this.#timers.nowMs();
    const matches: Matches = new Map();
    for (const { observed } of this.#matches.values()) this.#judge(matches, observed, now);
    const overdue = [...matches.values()].flatMap(({ found }) => found.items.map((item) => item.overdue));
    this.#isCurrent = this.#list.hasHeardSince(overdue);
    if (this.#isCurrent) this.#matches = matches;
    const endedAtMs = this.#timers.nowMs();
    const restMs = this.#isCurrent ? JUDGE_MS : UNHEARD_MS;
    this.#judgeAtMs = endedAtMs + Math.max(restMs, JUDGE_REST_FACTOR * (endedAtMs - beganAtMs));
  }

  /** Adds the pod to `matches` if a container is down, else removes it. Returns whether the list may have changed. */
  #judge(matches: Matches, observed: PodObservation, { atMs, atBasis }: Now): boolean {
    const observation = { atMs, atBasis, pods: [observed] };
    const found = listed(observation, explain(observation, this.#kubelet));
    if (found.items.length === 0) return matches.delete(keyOf(observed.pod));
    matches.set(keyOf(observed.pod), { observed, found });
    return true;
  }
}

function keyOf({ namespace, name }: Pick<PodSnapshot, "namespace" | "name">): string {
  return `${namespace}/${name}`;
}
