import type { Arrival } from "../../explain/observed/catch.ts";
import type { SourceObject } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { at, objectsOf, oneOf, parsedJson } from "../objects/json-access.ts";
import { uidOf } from "../objects/owner-reference.ts";
import { resourceVersionOf } from "./object-watch.ts";

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\/pods(\/[^/]+)?$/, "Pod"],
  [/\/events$/, "Event"],
  [/\/nodes\/[^/]+$/, "Node"],
  [/\/nodes\/[^/]+\/proxy\/configz$/, "KubeletConfiguration"],
];

/** The kinds whose every version the program keeps. Of other kinds it keeps only the newest version. */
const WITH_HISTORY = ["Pod", "Event"];

/** The program keeps up to this number of characters of JSON. Beyond that, it forgets the oldest objects. */
const MOST_KEPT = 2 ** 25;

/** Records what an API server sends while the program follows one pod, in the order of arrival. */
export class Arrivals {
  readonly #uid: string | null;
  readonly #nowMs: () => number;
  #known: { readonly arrival: Arrival; readonly key: string; readonly size: number }[] = [];
  #characters = 0;

  /** Records no pod with another UID, because a later pod may have the same name. */
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
        for (const object of Array.isArray(items) ? objectsOf(items) : [answer.body]) this.#take(path, "ADDED", object);
        return answer;
      },
      stream: async (path, options) => {
        const stream = await connection.stream(path, options);
        return { ...stream, lines: this.#recorded(path, stream.lines) };
      },
    };
  }

  async *#recorded(path: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
    for await (const line of lines) {
      const change = parsedJson(line);
      const type = oneOf(at(change, "type"), ["ADDED", "MODIFIED", "DELETED"] as const);
      if (type !== null) this.#take(path, type, at(change, "object"));
      yield line;
    }
  }

  #take(path: string, type: Arrival["type"], object: unknown): void {
    const kind = KINDS.find(([pattern]) => pattern.test(path))?.[1];
    if (kind === undefined || (kind === "Pod" && uidOf(object) !== this.#uid)) return;
    this.#push({ atMs: this.#nowMs(), type, kind, object });
  }

  #push(arrival: Arrival): void {
    const version = versionIn(arrival);
    if (version === null || this.#known.some(({ key }) => key === version.key)) return;
    const isOlder = ({ kind, object }: Arrival) => kind === arrival.kind && uidOf(object) === uidOf(arrival.object);
    if (!WITH_HISTORY.includes(arrival.kind)) this.#forget(isOlder);
    this.#known.push({ arrival, ...version });
    this.#characters += version.size;
    while (this.#characters > MOST_KEPT) this.#forget((known) => known === this.#known[0]?.arrival);
  }

  #forget(isMeant: (arrival: Arrival) => boolean): void {
    for (const known of this.#known.filter(({ arrival }) => isMeant(arrival))) this.#characters -= known.size;
    this.#known = this.#known.filter(({ arrival }) => !isMeant(arrival));
  }
}

/** Returns a key for this version of the object, and its size in characters; null if `JSON.stringify` fails. */
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
