import type { EventSnapshot } from "../../explain/observed/observation.ts";
import { eventsOf } from "../api/list-events.ts";
import { at, isObject, textOf } from "../objects/untrusted.ts";
import type { WatchHandler } from "./watch-thread.ts";

/** The events about one object as the API server has them: what it has forgotten is forgotten here too. */
export class WatchedEvents implements WatchHandler {
  readonly #events = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #onEvents: (events: readonly EventSnapshot[]) => void;
  #uids: readonly string[] | null = null;
  #isListed = false;

  /** `onEvents` is told all of them at each change, as soon as they are listed and it is known whose they are. */
  constructor(onEvents: (events: readonly EventSnapshot[]) => void) {
    this.#onEvents = onEvents;
  }

  /** They are those about one of these UIDs; what is said first holds. */
  areOf(uids: readonly string[]): void {
    if (this.#uids !== null) return;
    this.#uids = uids;
    this.#tell();
  }

  listed(events: readonly unknown[]): void {
    this.#events.clear();
    for (const event of events) this.#set(event);
    this.#isListed = true;
    this.#tell();
  }

  changed(event: unknown): void {
    this.#set(event);
    this.#tell();
  }

  deleted(event: unknown): void {
    this.#events.delete(keyOf(event));
    this.#tell();
  }

  /** Told of the pod's own watch, which shares its fate. */
  trouble(): void {}

  #tell(): void {
    if (this.#uids === null || !this.#isListed) return;
    this.#onEvents(eventsOf({ objects: [...this.#events.values()], why: null }, this.#uids).events);
  }

  #set(event: unknown): void {
    if (isObject(event)) this.#events.set(keyOf(event), event);
  }
}

function keyOf(event: unknown): string {
  return textOf(at(event, "metadata", "uid")) ?? textOf(at(event, "metadata", "name")) ?? "";
}
