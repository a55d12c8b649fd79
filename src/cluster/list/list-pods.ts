import { setImmediate } from "node:timers/promises";
import type { Connection } from "../connection/connection.ts";
import { isGone, RequestFailure } from "../connection/request-failure.ts";
import { parsedJson } from "../objects/json-access.ts";
import { areAllReady, type PodRow } from "../objects/pod-table.ts";
import { objectPath } from "../objects/workload-kinds.ts";
import { type ListPage, type ListScope, type PageForm, pageReaders, type ReadPage } from "./list-pages.ts";
import { DOWN_OR_LOOPING, type PodFilter } from "./pod-filter.ts";

interface AnyPod extends Pick<PodRow, "name" | "nodeName"> {
  readonly isReady: boolean;
}

export interface ListStep extends Pick<ListPage, "version" | "serverClockMs"> {
  readonly all: readonly AnyPod[];
  /** The pods that the list's filter selects, as parsed JSON. */
  readonly pods: readonly unknown[];
  /** Counts containers only in pods that the filter does not select. Always 0 for `DOWN_OR_LOOPING`. */
  readonly up: number;
  /** True if the list has expired and begins again, so that the caller must drop all earlier pages. */
  readonly startsOver: boolean;
}

export type OnSuspects = (rows: readonly PodRow[]) => void;

/** The maximum number of answers 410 (Gone) in a row, and the maximum number of times that a list starts over. */
const MOST_EXPIRIES = 3;

/**
 * Before it yields a page with suspicious pods, calls `onSuspects` with their rows. If the page has whole pods
 * instead of rows, `onSuspects` gets an empty array. If the list expires (410), the next pages can show a later state,
 * or the list can start over.
 */
export async function* listPods(
  connection: Connection,
  scope: ListScope,
  onSuspects: OnSuspects = () => {},
): AsyncGenerator<ListStep> {
  const reader = new ListReader(connection, scope, onSuspects);
  let [token, expiries, startsOver] = [null as string | null, 0, false];
  let startOvers = 0;
  do {
    try {
      const { nextToken, ...step } = await reader.step(token);
      yield { ...step, startsOver };
      [token, expiries, startsOver] = [nextToken, 0, false];
    } catch (error) {
      if (!isGone(error) || ++expiries > MOST_EXPIRIES) throw error;
      token = error.continueToken;
      startsOver = token === null;
      if (startsOver && ++startOvers > MOST_EXPIRIES) throw error;
      reader.dropPageAhead();
    }
  } while (token !== null || startsOver);
}

/** How to read the suspicious pods of a page: one by one, or as a page of `take` pods after the first `skip` pods. */
type Plan =
  | { readonly kind: "one-by-one"; readonly indices: readonly number[] }
  | { readonly kind: "window"; readonly skip: number; readonly take: number };

/** Assumed: a request for a page costs as much as reading this number of whole pods in the page. */
const PODS_PER_PAGE = 40;
/**
 * Assumed: a request for one pod costs as much as reading this number of whole pods in a page, because the program
 * limits the rate of requests for single pods.
 */
const PODS_PER_SINGLE = 80;
/** Assumed: waiting for one more answer takes as long as reading this number of whole pods. */
const PODS_PER_ROUND_TRIP = 200;
/**
 * In a list of one page, the program can read up to this number of pods one by one instead of skipping the first pods.
 * Skipping pods takes two requests, one after the other.
 */
const MOST_SINGLES = 20;
/** If a window (see `Plan`) is a larger share of its page, the program reads the whole page. */
const MOST_OF_A_PAGE = 0.6;

/** `suspects` are ascending indices in a page of `count` pods. `areNamed`: whether the pods' namespaces are known. */
export function readPlan(
  suspects: readonly number[],
  { count, isOnlyPage }: { readonly count: number; readonly isOnlyPage: boolean },
  areNamed: boolean,
): Plan {
  const [first, last] = [suspects[0], suspects.at(-1)];
  if (first === undefined || last === undefined) return { kind: "one-by-one", indices: [] };
  // Skipping pods takes an extra request, which must save more than it costs.
  const skip = first > (isOnlyPage ? PODS_PER_ROUND_TRIP : PODS_PER_PAGE) ? first : 0;
  const take = last + 1 - skip;
  const costOfWindow = take + PODS_PER_PAGE * (skip > 0 ? 2 : 1);
  const areFew = isOnlyPage && skip > 0 && suspects.length <= MOST_SINGLES;
  if (areNamed && (areFew || suspects.length * PODS_PER_SINGLE < costOfWindow))
    return { kind: "one-by-one", indices: suspects };
  return { kind: "window", ...(take > count * MOST_OF_A_PAGE ? { skip: 0, take: count } : { skip, take }) };
}

/**
 * 500 is kubectl's `DefaultChunkSize` (kubectl v0.37.1, pkg/cmd/util/helpers.go). A page of whole pods has fewer,
 * because two pages of whole pods can be in memory at once.
 */
const PAGE_SIZES = { table: 500, "named-table": 500, whole: 250 } as const;

class ListReader {
  readonly #connection: Connection;
  readonly #filter: PodFilter;
  readonly #onSuspects: OnSuspects;
  readonly #read: Readonly<Record<PageForm, ReadPage>>;
  #nextForm: PageForm;
  #ahead: Promise<ListPage> | null = null;

