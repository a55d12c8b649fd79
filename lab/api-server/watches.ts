import type { ServerResponse } from "node:http";
import type { Collection, Stored } from "./collection.ts";
import { storedOf } from "./collection.ts";
import type { Raw } from "./container-statuses.ts";
import type { Selects } from "./selectors.ts";
import { refusal } from "./status-answers.ts";

/** Something that happened to an object. */
export interface Change {
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly collection: Collection;
  readonly raw: Raw;
}

/** A watch as it was asked for. */
export interface WatchRequest {
  readonly collection: Collection;
  readonly namespace: string | null;
  readonly query: URLSearchParams;
  readonly selects: Selects;
  readonly response: ServerResponse;
}

/** The watches that are open, as a test steers them. */
export interface WatchControl {
  /** How many are open. */
  count(): number;
  /** Ends the connections without a word. */
  drop(): void;
  /** Lets them hang: they stay open and say nothing any more, whatever happens. */
  silence(): void;
  /** Forgets what happened so far: open watches get 410 and end, as does one that asks for an older version. */
  expire(): void;
  /** Sends a bookmark of the present version to those that allow it. */
  bookmark(): void;
  /** Sends any text as it is. */
  send(text: string): void;
}

/** Whoever follows changes. */
export interface Watches {
  readonly control: WatchControl;
  open(request: WatchRequest): void;
  tell(change: Change): void;
}

interface Watch extends WatchRequest {
  isSilent: boolean;
}

/** `version` and `forget` are the server's: its present version, and how it makes that its oldest. */
export function watches(version: () => number, oldest: () => number, forget: () => void): Watches {
  const open = new Set<Watch>();
  const history: Change[] = [];
  const speak = (watch: Watch, text: string): void => {
    if (!watch.isSilent) watch.response.write(text);
  };
  const end = (watch: Watch): void => {
    open.delete(watch);
    watch.response.end();
  };
  const control: WatchControl = {
    count: () => open.size,
    drop: () => {
      for (const watch of open) watch.response.destroy();
      open.clear();
    },
    silence: () => {
      for (const watch of open) watch.isSilent = true;
    },
    expire: () => {
      forget();
      for (const watch of open) {
        speak(watch, line("ERROR", tooOld(version(), oldest())));
        end(watch);
      }
    },
    bookmark: () => {
      for (const watch of open)
        if (/^(1|true)$/.test(watch.query.get("allowWatchBookmarks") ?? "")) speak(watch, bookmarkOf(watch, version()));
    },
    send: (text) => {
      for (const watch of open) speak(watch, text);
    },
  };
  return {
    control,
    tell: (change) => {
      history.push(change);
      for (const watch of open) if (isMeant(watch, change)) speak(watch, line(change.type, typed(watch, change.raw)));
    },
    open: (request) => {
      const watch: Watch = { ...request, isSilent: false };
      watch.response.writeHead(200, { "Content-Type": "application/json" }).flushHeaders();
      const since = Number(request.query.get("resourceVersion") || 0);
      open.add(watch);
      watch.response.on("close", () => open.delete(watch));
      if (since === 0) for (const stored of present(watch)) speak(watch, line("ADDED", typed(watch, stored.raw())));
      else if (since < oldest()) {
        speak(watch, line("ERROR", tooOld(since, oldest())));
        return end(watch);
      } else
        for (const change of history)
          if (change.version > since && isMeant(watch, change))
            speak(watch, line(change.type, typed(watch, change.raw)));
      const seconds = Number(request.query.get("timeoutSeconds"));
      if (seconds > 0) setTimeout(() => end(watch), seconds * 1000).unref();
    },
  };
}

function line(type: string, object: Raw): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function typed({ collection }: Watch, raw: Raw): Raw {
  return { kind: collection.kind, apiVersion: "v1", ...raw };
}

function isMeant(watch: Watch, { collection, raw }: Change): boolean {
  const { namespace, selects } = watch;
  const stored = storedOf(raw);
  return (
    collection === watch.collection && (namespace === null || stored.key.startsWith(`${namespace}/`)) && selects(stored)
  );
}

function* present({ collection, namespace, selects }: Watch): Generator<Stored> {
  const prefix = namespace === null ? "" : `${namespace}/`;
  for (const stored of collection.from(prefix)) {
    if (!stored.key.startsWith(prefix)) return;
    if (selects(stored)) yield stored;
  }
}

function bookmarkOf({ collection }: Watch, version: number): string {
  const rest = collection.kind === "Pod" ? { spec: { containers: null }, status: {} } : {};
  return line("BOOKMARK", {
    kind: collection.kind,
    apiVersion: "v1",
    metadata: { resourceVersion: String(version) },
    ...rest,
  });
}

function tooOld(since: number, oldest: number): Raw {
  return refusal(410, `too old resource version: ${since} (${oldest})`).body;
}
