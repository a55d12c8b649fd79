import type { Missing } from "../../explain/observed/observation.ts";
import { whyMissing } from "../connection/request-failure.ts";

/** What a request found, or why it found nothing. */
export type Found<T> =
  | { readonly value: T; readonly why: null }
  | { readonly value: null; readonly why: Missing["why"]; readonly error: unknown };

/** Turns a RequestFailure into its reason, and throws every other error. */
export async function attempt<T>(ask: () => Promise<T>): Promise<Found<T>> {
  try {
    return { value: await ask(), why: null };
  } catch (error) {
    return { value: null, why: whyMissing(error), error };
  }
}

/** Makes a function that asks once for each key; later calls with the key get the same answer. */
export function oncePerKey<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const asked = new Map<string, Promise<T>>();
  return (key, ask) => {
    const known = asked.get(key) ?? ask();
    asked.set(key, known);
    return known;
  };
}
