import type { Connection } from "../../cluster/connection/connection.ts";
import { sleep, type Timers } from "../../cluster/connection/timers.ts";
import { WHY_SLOW, withOwnEvents } from "../../cluster/list/list-events.ts";
import { listUnsuccessfulJobs } from "../../cluster/list/list-jobs.ts";
import type { ListedObservation } from "../../cluster/list/list-observe.ts";
import type { ListScope } from "../../cluster/list/list-pages.ts";
import type { BackoffList } from "../../explain/answer/backoff-list.ts";
import type { FailedJob } from "../../explain/answer/explanation.ts";
import { withCommon } from "../../explain/common.ts";
import { explain } from "../../explain/explain.ts";
import { joined, listed, withoutRunning } from "../../explain/list.ts";
import { type SortKey, sorted } from "../../explain/list-order.ts";
import { notReadySinceMs } from "../../explain/not-ready.ts";
import { podKey } from "../../explain/observed/lookups.ts";
import type { Now, PodObservation } from "../../explain/observed/observation.ts";
import type { PolicyOverrides } from "../../explain/replay/policy-of-pod.ts";
import { isSlowToStartInStatus } from "../../explain/triage.ts";
import { jsonLine } from "../../render/json/json.ts";
import { listToJson } from "../../render/json/list-json.ts";
import type { ListLook } from "../../render/list/list-table.ts";
import { type ListFrame, listKey, listNews, renderLiveList, stampedNews } from "../../render/watch/live-list.ts";
import { PacedList, type PodHandler } from "../watch/paced-list.ts";
import { ifChanged, showFrames, showIn, WATCHED_FORMS, watchedForm } from "../watch/watch-output.ts";
import { failedAmong } from "./collected-list.ts";
import { gapNotes } from "./list-parts.ts";
import { WatchedLogLines } from "./watched-log-lines.ts";

interface ListWatchRequest {
  readonly scope: ListScope;
  readonly kubelet: PolicyOverrides;
  readonly sortKey: SortKey;
  readonly output: string;
  readonly look: ListLook;
  readonly tail: number;
  readonly note: (sentence: string) => void;
}

/** Returns the exit code. */
export async function watchList(connection: Connection, request: ListWatchRequest, timers: Timers): Promise<number> {
  const { output, scope, kubelet, sortKey, look, tail, note } = request;
  watchedForm(output, [...WATCHED_FORMS, "wide"]);
  const show = await showIn<ListFrame>(output, {
    screen: (frame, size, isLast) =>
      renderLiveList({ ...frame, isLast }, { ...look, ...size }, gapNotes(frame.list.gaps)),
    lines: rowsOf(look, note),
    json: ifChanged(
      ({ list }) => listKey(list),
      ({ list }) => jsonLine(listToJson(list, {})),
    ),
    lossOf: ({ connectionLoss }) => connectionLoss,
    note,
  });
  const session = new ListSession(connection, scope, kubelet, timers, { tail });
  const inOrder = (list: BackoffList): BackoffList =>
    withCommon(sorted(look.isDownOnly ? withoutRunning(list) : list, sortKey));
  return showFrames(connection, session, (frame, isLast) => show({ ...frame, list: inOrder(frame.list) }, isLast));
}

function rowsOf(look: ListLook, note: (sentence: string) => void): (frame: ListFrame) => string {
  let shown: BackoffList | null = null;
  let hasHeaders = look.hasHeaders;
  const noted = new Set<string>();
  return ({ list, nowMs }) => {
    for (const sentence of gapNotes(list.gaps.filter(({ code }) => !noted.has(code)))) note(sentence);
    for (const { code } of list.gaps) noted.add(code);
    const hasTable = list.items.length > 0;
    const news = stampedNews(listNews(shown, list, { ...look, hasHeaders }), nowMs, hasHeaders && hasTable);
    shown = list;
    if (hasTable) hasHeaders = false;
    return news;
  };
}

const MOST_PODS_SHOWN_AT_CHANGE = 500;

const EXPLAIN_PAUSE_MS = 5_000;
const EXPLAIN_PAUSE_IF_SILENT_MS = 1_000;
/** The shortest pause after explaining all pods, in multiples of the time that the explaining took. */
const EXPLAIN_REST_FACTOR = 19;

/** Contains only pods that have a row or are not Ready. */
type Matches = Map<string, { readonly observed: PodObservation; readonly found: BackoffList }>;

/** The least time from one read of what a watch of pods does not show (Jobs, logs and events) to the next. */
const DETAILS_PAUSE_MS = 60_000;
const FIRST_FRAME_WAITS_FOR_DETAILS_MS = 1_000;

export class ListSession {
  readonly #connection: Connection;
  readonly #scope: ListScope;
  readonly #logLines: WatchedLogLines;
  readonly #ending = new AbortController();
  readonly #timers: Timers;
  readonly #list: PacedList;
  readonly #kubelet: PolicyOverrides;
  #matches: Matches = new Map();
  #explainAtMs = 0;
  #detailsAtMs = 0;
  #failedJobs: readonly FailedJob[] = [];
  /** The time of the last frame for which `#isCurrent` was true. */
  #listNow: Now = { atMs: 0, atBasis: "local-clock" };
  #isCurrent = true;

