import type { PacedAsk } from "../api/list-pace.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import type { ListScope, Position } from "./list-pages.ts";
import { ListReader, type PageRead } from "./list-reader.ts";

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
