import type { RequestOptions } from "node:https";
import { UserError } from "../errors.ts";
import { type ChosenContext, toKubeConfig } from "./kubeconfig.ts";
import { plainCredentials } from "./plain-credentials.ts";
import { at, textOf } from "./untrusted.ts";

/** The pool's limit: enough for what one pod is asked for at once, and few enough not to burden a server. */
const MOST_CONNECTIONS = 10;

/**
 * TLS settings, headers and the agent (which is the pool of connections and knows the proxy) for a context. Runs an exec
 * plugin or refreshes a token, if need be. A UserError if that fails.
 */
export async function credentialsOf(context: ChosenContext): Promise<RequestOptions> {
  try {
    const options = plainCredentials(context) ?? (await obtainedCredentials(context));
    const { agent } = options;
    // It is made without keep-alive: a new connection per request.
    if (typeof agent === "object") Object.assign(agent, { keepAlive: true, maxSockets: MOST_CONNECTIONS });
    return { ...options, headers: trimmed(options.headers) };
  } catch (error) {
    throw new UserError("badCredentials", context.name, reasonOf(error));
  }
}

/** What plugins, providers and proxies take, as @kubernetes/client-node does it. */
async function obtainedCredentials(context: ChosenContext): Promise<RequestOptions> {
  const config = await toKubeConfig(context);
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return options;
}

/** A token that was read from a file ends in a newline, which no header may have. */
function trimmed(headers: RequestOptions["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value).trim()]));
}

function reasonOf(error: unknown): string {
  const spawned = textOf(at(error, "syscall"))?.startsWith("spawn") ? textOf(at(error, "path")) : null;
  if (spawned !== null && at(error, "code") === "ENOENT") return `the credential plugin ${spawned} is not installed`;
  return error instanceof Error ? error.message : String(error);
}
