import type { Ask, PacedAsk } from "../api/list-pace.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import type { PodRow } from "../objects/pod-table.ts";
import { parsedJson } from "../objects/untrusted.ts";
import { inPath } from "../objects/workload-kinds.ts";
import {
  type ListScope,
  type Page,
  type Position,
  pageReaders,
  podsPath,
  type ReadPage,
  type Sieve,
} from "./list-pages.ts";
import { DOWN_OR_LOOPING } from "./list-sieve.ts";

/** A part of a list that has been read. */
interface ListStep extends PageRead {
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
type Plan =
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
interface PageRead {
  /** The names of the pods that it is about. */
  readonly names: readonly string[];
  /** Those of them that are worth reading, raw. */
  readonly pods: readonly unknown[];
  /** Containers of the others that are up, where the sieve counts them. */
  readonly up: number;
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
  readonly #sieve: Sieve;
  readonly #read: { readonly table: ReadPage; readonly whole: ReadPage };
  #form: "table" | "whole" = "table";
  #ahead: { readonly position: Position; readonly page: Promise<Page> } | null = null;

  constructor({ ask, askEach }: PacedAsk, scope: ListScope) {
    this.#askEach = askEach;
    this.#scope = scope;
    this.#sieve = scope.sieve ?? DOWN_OR_LOOPING;
    this.#read = pageReaders(ask, scope);
  }

  /** One page, and what it takes to know its pods. */
  async step(position: Position): Promise<{ readonly step: PageRead; readonly next: Position }> {
    const { content, next, version, serverClockMs } = await this.#pageAt(position);
    if (content.kind === "whole") {
      // In the form that the page before has suggested: the server writes while this one is cut.
      this.#prepare(next, this.#form);
      const pods = [...content.pods];
      const isSuspect = (pod: string) => this.#sieve.text(pod, serverClockMs);
      this.#form = this.#planOf(pods, isSuspect).kind === "whole" ? "whole" : "table";
      const read = parsedPods(pods, this.#sieve, serverClockMs);
      return { step: { names: pods.map(nameIn), ...read, version, serverClockMs }, next };
    }
    const { rows } = content;
    const plan = this.#planOf(rows, (row) => this.#sieve.row(row));
    this.#form = plan.kind === "whole" ? "whole" : "table";
    this.#prepare(next, this.#form);
    const read = await this.#carryOut(plan, rows, position);
    return { step: { names: rows.map(({ name }) => name), ...read, version, serverClockMs }, next };
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

  async #carryOut(plan: Plan, rows: readonly PodRow[], position: Position): Promise<PodsRead> {
    switch (plan.kind) {
      case "nothing":
        return { pods: [], up: this.#upIn(rows) };
      case "one-by-one": {
        const pods = await this.#oneByOne(plan.indices.map((index) => rows[index]?.name ?? ""));
        return { pods, up: this.#upIn(rows) };
      }
      case "window": {
        const { pods, up } = await this.#window(position, plan.skip, plan.take);
        return { pods, up: up + this.#upIn(rows.toSpliced(plan.skip, plan.take)) };
      }
      case "whole":
        return this.#window(position, 0, rows.length);
    }
  }

  /** Rows that are worth reading have nothing to count. */
  #upIn(rows: readonly PodRow[]): number {
    return rows.reduce((sum, row) => sum + this.#sieve.upInRow(row), 0);
  }

  async #window(position: Position, skip: number, take: number): Promise<PodsRead> {
    const start = skip === 0 ? position : (await this.#read.table(position, skip)).next;
    if (skip > 0 && start === null) return NO_PODS;
    const { content, serverClockMs } = await this.#read.whole(start, take);
    return content.kind === "whole" ? parsedPods(content.pods, this.#sieve, serverClockMs) : NO_PODS;
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

type PodsRead = Pick<PageRead, "pods" | "up">;

/** The API server writes an object's metadata first, and its name first of that. */
function nameIn(pod: string): string {
  return /"name":\s*"([^"]*)"/.exec(pod)?.[1] ?? "";
}

const NO_PODS: PodsRead = { pods: [], up: 0 };

function parsedPods(texts: Iterable<string>, sieve: Sieve, nowMs: number | null): PodsRead {
  const pods: unknown[] = [];
  let up = 0;
  for (const text of texts) {
    if (!sieve.text(text, nowMs)) up += sieve.upInText(text);
    else {
      const pod = parsedJson(text);
      if (pod === undefined)
        throw new RequestFailure("bad-answer", { message: "a pod of the list is not JSON", status: 200 });
      pods.push(pod);
    }
  }
  return { pods, up };
}
