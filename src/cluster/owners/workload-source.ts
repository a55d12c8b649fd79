import type { Missing } from "../../explain/observed/observation.ts";
import { pagesOf } from "../api/collection-pages.ts";
import type { LabelSelector } from "../api/target-selector.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure, whyMissing } from "../connection/request-failure.ts";
import { collectionPath, inPath, type ObjectKind } from "../objects/workload-kinds.ts";

export type RawObject = Readonly<Record<string, unknown>>;

/** What was asked for, or why it is not to be had; `error` where a request failed. */
export type Found<T> =
  | { readonly value: T; readonly why: null }
  | { readonly value: null; readonly why: Missing["why"]; readonly error: unknown };

/** Where workloads, their revisions and their pods are read from: a cluster or files. Nothing of it has to be had. */
export interface ObjectSource {
  /** `namespace` null: whichever has it, which only files allow. */
  get(kind: ObjectKind, namespace: string | null, name: string): Promise<Found<RawObject>>;
  /** All objects of a kind that the selector matches, and without one all; `namespace` null: of all namespaces. */
  list(
    kind: ObjectKind,
    namespace: string | null,
    selector: LabelSelector | null,
  ): Promise<Found<readonly RawObject[]>>;
}

/** Objects of a cluster: what several pods need is asked for once. */
export function liveSource(connection: Connection): ObjectSource {
  const asked = new Map<string, Promise<Found<unknown>>>();
  const once = <T>(key: string, ask: () => Promise<T>): Promise<Found<T>> => {
    const known = asked.get(key) ?? attempt(ask);
    asked.set(key, known);
    return known as Promise<Found<T>>;
  };
  return {
    get: (kind, namespace, name) => {
      const path = `${collectionPath(kind, namespace)}/${inPath(name)}`;
      return once(path, async () => (await connection.get(path)).body as RawObject);
    },
    list: (kind, namespace, selector) => {
      const path = collectionPath(kind, namespace);
      const query: Record<string, string> = selector === null ? {} : { labelSelector: selector.text };
      return once(`${path}?${selector?.text ?? ""}`, async () => {
        const objects: RawObject[] = [];
        // A server may send more than was asked for: `push(...page)` fails beyond some 100,000.
        for await (const page of pagesOf(connection, path, query)) for (const object of page) objects.push(object);
        return objects;
      });
    },
  };
}

async function attempt<T>(ask: () => Promise<T>): Promise<Found<T>> {
  try {
    return { value: await ask(), why: null };
  } catch (error) {
    return { value: null, why: whyMissing(error), error };
  }
}

/** What is not in files: nobody refused it. */
export function notInInput(): { readonly value: null; readonly why: "not-in-input"; readonly error: RequestFailure } {
  const error = new RequestFailure("not-found", { message: "it is not in the input" });
  return { value: null, why: "not-in-input", error };
}
