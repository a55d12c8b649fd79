import type { Missing } from "../../explain/observed/observation.ts";
import { whyMissing } from "../connection/request-failure.ts";

export type Fetched<T> = { readonly value: T; readonly why: null } | FetchFailure;

export interface FetchFailure {
  readonly value: null;
  readonly why: Missing["why"];
  readonly error: unknown;
}

/** Catches only RequestFailures, and failures to get the credentials. */
export async function fetched<T>(ask: () => Promise<T>): Promise<Fetched<T>> {
  try {
    return { value: await ask(), why: null };
  } catch (error) {
    return { value: null, why: whyMissing(error), error };
  }
}

export function oncePerKey<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (key, ask) => {
    const known = asked.get(key) ?? ask();
    asked.set(key, known);
    return known;
  };
}
