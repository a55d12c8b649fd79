import { type ApiAccess, type Connection, getterOn, streamerOn } from "../connection/connection.ts";
import { credentialsInTime } from "../connection/credentials.ts";
import { type ContextOptions, chooseContext } from "../connection/kubeconfig.ts";
import { RenewableCredentials } from "../connection/renewable-credentials.ts";
import { realTimers } from "../connection/timers.ts";

/** The flags that say which server to ask, as whom, and for how long to wait. */
export interface ConnectOptions extends ContextOptions {
  readonly namespace?: string | undefined;
  readonly requestTimeoutMs?: number | undefined;
  /** The local clock, by which credentials expire; without it they are got anew only when the server refuses them. */
  readonly nowMs?: (() => number) | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Reads the kubeconfig; the first request connects and gets the credentials. A UserError if there is nothing to connect to.
 * `timers` are for limits and for the pauses between tries; any clock will do.
 */
export function connect(options: ConnectOptions, timers = realTimers(() => performance.now())): Connection {
  const context = chooseContext(options);
  const { requestTimeoutMs, nowMs = () => 0 } = options;
  const timeoutMs = requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const getCredentials = () => credentialsInTime(context, requestTimeoutMs, timers, nowMs);
  const credentials = new RenewableCredentials(getCredentials, nowMs);
  const access: ApiAccess = { server: context.server, credentials, timeoutMs, timers };
  return {
    server: context.server,
    namespace: options.namespace || context.namespace || "default",
    timeoutMs,
    get: getterOn(access),
    stream: streamerOn(access),
    close: () => credentials.close(),
  };
}
