/** Objects of one kind: where they are listed, and which of them. */
export interface WatchSource {
  readonly path: string;
  readonly fieldSelector: string;
  readonly labelSelector?: string | undefined;
}

/** Objects that are listed in a way of their own. */
export interface ListedSource extends WatchSource {
  /** Everything up to this resourceVersion is known already; null: nothing is. */
  readonly knownVersion: string | null;
  /** Reads and tells all that there is; gives the resourceVersion that it is of. */
  list(signal: AbortSignal): Promise<string>;
}

/** Is told what happens to the objects, and how the connection fares. */
export interface WatchHandler {
  /** All of them, at the beginning and whenever the server has forgotten what came in between. */
  listed(objects: readonly unknown[]): void;
  /** Nothing more is read of the watch until a promise has settled. */
  changed(object: unknown): void | Promise<void>;
  deleted(object: unknown): void;
  /** Why nothing is heard at present, and by the local clock since when; null as soon as something is again. */
  trouble(failure: Error | null, sinceLocalMs: number): void;
}

/** The same without lists. */
export type ChangeHandler = Omit<WatchHandler, "listed">;

/** The selectors of a list and of the watch that goes on with it. */
export function selectorsOf({ fieldSelector, labelSelector }: WatchSource): Readonly<Record<string, string>> {
  return { fieldSelector, ...(labelSelector !== undefined && { labelSelector }) };
}