  constructor(
    connection: Connection,
    scope: ListScope,
    kubelet: PolicyOverrides,
    timers: Timers,
    { tail = 0, tickMs }: { readonly tail?: number; readonly tickMs?: number } = {},
  ) {
    this.#connection = connection;
    this.#logLines = new WatchedLogLines(connection, tail);
    this.#scope = scope;
    this.#timers = timers;
    this.#kubelet = kubelet;
    const handler: PodHandler = {
      isDetailed: true,
      listed: (parts) => this.#listed(parts),
      changed: (pod) => {
        const now = this.#list.time.now();
        this.#news(this.#explain(this.#matches, this.#withKnownEvents(pod, now), now));
      },
      upOrGone: (pod) => this.#news(this.#matches.delete(podKey(pod))),
    };
    this.#list = new PacedList(connection, scope, handler, timers, tickMs);
  }

  get podCount(): number {
    return this.#matches.size;
  }

  end(): void {
    this.#ending.abort();
    this.#list.end();
  }

  async *frames(): AsyncGenerator<ListFrame> {
    let isFirst = true;
    for await (const _ of this.#list.turns()) {
      if (isFirst) {
        const details = this.#readDetails(this.#list.time.now());
        await Promise.race([details, sleep(this.#timers, FIRST_FRAME_WAITS_FOR_DETAILS_MS, this.#ending.signal)]);
      }
      isFirst = false;
      yield this.#frame();
    }
  }

  async #listed(parts: AsyncIterable<ListedObservation>): Promise<void> {
    const matches: Matches = new Map();
    for await (const part of parts) {
      if (part.startsOver) matches.clear();
      for (const pod of part.pods) this.#explain(matches, pod, part);
    }
    this.#matches = matches;
    this.#isCurrent = true;
    this.#explainAtMs = this.#timers.nowMs() + EXPLAIN_PAUSE_MS;
    this.#news(true);
  }

  #news(isNews: boolean): void {
    if (isNews && this.#matches.size <= MOST_PODS_SHOWN_AT_CHANGE) this.#list.news();
  }

  #frame(): ListFrame {
    const now = this.#list.time.now();
    const { atMs: nowMs } = now;
    if (this.#timers.nowMs() >= this.#detailsAtMs) void this.#readDetails(now);
    if (this.#timers.nowMs() >= this.#explainAtMs) this.#explainAll(now);
    const parts = [...this.#matches.values()].map(({ found }) => found);
    if (this.#isCurrent) this.#listNow = now;
    const list = { ...joined(this.#listNow, parts), failedJobs: this.#failedJobs };
    return { list: this.#logLines.addedTo(list), nowMs, connectionLoss: this.#list.lossAt(nowMs) };
  }

  async #readDetails(now: Now): Promise<void> {
    this.#detailsAtMs = this.#timers.nowMs() + DETAILS_PAUSE_MS;
    const jobs = listUnsuccessfulJobs(this.#connection, this.#scope).then((asked) => {
      if (asked !== null) this.#failedJobs = failedAmong(asked);
    });
    const stuck = [...this.#matches.values()].filter(({ observed }) => isSlowToStartInStatus(observed.pod, now.atMs));
    const events = stuck.slice(0, WHY_SLOW.mostPods).map(async ({ observed }) => {
      const withEvents = await withOwnEvents(this.#connection, observed);
      const isSame = this.#matches.get(podKey(observed.pod))?.observed === observed;
      if (isSame) this.#explain(this.#matches, withEvents, this.#list.time.now());
    });
    const found = [...this.#matches.values()].map((match) => match.found);
    const logs = this.#logLines.read(joined(now, found));
    // The watch goes on without details that cannot be read.
    await Promise.all([jobs, logs, ...events]).catch(() => {});
  }

  /** If the changed pod is slow to start, keeps the events that the program has already read about this pod. */
  #withKnownEvents(changed: PodObservation, { atMs }: Now): PodObservation {
    const known = this.#matches.get(podKey(changed.pod))?.observed;
    if (known === undefined || known.pod.uid !== changed.pod.uid || !isSlowToStartInStatus(changed.pod, atMs))
      return changed;
    return { ...changed, events: known.events, missing: known.missing };
  }

  /** Explains all pods again, but keeps the old explanations while the program may have missed a restart. */
  #explainAll(now: Now): void {
    const beganAtMs = this.#timers.nowMs();
    const matches: Matches = new Map();
    for (const { observed } of this.#matches.values()) this.#explain(matches, observed, now);
    const overdue = [...matches.values()].flatMap(({ found }) => found.items.map((item) => item.overdue));
    this.#isCurrent = this.#list.hasHeardSince(overdue);
    if (this.#isCurrent) this.#matches = matches;
    const endedAtMs = this.#timers.nowMs();
    const pauseMs = this.#isCurrent ? EXPLAIN_PAUSE_MS : EXPLAIN_PAUSE_IF_SILENT_MS;
    this.#explainAtMs = endedAtMs + Math.max(pauseMs, EXPLAIN_REST_FACTOR * (endedAtMs - beganAtMs));
  }

  /** Returns whether the list has, or had before, a row of the pod. */
  #explain(matches: Matches, observed: PodObservation, { atMs, atBasis }: Now): boolean {
    const observation = { atMs, atBasis, pods: [observed] };
    const found = listed(observation, explain(observation, this.#kubelet));
    const key = podKey(observed.pod);
    const wasListed = hasRows(matches.get(key)?.found);
    if (found.items.length > 0 || notReadySinceMs(observed.pod) !== null) matches.set(key, { observed, found });
    else matches.delete(key);
    return wasListed || hasRows(found);
  }
}

function hasRows(found: BackoffList | undefined): boolean {
  return found !== undefined && found.items.length + found.notReady.length > 0;
}
