import { type Connection, requestsTo } from "../connection/connection.ts";
import { credentialsInTime } from "../connection/credentials.ts";
import { type ContextOptions, chooseContext } from "../connection/kubeconfig.ts";
import { RenewableCredentials } from "../connection/renewable-credentials.ts";
import { realTimers } from "../connection/timers.ts";
import { rateLimited } from "./rate-limit.ts";

export interface ConnectOptions extends ContextOptions {
  readonly namespace?: string | undefined;
  /** 0 means no limit, as in kubectl. */
  readonly requestTimeoutMs?: number | undefined;
  /** The local clock. The program compares this clock with the times at which credentials expire. */
  readonly nowMs?: (() => number) | undefined;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/** Sends nothing yet: the first request gets the credentials and connects. */
export function connect(options: ConnectOptions, timers = realTimers(() => performance.now())): Connection {
  const context = chooseContext(options);
  const { server } = context;
  const { nowMs = () => 0 } = options;
  const requestTimeoutMs = options.requestTimeoutMs === 0 ? Infinity : options.requestTimeoutMs;
  const timeoutMs = requestTimeoutMs ?? DEFAULT_TIMEOUT_MS;
  const getCredentials = () => credentialsInTime(context, requestTimeoutMs, timers, nowMs);
  const credentials = new RenewableCredentials(getCredentials, nowMs);
  const { get, stream } = requestsTo(server, credentials, timeoutMs, timers);
  const namespace = options.namespace || context.namespace || "default";
  return { server, namespace, timeoutMs, get: rateLimited(get, timers), stream, close: () => credentials.close() };
}
