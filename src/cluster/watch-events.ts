import type { EventSnapshot } from "../explain/observation.ts";
import { eventsOf } from "./list-events.ts";
import { at, isObject, textOf } from "./untrusted.ts";
import type { WatchHandler } from "./watch-objects.ts";

/** The events about one object as the API server has them: what it has forgotten is forgotten here too. */
export class WatchedEvents implements WatchHandler {
  readonly #events = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Those about one of these UIDs. */
  ofUids(uids: readonly string[]): readonly EventSnapshot[] {
    return eventsOf({ objects: [...this.#events.values()], why: null }, uids);
  }

  listed(events: readonly unknown[]): void {
    this.#events.clear();
    for (const event of events) this.#set(event);
    this.#onChange();
  }

  changed(event: unknown): void {
    this.#set(event);
    this.#onChange();
  }

  deleted(event: unknown): void {
    this.#events.delete(keyOf(event));
    this.#onChange();
  }

  /** Told of the pod's own watch, which shares its fate. */
  trouble(): void {}

  #set(event: unknown): void {
    if (isObject(event)) this.#events.set(keyOf(event), event);
  }
}

function keyOf(event: unknown): string {
  return textOf(at(event, "metadata", "uid")) ?? textOf(at(event, "metadata", "name")) ?? "";
}
