import type { Arrival } from "../../explain/observed/catch.ts";
import type { SourceObject } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { at, objectsOf, oneOf, parsedJson } from "../objects/json-access.ts";
import { uidOf } from "../objects/owner-reference.ts";
import { resourceVersionOf } from "./object-watch.ts";

const KIND_OF_PATH: readonly (readonly [RegExp, string])[] = [
  [/\/pods(\/[^/]+)?$/, "Pod"],
  [/\/events$/, "Event"],
  [/\/nodes\/[^/]+$/, "Node"],
  [/\/nodes\/[^/]+\/proxy\/configz$/, "KubeletConfiguration"],
];

const KINDS_WITH_HISTORY = ["Pod", "Event"];

/** If all recorded objects together have more characters of JSON than this, the program forgets the first arrivals. */
const MOST_CHARACTERS = 2 ** 25;

export class Arrivals {
  readonly #uid: string | null;
  readonly #nowMs: () => number;
  #known: { readonly arrival: Arrival; readonly key: string; readonly size: number }[] = [];
  #characters = 0;

  constructor(uid: string | null, nowMs: () => number) {
    this.#uid = uid;
    this.#nowMs = nowMs;
  }

  all(): readonly Arrival[] {
    return this.#known.map(({ arrival }) => arrival);
  }

  add({ kind, raw }: SourceObject, atMs: number): void {
    this.#push({ atMs, type: "ADDED", kind, object: raw });
  }

  on(connection: Connection): Connection {
    return {
      ...connection,
      get: async (path, options) => {
        const answer = await connection.get(path, options);
        const items = at(answer.body, "items");
        for (const object of Array.isArray(items) ? objectsOf(items) : [answer.body])
          this.#record(path, "ADDED", object);
        return answer;
      },
      stream: async (path, options) => {
        const stream = await connection.stream(path, options);
        return { ...stream, lines: this.#recordedLines(path, stream.lines) };
      },
    };
  }

  async *#recordedLines(path: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const line of lines) {
      const change = parsedJson(line);
      const type = oneOf(at(change, "type"), ["ADDED", "MODIFIED", "DELETED"] as const);
      if (type !== null) this.#record(path, type, at(change, "object"));
      yield line;
    }
  }

  #record(path: string, type: Arrival["type"], object: unknown): void {
    const kind = KIND_OF_PATH.find(([pattern]) => pattern.test(path))?.[1];
    if (kind === undefined) return;
    // A later pod may have the name of the pod whose UID is `#uid`.
    if (kind === "Pod" && uidOf(object) !== this.#uid) return;
    this.#push({ atMs: this.#nowMs(), type, kind, object });
  }

  #push(arrival: Arrival): void {
    const version = versionIn(arrival);
    if (version === null || this.#known.some(({ key }) => key === version.key)) return;
    const isOlder = ({ kind, object }: Arrival) => kind === arrival.kind && uidOf(object) === uidOf(arrival.object);
    if (!KINDS_WITH_HISTORY.includes(arrival.kind)) this.#forget(isOlder);
    this.#known.push({ arrival, ...version });
    this.#characters += version.size;
    while (this.#characters > MOST_CHARACTERS) this.#forget((known) => known === this.#known[0]?.arrival);
  }

  #forget(isMeant: (arrival: Arrival) => boolean): void {
    for (const known of this.#known.filter(({ arrival }) => isMeant(arrival))) this.#characters -= known.size;
    this.#known = this.#known.filter(({ arrival }) => !isMeant(arrival));
  }
}

/** Null if the object is undefined, because `JSON.stringify` then returns no text. */
function versionIn({ type, kind, object }: Arrival) {
  try {
    const text = JSON.stringify(object);
    const version = resourceVersionOf(object);
    const key = version === null ? text : `${uidOf(object)} ${version}`;
    return { key: `${type === "DELETED" ? type : ""} ${kind} ${key}`, size: text.length };
  } catch {
    return null;
  }
}
