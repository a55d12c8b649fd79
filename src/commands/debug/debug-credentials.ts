import type { ChildProcess } from "node:child_process";
import { basename } from "node:path";
import type { ConnectOptions } from "../../cluster/api/connect.ts";
import { chooseContext } from "../../cluster/connection/kubeconfig.ts";
import type { Fields } from "../../cluster/connection/kubeconfig-files.ts";
import { at, isObject, textOf } from "../../cluster/objects/untrusted.ts";

/** Where a context's credentials come from, by kind: never what they are. In the order in which they are taken. */
export function kindOfCredentials(options: ConnectOptions): string {
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
export function bareAddress(address: string): string {
  if (!URL.canParse(address)) return "unreadable";
  const url = new URL(address);
  return `${url.origin}${url.pathname === "/" ? "" : url.pathname}`;
}

/** One line each time that credentials were got: with the first request, and whenever a plugin has run. */
export class CredentialLines {
  readonly #say: (line: string) => void;
  readonly #kind: string;
  #wantedAtMs: number | null = null;
  #isTold = false;
  #runs = 0;

  constructor(say: (line: string) => void, kind: string) {
    this.#say = say;
    this.#kind = kind;
  }

  /** A request is about to be made, which needs them. */
  wanted(): void {
    this.#wantedAtMs ??= performance.now();
  }

  /** A plugin has been started. */
  ran(plugin: ChildProcess): void {
    this.#runs++;
    const startedAtMs = performance.now();
    const count = this.#runs;
    plugin.once("close", (code) => {
      const result = code === 0 ? "" : `, exit code ${code}`;
      this.#say(`plugin run ${count}, ${Math.round(performance.now() - startedAtMs)} ms${result}`);
    });
  }

  /** A request is sent: they are there. */
  obtained(): void {
    if (this.#isTold || this.#wantedAtMs === null) return;
    this.#isTold = true;
    const run = this.#runs === 0 ? "" : this.#runs === 1 ? ", run once" : `, run ${this.#runs} times`;
    this.#say(`credentials ${this.#kind}${run}, ${Math.round(performance.now() - this.#wantedAtMs)} ms`);
  }
}
