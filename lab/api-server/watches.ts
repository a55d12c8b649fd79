import type { ServerResponse } from "node:http";
import type { Collection, Stored } from "./collection.ts";
import { storedOf } from "./collection.ts";
import type { Raw } from "./container-statuses.ts";
import type { Selects } from "./selectors.ts";
import { refusal } from "./status-answers.ts";

export interface Change {
  readonly version: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly collection: Collection;
  readonly raw: Raw;
}

export interface WatchRequest {
  readonly collection: Collection;
  readonly namespace: string | null;
  readonly query: URLSearchParams;
  readonly selects: Selects;
  readonly response: ServerResponse;
}

export interface WatchControl {
  count(): number;
  drop(): void;
  /** The connections stay open, but send nothing more. */
  silence(): void;
  /** Forgets the history: open watches get 410 and end, and so do new ones that ask for an older version. */
  expire(): void;
  bookmark(): void;
  send(text: string): void;
}

export interface Watches {
  readonly control: WatchControl;
  open(request: WatchRequest): void;
  tell(change: Change): void;
}

interface Watch extends WatchRequest {
  isSilent: boolean;
}

/** `forget` makes the present version the oldest. */
export function watches(version: () => number, oldest: () => number, forget: () => void): Watches {
  const open = new Set<Watch>();
  const history: Change[] = [];
  const speak = (watch: Watch, text: string): void => {
    if (!watch.isSilent) watch.response.write(text);
  };
  const report = (watch: Watch, type: string, raw: Raw): void => {
    speak(watch, line(type, { kind: watch.collection.kind, apiVersion: "v1", ...raw }));
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
        if (/^(1|true)$/.test(watch.query.get("allowWatchBookmarks") ?? ""))
          report(watch, "BOOKMARK", bookmarkOf(watch, version()));
    },
    send: (text) => {
      for (const watch of open) speak(watch, text);
    },
  };
  return {
    control,
    tell: (change) => {
      history.push(change);
      for (const watch of open) if (isMeant(watch, change)) report(watch, change.type, change.raw);
    },
    open: (request) => {
      const watch: Watch = { ...request, isSilent: false };
      watch.response.writeHead(200, { "Content-Type": "application/json" }).flushHeaders();
      const since = Number(request.query.get("resourceVersion") || 0);
      open.add(watch);
      watch.response.on("close", () => open.delete(watch));
      if (since === 0) for (const stored of present(watch)) report(watch, "ADDED", stored.raw());
      else if (since < oldest()) {
        speak(watch, line("ERROR", tooOld(since, oldest())));
        return end(watch);
      } else
        for (const change of history)
          if (change.version > since && isMeant(watch, change)) report(watch, change.type, change.raw);
      const seconds = Number(request.query.get("timeoutSeconds"));
      if (seconds > 0) setTimeout(() => end(watch), seconds * 1000).unref();
    },
  };
}

function line(type: string, object: Raw): string {
  return `${JSON.stringify({ type, object })}\n`;
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

function bookmarkOf({ collection }: Watch, version: number): Raw {
  const rest = collection.kind === "Pod" ? { spec: { containers: null }, status: {} } : {};
  return { metadata: { resourceVersion: String(version) }, ...rest };
}

function tooOld(since: number, oldest: number): Raw {
  return refusal(410, `too old resource version: ${since} (${oldest})`).body;
}
