import type { ApiStream, Connection } from "../connection/connection.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import type { Timers } from "../connection/timers.ts";
import { at, parsedJson, textOf } from "../objects/untrusted.ts";
import { type ChangeHandler, type ListedSource, selectorsOf } from "./watch-source.ts";
import { isLater, ToldVersions, versionOf } from "./watch-versions.ts";

/** The server ends a watch after so long (a random time in between), and is asked again from where it was. */
const WATCH_SECONDS = { least: 200, spread: 100 } as const;
/** A connection on which nothing came for that long, and this, is dead: nobody said so. */
const GRACE_MS = 15_000;
/** Bookmarks come about once a minute (`defaultBookmarkFrequency`, apiserver v0.37.1, pkg/storage/cacher/cacher.go). */
const BOOKMARK_SILENCE_MS = 150_000;

/** One thread of changes, taken up again wherever it breaks. */
export class ObjectWatch {
  readonly #connection: Connection;
  readonly #source: ListedSource;
  readonly #handler: ChangeHandler;
  readonly #timers: Timers;
  /** Everything up to this resourceVersion is known; null before the first list. */
  #version: string | null;
  readonly #told = new ToldVersions();
  #hasBookmarks = false;
  #heardAtMs: number;

  constructor(connection: Connection, source: ListedSource, handler: ChangeHandler, timers: Timers) {
    this.#connection = connection;
    this.#source = source;
    this.#version = source.knownVersion;
    this.#handler = handler;
    this.#timers = timers;
    this.#heardAtMs = timers.nowMs();
  }

  /** By the local clock: until then the connection was there, or nothing spoke against it. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** One list, if need be, and one watch, until it ends. */
  async once(signal: AbortSignal): Promise<void> {
    try {
      this.#version ??= await this.#list(signal);
      await this.#watch(this.#version, signal);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.status === GONE)) throw error;
      this.#version = null;
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const version = await this.#source.list(signal);
    this.#told.clear();
    return version;
  }

  async #watch(resourceVersion: string, signal: AbortSignal): Promise<void> {
    const seconds = WATCH_SECONDS.least + Math.floor(this.#timers.random() * WATCH_SECONDS.spread);
    const follow = { watch: "true", allowWatchBookmarks: "true", timeoutSeconds: `${seconds}` };
    const stream = await this.#connection.stream(this.#source.path, {
      query: { ...selectorsOf(this.#source), resourceVersion, ...follow },
      signal,
    });
    this.#heard();
    this.#handler.trouble(null, this.#heardAtMs);
    this.#told.beginAfter(resourceVersion);
    this.#hasBookmarks = false;
    await this.#read(stream, seconds * 1000 + GRACE_MS);
  }

  /** Until it ends or breaks, or nobody can tell whether it is still there: nothing came for too long, or the machine slept. */
  async #read(stream: ApiStream, longestMs: number): Promise<void> {
    let isLost = false;
    const lose = (): void => {
      isLost = true;
      stream.close();
    };
    const listen = () => this.#timers.after(this.#hasBookmarks ? BOOKMARK_SILENCE_MS : longestMs, lose);
    const forgetJumps = this.#timers.onJump?.(lose);
    let callOff = listen();
    try {
      for await (const line of stream.lines) {
        callOff();
        this.#heard();
        await this.#take(line);
        callOff = listen();
      }
      this.#heard();
    } catch (error) {
      if (isLost) throw new RequestFailure("timeout", { message: "nothing is heard on the connection" });
      this.#heard();
      throw error;
    } finally {
      callOff();
      forgetJumps?.();
      stream.close();
    }
  }

  #heard(): void {
    this.#heardAtMs = this.#timers.nowMs();
  }

  async #take(line: string): Promise<void> {
    const message = parsedJson(line);
    if (message === undefined) throw new RequestFailure("bad-answer", { message: "a line of the watch is not JSON" });
    const object = at(message, "object");
    const type = at(message, "type");
    if (OF_OBJECTS.includes(type) && textOf(at(object, "metadata", "name")) === null)
      throw new RequestFailure("bad-answer", { message: "an event of the watch is about no object" });
    switch (type) {
      case "ADDED":
      case "MODIFIED":
        if (this.#told.take(object, false)) await this.#handler.changed(object);
        break;
      case "DELETED":
        if (this.#told.take(object, true)) this.#handler.deleted(object);
        break;
      case "BOOKMARK":
        this.#hasBookmarks = true;
        break;
      case "ERROR":
        throw failureIn(object);
      default:
        return;
    }
    const version = versionOf(object);
    if (version !== null && (this.#version === null || isLater(version, this.#version))) this.#version = version;
  }
}

const OF_OBJECTS: readonly unknown[] = ["ADDED", "MODIFIED", "DELETED"];

/** 410: the server no longer has what came after that resourceVersion. */
const GONE = 410;

function failureIn(status: unknown): RequestFailure {
  const code = at(status, "code");
  const message = textOf(at(status, "message")) ?? "the watch failed";
  return new RequestFailure("server-error", { message, status: typeof code === "number" ? code : 0 });
}
