import type { ConnectOptions } from "../../cluster/api/connect.ts";
import { requirePossibleNamespace } from "../../cluster/api/target-words.ts";
import type { Environment, Fields } from "../../cluster/connection/kubeconfig-files.ts";

/** The values of the flags of connection, by name, as far as they are given. */
export interface ConnectionValues {
  readonly namespace?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly server?: string | undefined;
  readonly "tls-server-name"?: string | undefined;
  readonly "certificate-authority"?: string | undefined;
  readonly "insecure-skip-tls-verify"?: boolean | undefined;
  readonly "proxy-url"?: string | undefined;
  readonly "disable-compression"?: boolean | undefined;
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly "client-certificate"?: string | undefined;
  readonly "client-key"?: string | undefined;
  readonly as?: string | undefined;
  readonly "as-group"?: readonly string[] | undefined;
  readonly "as-uid"?: string | undefined;
  readonly "as-user-extra"?: readonly string[] | undefined;
  readonly kuberc?: string | undefined;
  /** Milliseconds; 0 is no limit. */
  readonly "request-timeout"?: number | undefined;
}

/**
 * The connection that flags and environment ask for. Mirrors `toRawKubeConfigLoader` (cli-runtime v0.37.1, config_flags.go).
 * `nowMs`: the local clock, by which credentials expire; without it none are renewed before they are refused.
 */
export function connectionOptions(flags: ConnectionValues, env: Environment, nowMs?: () => number): ConnectOptions {
  if (flags.namespace) requirePossibleNamespace(flags.namespace);
  const { kubeconfig, context, cluster, user, namespace, "request-timeout": requestTimeoutMs } = flags;
  const overrides = { cluster: clusterFields(flags), user: userFields(flags) };
  return {
    kubeconfig,
    context,
    cluster,
    user,
    namespace,
    requestTimeoutMs,
    overrides,
    env,
    kuberc: flags.kuberc,
    nowMs,
  };
}

function clusterFields(flags: ConnectionValues): Fields {
  const { server, "tls-server-name": name, "certificate-authority": authority, "proxy-url": proxy } = flags;
  return {
    server,
    "tls-server-name": name,
    "certificate-authority": authority,
    "insecure-skip-tls-verify": flags["insecure-skip-tls-verify"],
    "proxy-url": proxy,
    "disable-compression": flags["disable-compression"],
  };
}

function userFields(flags: ConnectionValues): Fields {
  const { token, username, password, as } = flags;
  return {
    token,
    username,
    password,
    "client-certificate": flags["client-certificate"],
    "client-key": flags["client-key"],
    as,
    "as-uid": flags["as-uid"],
    "as-groups": flags["as-group"],
    "as-user-extra": extrasIn(flags["as-user-extra"] ?? []),
  };
}

/** Values by key; as with kubectl, what has no = is passed over. */
function extrasIn(pairs: readonly string[]): Record<string, string[]> {
  const extras = new Map<string, string[]>();
  for (const pair of pairs) {
    const [key = "", ...value] = pair.split("=");
    if (value.length > 0) extras.set(key, [...(extras.get(key) ?? []), value.join("=")]);
  }
  return Object.fromEntries(extras);
}
