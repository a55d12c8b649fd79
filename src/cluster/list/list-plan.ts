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
