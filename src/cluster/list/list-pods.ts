import type { Ask, PacedAsk } from "../api/list-pace.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { mayBeDown, mayLoop, type PodRow } from "../objects/pod-table.ts";
import { parsedJson } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";
import {
  type ListScope,
  mentionsYoungRun,
  type Page,
  type Position,
  pageReaders,
  podsPath,
  type ReadPage,
} from "./list-pages.ts";

/** A part of a list that has been read. */
export interface ListStep extends PageRead {
  /** The list could not be gone on with and begins anew: what earlier steps gave is void. */
  readonly startsOver: boolean;
}

/** How often in a row a list may become too old without having come any further, and how often it may begin anew at all. */
const MOST_EXPIRIES = 3;

/**
 * Reads the pods of a scope that may have a container that is down, in the order of the list. It looks at the server's table
 * and reads only what that gives reason to; where that is nearly everything, it reads whole pages at once. All pages are of
 * one moment, unless that becomes too old on the way (410): then the rest is of a later one, and no pod comes twice.
 */
export async function* listPods(ask: PacedAsk, scope: ListScope): AsyncGenerator<ListStep> {
  const reader = new ListReader(ask, scope);
  let [position, expiries, startsOver] = [null as Position, 0, false];
  let newBeginnings = 0;
  do {
    try {
      const { step, next } = await reader.step(position);
      yield { ...step, startsOver };
      [position, expiries, startsOver] = [next, 0, false];
    } catch (error) {
      if (!(error instanceof RequestFailure && error.status === 410) || ++expiries > MOST_EXPIRIES) throw error;
      position = error.continueToken;
      startsOver = position === null;
      if (startsOver && ++newBeginnings > MOST_EXPIRIES) throw error;
      reader.forget();
    }
  } while (position !== null || startsOver);
}

/**
 * How to get at the few pods of a page that are worth reading:
 * one by one; as a window of the list, from the first of them to the last; or, where they are everywhere, as whole pages
 * from here on.
 */
export type Plan =
  | { readonly kind: "nothing" }
  | { readonly kind: "one-by-one"; readonly indices: readonly number[] }
  | { readonly kind: "window"; readonly skip: number; readonly take: number }
  | { readonly kind: "whole" };

/** A page costs about as much as this many whole pods of it, besides those that it has. */
const PODS_PER_PAGE = 40;
/** A request for one pod: there is a limit to how many of them a server is sent in a second. */
const PODS_PER_SINGLE = 80;
/** Beyond this share of a page, a look at the table before is not worth it. */
const MOST_OF_A_PAGE = 0.6;

/**
 * The cheapest plan. `suspects` are the indices of the pods to read, in order, of a page of `count` pods. A table without
 * objects does not say which namespace a pod is in, so one by one is for lists of one namespace only.
 */
export function planOf(suspects: readonly number[], count: number, hasNamespace: boolean): Plan {
  const [first, last] = [suspects[0], suspects.at(-1)];
  if (first === undefined || last === undefined) return { kind: "nothing" };
  // To skip takes a request of its own, which must save more than it costs.
  const skip = first > PODS_PER_PAGE ? first : 0;
  const take = last + 1 - skip;
  const costOfWindow = take + PODS_PER_PAGE * (skip > 0 ? 2 : 1);
  if (hasNamespace && suspects.length * PODS_PER_SINGLE < costOfWindow)
    return { kind: "one-by-one", indices: suspects };
  return take > count * MOST_OF_A_PAGE ? { kind: "whole" } : { kind: "window", skip, take };
}

/** What a page of a list came to. */
export interface PageRead {
  /** The names of the pods that it is about. */
  readonly names: readonly string[];
  /** Those of them that may have a container that is down or crash-loops, raw. */
  readonly pods: readonly unknown[];
  /** The resourceVersion of the page; null if the server does not say. */
  readonly version: string | null;
  readonly serverClockMs: number | null;
}

/** Of tables what kubectl asks for, too (`--chunk-size`); whole pods are larger, and two pages of them are held at a time. */
const PAGE_SIZES = { table: 500, whole: 250 } as const;

/** Reads page after page; knows which form of a page comes next, and has that page if it has been asked for already. */
class ListReader {
  readonly #askEach: Ask;
  readonly #scope: ListScope;
  readonly #read: { readonly table: ReadPage; readonly whole: ReadPage };
  #form: "table" | "whole" = "table";
  #ahead: { readonly position: Position; readonly page: Promise<Page> } | null = null;

  constructor({ ask, askEach }: PacedAsk, scope: ListScope) {
    this.#askEach = askEach;
    this.#scope = scope;
    this.#read = pageReaders(ask, scope);
  }