  constructor(connection: Connection, scope: ListScope, onSuspects: OnSuspects) {
    this.#connection = connection;
    this.#onSuspects = onSuspects;
    this.#filter = scope.filter ?? DOWN_OR_LOOPING;
    this.#read = pageReaders(connection, scope);
    // Assumed: in most clusters, the first page is the only page. If its rows have namespaces, the program can read
    // pods one by one.
    this.#nextForm = scope.namespace === null ? "named-table" : "table";
  }

  async step(token: string | null): Promise<Omit<ListStep, "startsOver"> & Pick<ListPage, "nextToken">> {
    const ahead = this.#ahead;
    this.#ahead = null;
    const page = await (ahead ?? this.#pageAt(token));
    const { nextToken, version, serverClockMs } = page;
    if (page.kind === "whole") {
      this.#requestAhead(nextToken);
      // Lets Node send the request for the next page before the program splits this page into pods.
      await setImmediate();
      const pods = [...page.pods];
      const { suspects } = this.#plan(pods, (pod) => this.#filter.text(pod, serverClockMs));
      if (suspects.length > 0) this.#onSuspects([]);
      return {
        all: pods.map(anyPodIn),
        ...parsedPods(pods, this.#filter, serverClockMs),
        nextToken,
        version,
        serverClockMs,
      };
    }
    const { rows } = page;
    const isOnlyPage = nextToken === null && token === null;
    const areNamed = rows.every(({ namespace }) => namespace !== null);
    const { suspects, plan } = this.#plan(rows, (row) => this.#filter.row(row), { isOnlyPage, areNamed });
    if (suspects.length > 0) this.#onSuspects(suspects);
    this.#requestAhead(nextToken);
    const read = await this.#carryOut(plan, rows, token);
    return { all: rows.map(anyPodOf), ...read, nextToken, version, serverClockMs };
  }

  dropPageAhead(): void {
    this.#ahead = null;
  }

  #pageAt(token: string | null): Promise<ListPage> {
    return this.#read[this.#nextForm](token, PAGE_SIZES[this.#nextForm]);
  }

  #plan<T>(pods: readonly T[], isSuspect: (pod: T) => boolean, { isOnlyPage = false, areNamed = false } = {}) {
    const suspects = [...pods.entries()].filter(([, pod]) => isSuspect(pod));
    const indices = suspects.map(([index]) => index);
    const plan = readPlan(indices, { count: pods.length, isOnlyPage }, areNamed);
    this.#nextForm = plan.kind === "window" && plan.take === pods.length ? "whole" : "table";
    return { plan, suspects: suspects.map(([, pod]) => pod) };
  }

  #requestAhead(token: string | null): void {
    if (token === null) return;
    this.#ahead = this.#pageAt(token);
    // If this request fails, the next `step` can throw the error.
    this.#ahead.catch(() => {});
  }

  async #carryOut(plan: Plan, rows: readonly PodRow[], token: string | null): Promise<PodsRead> {
    if (plan.kind === "one-by-one") {
      const wanted = plan.indices.flatMap((index) => rows[index] ?? []);
      const pods = await Promise.all(wanted.map((row) => this.#pod(row)));
      return { pods: pods.flat(), up: this.#upIn(rows) };
    }
    const { pods, up } = await this.#window(token, plan.skip, plan.take);
    return { pods, up: up + this.#upIn(rows.toSpliced(plan.skip, plan.take)) };
  }

  #upIn(rows: readonly PodRow[]): number {
    return rows.reduce((sum, row) => sum + this.#filter.upInRow(row), 0);
  }

  async #window(token: string | null, skip: number, take: number): Promise<PodsRead> {
    const start = skip === 0 ? token : (await this.#read.table(token, skip)).nextToken;
    if (skip > 0 && start === null) return NO_PODS;
    const page = await this.#read.whole(start, take);
    return page.kind === "whole" ? parsedPods(page.pods, this.#filter, page.serverClockMs) : NO_PODS;
  }

  async #pod({ namespace, name }: PodRow): Promise<readonly unknown[]> {
    try {
      const path = objectPath("Pod", namespace, name);
      return [(await this.#connection.get(path, { isOneOfMany: true })).body];
    } catch (error) {
      if (error instanceof RequestFailure && error.kind === "not-found") return [];
      throw error;
    }
  }
}

type PodsRead = Pick<ListStep, "pods" | "up">;

function anyPodOf({ name, nodeName, ready }: PodRow): AnyPod {
  return { name, nodeName, isReady: areAllReady(ready) };
}

/** Assumed: the first `name` is the pod's, because the API server writes `metadata.name` first. */
function anyPodIn(pod: string): AnyPod {
  return {
    name: /"name":\s*"([^"]*)"/.exec(pod)?.[1] ?? "",
    nodeName: /"nodeName":\s*"([^"]*)"/.exec(pod)?.[1] ?? null,
    isReady: !/"ready":\s*false/.test(pod),
  };
}

const NO_PODS: PodsRead = { pods: [], up: 0 };

function parsedPods(texts: Iterable<string>, filter: PodFilter, nowMs: number | null): PodsRead {
  const pods: unknown[] = [];
  let up = 0;
  for (const text of texts) {
    if (!filter.text(text, nowMs)) up += filter.upInText(text);
    else {
      const pod = parsedJson(text);
      if (pod === undefined)
        throw new RequestFailure("bad-answer", { message: "a pod of the list is not JSON", status: 200 });
      pods.push(pod);
    }
  }
  return { pods, up };
}
