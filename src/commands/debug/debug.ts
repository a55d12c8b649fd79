import { basename } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import type { ConnectOptions } from "../../cluster/api/connect.ts";
import { keepingTime, ServerClock } from "../../cluster/api/server-clock.ts";
import type { Connection } from "../../cluster/connection/connection.ts";
import { chooseContext } from "../../cluster/connection/kubeconfig.ts";
import { at, isObject, type JsonObject, textOf } from "../../cluster/objects/json-access.ts";
import type { Now } from "../../explain/observed/observation.ts";
import { MODELED_MINORS } from "../../kubelet/versions.ts";
import { utcText } from "../../render/json/json-values.ts";
import { harmless } from "../../render/page/harmless.ts";
import { RequestTrace } from "./debug-requests.ts";

type Stage = "kubeconfig" | "input" | "requests" | "explain" | "render" | "list";

export class DebugTrace {
  readonly #note: (line: string) => void;
  readonly #localNowMs: () => number;
  readonly #clock = new ServerClock();
  #stageBeganAtMs = performance.now();
  #explainedAtMs: number | null = null;

  constructor(note: (line: string) => void, localNowMs: () => number) {
    this.#note = note;
    this.#localNowMs = localNowMs;
    this.#say(versionLine());
  }

  endStage(stage: Stage): void {
    this.#say(`stage ${stage} ${Math.round(performance.now() - this.#stageBeganAtMs)} ms`);
    this.#stageBeganAtMs = performance.now();
  }

  traceConnection(connection: Connection, options: ConnectOptions): Connection {
    this.endStage("kubeconfig");
    this.#say(`server ${bareAddress(connection.server)} namespace ${connection.namespace}`);
    const requests = new RequestTrace((line) => this.#say(line), kindOfCredentials(options));
    const timed = keepingTime(connection, this.#clock, this.#localNowMs);
    return {
      ...timed,
      get: (path, request) => {
        requests.wanted();
        return timed.get(path, request);
      },
      stream: (path, request) => {
        requests.wanted();
        return timed.stream(path, request);
      },
      close: () => {
        timed.close();
        requests.end();
      },
    };
  }

  printNow(now: Now): void {
    const localNowMs = this.#localNowMs();
    const serverMs = this.#clock.nowMs(localNowMs);
    if (now.atMs !== this.#explainedAtMs) this.#say(nowLine(now, serverMs === null ? null : localNowMs - serverMs));
    this.#explainedAtMs = now.atMs;
  }

  #say(line: string): void {
    this.#note(harmless(`debug ${line}`));
  }
}

/** `localLeadMs` is how far the local clock is ahead of the API server's clock; null if unknown. */
export function nowLine({ atMs, atBasis }: Now, localLeadMs: number | null): string {
  const lead = localLeadMs === null ? "" : ` local clock ${Math.round(localLeadMs / 100) / 10}s ahead of the server's`;
  return `now ${utcText(atMs)} from ${atBasis}${lead}`;
}

function versionLine(): string {
  const { oldest, newest } = MODELED_MINORS;
  const { version, platform, arch } = process;
  return `version kubectl-backoff v${manifest.version} model v1.${oldest}..v1.${newest} node ${version} ${platform}/${arch}`;
}

/** Returns e.g. "token" or "exec plugin aws", but never the credentials themselves. */
function kindOfCredentials(options: ConnectOptions): string {
  const { user, server } = chooseContext(options);
  const has = (...names: string[]): boolean => names.some((name) => textOf(user[name]) !== null);
  const as = has("as") ? ", impersonating somebody" : "";
  return `${kindOf(user, has)}${server.startsWith("http:") ? " (plain http: none is sent)" : ""}${as}`;
}

function kindOf(user: JsonObject, has: (...names: string[]) => boolean): string {
  const certificate = has("client-certificate", "client-certificate-data") ? ["client certificate"] : [];
  if (has("tokenFile")) return [...certificate, "token of a file"].join(" and ");
  if (has("token")) return [...certificate, "token"].join(" and ");
  if (has("username")) return [...certificate, "name and password"].join(" and ");
  if (certificate.length > 0) return "client certificate";
  if (isObject(user["exec"])) return `exec plugin ${basename(textOf(at(user["exec"], "command")) ?? "")}`;
  const provider = textOf(at(user["auth-provider"], "name"));
  return provider === null ? "none" : `auth provider ${provider}`;
}

function bareAddress(address: string): string {
  if (!URL.canParse(address)) return "unreadable";
  const url = new URL(address);
  return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
}