  /** One page, and what it takes to know its pods. */
  async step(position: Position): Promise<{ readonly step: PageRead; readonly next: Position }> {
    const { content, next, version, serverClockMs } = await this.#pageAt(position);
    if (content.kind === "whole") {
      // In the form that the page before has suggested: the server writes while this one is cut.
      this.#prepare(next, this.#form);
      const pods = [...content.pods];
      const isSuspect = suspicion(serverClockMs);
      this.#form = this.#planOf(pods, isSuspect).kind === "whole" ? "whole" : "table";
      const step = { names: pods.map(nameIn), pods: parsedPods(pods, isSuspect), version, serverClockMs };
      return { step, next };
    }
    const { rows } = content;
    const plan = this.#planOf(rows, (row) => mayBeDown(row) || mayLoop(row));
    this.#form = plan.kind === "whole" ? "whole" : "table";
    this.#prepare(next, this.#form);
    const pods = await this.#carryOut(plan, rows, position);
    return { step: { names: rows.map(({ name }) => name), pods, version, serverClockMs }, next };
  }

  /** The list is not what it was: neither is the page that has been asked for. */
  forget(): void {
    this.#ahead = null;
  }

  #pageAt(position: Position): Promise<Page> {
    const ahead = this.#ahead;
    this.#ahead = null;
    return ahead?.position === position ? ahead.page : this.#read[this.#form](position, PAGE_SIZES[this.#form]);
  }

  #planOf<T>(pods: readonly T[], isSuspect: (pod: T) => boolean): Plan {
    const suspects = pods.flatMap((pod, index) => (isSuspect(pod) ? [index] : []));
    return planOf(suspects, pods.length, this.#scope.namespace !== null);
  }

  /** The server prepares the next page while this one is worked on. */
  #prepare(position: Position, form: "table" | "whole"): void {
    if (position === null) return;
    const page = this.#read[form](position, PAGE_SIZES[form]);
    // Whether it has failed is found when it is its turn.
    page.catch(() => {});
    this.#ahead = { position, page };
  }

  async #carryOut(plan: Plan, rows: readonly PodRow[], position: Position): Promise<readonly unknown[]> {
    switch (plan.kind) {
      case "nothing":
        return [];
      case "one-by-one":
        return this.#oneByOne(plan.indices.map((index) => rows[index]?.name ?? ""));
      case "window":
        return this.#window(position, plan.skip, plan.take);
      case "whole":
        return this.#window(position, 0, rows.length);
    }
  }

  async #window(position: Position, skip: number, take: number): Promise<readonly unknown[]> {
    const start = skip === 0 ? position : (await this.#read.table(position, skip)).next;
    if (skip > 0 && start === null) return [];
    const { content, serverClockMs } = await this.#read.whole(start, take);
    return content.kind === "whole" ? parsedPods(content.pods, suspicion(serverClockMs)) : [];
  }

  async #oneByOne(names: readonly string[]): Promise<readonly unknown[]> {
    const path = podsPath(this.#scope.namespace);
    const pods = await Promise.all(names.map((name) => this.#pod(`${path}/${inPath(name)}`)));
    return pods.flat();
  }

  /** None if it has been deleted since. */
  async #pod(path: string): Promise<readonly unknown[]> {
    try {
      return [(await this.#askEach(path, {})).body];
    } catch (error) {
      if (error instanceof RequestFailure && error.kind === "not-found") return [];
      throw error;
    }
  }
}

/**
 * Every container that is down is not ready, and its status says so; one that loops but is up has not been up for long. Most
 * pods have no sign of either, which one look at the text tells.
 */
function suspicion(nowMs: number | null): (pod: string) => boolean {
  const isLooping = (pod: string): boolean => nowMs !== null && mentionsYoungRun(pod, nowMs);
  return (pod) =>
    /"ready":\s*false|"restartCount":\s*[1-9]/.test(pod) && (/"ready":\s*false/.test(pod) || isLooping(pod));
}

/** The API server writes an object's metadata first, and its name first of that. */
function nameIn(pod: string): string {
  return /"name":\s*"([^"]*)"/.exec(pod)?.[1] ?? "";
}

function parsedPods(pods: Iterable<string>, isSuspect: (pod: string) => boolean): unknown[] {
  return [...pods].filter(isSuspect).map((text): unknown => {
    const pod = parsedJson(text);
    if (pod === undefined)
      throw new RequestFailure("bad-answer", { message: "a pod of the list is not JSON", status: 200 });
    return pod;
  });
}
