import { type ApiAccess, type Connection, getterOn, streamerOn } from "../connection/connection.ts";
import { credentialsInTime } from "../connection/credentials.ts";
import { type ContextOptions, chooseContext } from "../connection/kubeconfig.ts";
import { RenewableCredentials } from "../connection/renewable-credentials.ts";
import { realTimers } from "../connection/timers.ts";
import { rateLimited } from "./rate-limit.ts";

export interface ConnectOptions extends ContextOptions {
  readonly namespace?: string | undefined;
  readonly requestTimeoutMs?: number | undefined;
  /** Reads the local clock, by which credentials expire. If absent, the program renews credentials only after a 401. */
  readonly nowMs?: (() => number) | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Reads the kubeconfig. The first request gets the credentials and connects. Throws a UserError if the kubeconfig names
 * no usable API server. `timers` measure the time limits and the pauses before retries; their clock can start at any
 * number.
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
    get: rateLimited(getterOn(access), timers),
    stream: streamerOn(access),
    close: () => credentials.close(),
  };
}
