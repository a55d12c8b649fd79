import type { ConnectOptions } from "../../cluster/api/connect.ts";
import { requirePossibleNamespace } from "../../cluster/api/target-words.ts";
import type { Environment } from "../../cluster/connection/kubeconfig-files.ts";
import type { ConnectionValues } from "./connection-flags.ts";

const CLUSTER_OVERRIDES = [
  ...["server", "tls-server-name", "certificate-authority", "insecure-skip-tls-verify"],
  ...["proxy-url", "disable-compression"],
] as (keyof ConnectionValues)[];

const USER_OVERRIDES = [
  ...["token", "username", "password", "client-certificate", "client-key", "as", "as-uid"],
] as (keyof ConnectionValues)[];

/**
 * See `toRawKubeConfigLoader` (cli-runtime v0.37.1, pkg/genericclioptions/config_flags.go). Throws a UserError for an
 * impossible namespace. Without `nowMs`, no credentials count as expired.
 */
export function connectionOptions(flags: ConnectionValues, env: Environment, nowMs?: () => number): ConnectOptions {
  const { kubeconfig, context, cluster, user, namespace, kuberc, "request-timeout": requestTimeoutMs } = flags;
  if (namespace) requirePossibleNamespace(namespace);
  const given = (names: readonly (keyof ConnectionValues)[]) =>
    Object.fromEntries(names.map((name) => [name, flags[name]]));
  const extras = { "as-groups": flags["as-group"], "as-user-extra": extrasIn(flags["as-user-extra"] ?? []) };
  const overrides = { cluster: given(CLUSTER_OVERRIDES), user: { ...given(USER_OVERRIDES), ...extras } };
  return { kubeconfig, context, cluster, user, namespace, requestTimeoutMs, overrides, env, kuberc, nowMs };
}

function extrasIn(pairs: readonly string[]): Record<string, string[]> {
  const extras = new Map<string, string[]>();
  for (const pair of pairs) {
    const [key = "", ...value] = pair.split("=");
    if (value.length > 0) extras.set(key, [...(extras.get(key) ?? []), value.join("=")]);
  }
  return Object.fromEntries(extras);
}
