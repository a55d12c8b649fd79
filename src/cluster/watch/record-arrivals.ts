import type { Arrival } from "../../explain/observed/catch.ts";
import type { SourceObject } from "../../explain/observed/observation.ts";
import type { Connection } from "../connection/connection.ts";
import { uidOf } from "../objects/owner-reference.ts";
import { at, objectsOf, oneOf, parsedJson } from "../objects/untrusted.ts";
import { versionOf } from "./watch-thread.ts";

/** What the answers to a path are about; what is not here is not recorded. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\/pods(\/[^/]+)?$/, "Pod"],
  [/\/events$/, "Event"],
  [/\/nodes\/[^/]+$/, "Node"],
  [/\/nodes\/[^/]+\/proxy\/configz$/, "KubeletConfiguration"],
];

/** Every version of these counts; of others the newest. */
const WITH_HISTORY = ["Pod", "Event"];

/** When there is more, the oldest are forgotten. */
const MOST_CHARACTERS = 2 ** 25;

interface Version {
  readonly key: string;
  readonly size: number;
}

/** Everything about one pod that an API server says, as it arrives. */
export class Arrivals {
  readonly #uid: string | null;
  readonly #nowMs: () => number;
  #known: ({ readonly arrival: Arrival } & Version)[] = [];
  #characters = 0;

  /** Of pods only the one with this UID counts: another may have its name. */
  constructor(uid: string | null, nowMs: () => number) {
    this.#uid = uid;
    this.#nowMs = nowMs;
  }

  /** In the order in which they arrived. */
  all(): readonly Arrival[] {
    return this.#known.map(({ arrival }) => arrival);
  }

  /** An object of any kind that had arrived before. */
  add({ kind, raw }: SourceObject, atMs: number): void {
    this.#push({ atMs, type: "ADDED", kind, object: raw });
  }

  /** The same connection, whose answers are recorded. */
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
    if (!WITH_HISTORY.includes(arrival.kind)) this.#forget((known) => isSame(known, arrival));
    this.#known.push({ arrival, ...version });
    this.#characters += version.size;
    while (this.#characters > MOST_CHARACTERS) this.#forget((known) => known === this.#known[0]?.arrival);
  }

  #forget(isMeant: (arrival: Arrival) => boolean): void {
    for (const known of this.#known.filter(({ arrival }) => isMeant(arrival))) this.#characters -= known.size;
    this.#known = this.#known.filter(({ arrival }) => !isMeant(arrival));
  }
}

function isSame(one: Arrival, other: Arrival): boolean {
  return one.kind === other.kind && uidOf(one.object) === uidOf(other.object);
}

/** What tells one version of an object from another, and how long it is; null for what is too deep to be written. */
function versionIn({ type, kind, object }: Arrival): Version | null {
  try {
    const text = JSON.stringify(object);
    const version = versionOf(object);
    const key = version === null ? text : `${uidOf(object)} ${version}`;
    return { key: `${type === "DELETED" ? type : ""} ${kind} ${key}`, size: text.length };
  } catch {
    return null;
  }
}
