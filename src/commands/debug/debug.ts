import { basename } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import type { ConnectOptions } from "../../cluster/api/connect.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import { chooseContext } from "../../cluster/connection/kubeconfig.ts";
import type { Fields } from "../../cluster/connection/kubeconfig-files.ts";
import { at, isObject, textOf } from "../../cluster/objects/untrusted.ts";
import { keepingTime, ServerClock } from "../../cluster/watch/watch-clock.ts";
import type { ExplainOptions } from "../../explain/explain.ts";
import type { Observation } from "../../explain/observed/observation.ts";
import { traceOf } from "../../explain/trace/pod-trace.ts";
import { harmless } from "../../render/page/harmless.ts";
import { nowLine, replayLines } from "../../render/pod/debug-replay.ts";
import { MODELED_MINORS } from "../flags/flag-values.ts";
import { traceRequests } from "./debug-requests.ts";
import type { Stage, Trace } from "./debug-trace.ts";

/** What --debug needs: where the lines go, and the local clock. */
interface DebugRequest {
  readonly note: (line: string) => void;
  readonly localNowMs: () => number;
}

/** Tells in lines what a command does: each begins with "debug" and what it is about. */
export class DebugTrace implements Trace {
  readonly #note: (line: string) => void;
  readonly #localNowMs: () => number;
  readonly #clock = new ServerClock();
  /** When the present stage began, by `performance.now`. */
  #sinceMs = performance.now();

  constructor({ note, localNowMs }: DebugRequest) {
    this.#note = note;
    this.#localNowMs = localNowMs;
    this.#say(versionLine());
  }

  ended(stage: Stage): void {
    this.#say(`stage ${stage} ${Math.round(performance.now() - this.#sinceMs)} ms`);
    this.#sinceMs = performance.now();
  }

  connection(connection: Connection, options: ConnectOptions): Connection {
    this.ended("kubeconfig");
    this.#say(`server ${bareAddress(connection.server)} namespace ${connection.namespace}`);
    const asked = traceRequests((line) => this.#say(line), kindOfCredentials(options));
    const timed = keepingTime(connection, this.#clock, this.#localNowMs);
    return {
      ...timed,
      get: (path, request) => asked(() => timed.get(path, request)),
      stream: (path, request) => asked(() => timed.stream(path, request)),
    };
  }

  /** To tell it takes time that no stage has. */
  explained(observation: Observation, options: ExplainOptions): void {
    const nowMs = this.#localNowMs();
    const serverMs = this.#clock.nowMs(nowMs);
    this.#say(nowLine(observation, serverMs === null ? null : nowMs - serverMs));
    for (const pod of observation.pods)
      for (const line of replayLines(traceOf(pod, options, observation))) this.#say(line);
    this.#sinceMs = performance.now();
  }

  async *parts<T extends Observation>(parts: AsyncIterable<T>, options: ExplainOptions): AsyncGenerator<T> {
    for await (const part of parts) {
      this.explained(part, options);
      yield part;
    }
  }

  #say(line: string): void {
    this.#note(harmless(`debug ${line}`));
  }
}

function versionLine(): string {
  const { oldest, newest } = MODELED_MINORS;
  const { version, platform, arch } = process;
  return `version kubectl-backoff v${manifest.version} model v1.${oldest}..v1.${newest} node ${version} ${platform}/${arch}`;
}

/** Where a context's credentials come from, by kind: never what they are. In the order in which they are taken. */
function kindOfCredentials(options: ConnectOptions): string {
  const { user, server } = chooseContext(options);
  const has = (...names: string[]): boolean => names.some((name) => textOf(user[name]) !== null);
  const as = has("as") ? ", impersonating somebody" : "";
  return `${kindOf(user, has)}${server.startsWith("http:") ? " (plain http: none is sent)" : ""}${as}`;
}

function kindOf(user: Fields, has: (...names: string[]) => boolean): string {
  const certificate = has("client-certificate", "client-certificate-data") ? ["client certificate"] : [];
  if (has("tokenFile")) return [...certificate, "token of a file"].join(" and ");
  if (has("token")) return [...certificate, "token"].join(" and ");
  if (has("username")) return [...certificate, "name and password"].join(" and ");
  if (certificate.length > 0) return "client certificate";
  if (isObject(user["exec"])) return `exec plugin ${basename(textOf(at(user["exec"], "command")) ?? "")}`;
  const provider = textOf(at(user["auth-provider"], "name"));
  return provider === null ? "none" : `auth provider ${provider}`;
}

/** An address without the login and the query that may be in it. */
function bareAddress(address: string): string {
  if (!URL.canParse(address)) return "unreadable";
  const url = new URL(address);
  return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
}
