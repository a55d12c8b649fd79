import type { KubeConfig } from "@kubernetes/client-node";
import { UserError } from "../errors.ts";
import { inClusterKubeconfig } from "./in-cluster.ts";
import { type Environment, type Fields, type Kubeconfig, readKubeconfig } from "./kubeconfig-files.ts";
import { isObject, textOf } from "./untrusted.ts";

/** What of a kubeconfig is in force: one context with its cluster and its user. */
export interface ChosenContext {
  readonly name: string;
  /** The API server's address; may have a path, never ends in a slash. */
  readonly server: string;
  /** The context's own namespace. */
  readonly namespace: string | null;
  readonly cluster: Fields;
  readonly user: Fields;
}

/** Flags and environment that bear on the choice; an empty text counts as not given, as with kubectl. */
export interface ContextOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly env: Environment;
}

/** A UserError if there is no kubeconfig and no service account, or no such context, or if it hangs in the air. */
export function chooseContext(options: ContextOptions): ChosenContext {
  const config = readOrInCluster(options.kubeconfig || undefined, options.env);
  const contexts = [...config.contexts.keys()].sort();
  const name = options.context || config.currentContext;
  if (name === null) throw new UserError("noCurrentContext", contexts);
  const context = config.contexts.get(name);
  if (context === undefined) throw new UserError("unknownContext", name, contexts);
  const cluster = named(config.clusters, "cluster", name, textOf(context["cluster"]) ?? "");
  const userName = textOf(context["user"]);
  const user = userName === null ? {} : named(config.users, "user", name, userName);
  return { name, server: serverOf(name, cluster, user), namespace: textOf(context["namespace"]), cluster, user };
}

function readOrInCluster(flag: string | undefined, env: Environment): Kubeconfig {
  const config = readKubeconfig(flag, env);
  if (config.contexts.size > 0 || config.currentContext !== null) return config;
  const inCluster = inClusterKubeconfig(env);
  if (inCluster === null) throw new UserError("noKubeconfig");
  return inCluster;
}

function named(entries: ReadonlyMap<string, Fields>, kind: "cluster" | "user", context: string, name: string): Fields {
  const entry = entries.get(name);
  if (entry === undefined) throw new UserError("brokenContext", context, kind, name);
  return entry;
}

/** Mirrors `DefaultServerUrlFor` (client-go v0.37.1, rest/url_utils.go): without a scheme, TLS settings decide. */
function serverOf(context: string, cluster: Fields, user: Fields): string {
  const text = textOf(cluster["server"]) ?? "";
  const address = text.includes("://") ? text : `${hasTls(cluster, user) ? "https" : "http"}://${text}`;
  if (!URL.canParse(address) || !/^https?:/i.test(address)) throw new UserError("badServer", context, text);
  return address.replace(/\/+$/, "");
}

function hasTls(cluster: Fields, user: Fields): boolean {
  const hasAny = (fields: Fields, key: string): boolean =>
    textOf(fields[key]) !== null || textOf(fields[`${key}-data`]) !== null;
  return (
    hasAny(cluster, "certificate-authority") ||
    hasAny(user, "client-certificate") ||
    cluster["insecure-skip-tls-verify"] === true
  );
}

/**
 * The context as @kubernetes/client-node takes it, for its credentials: tokens, certificates, exec plugins, OIDC, proxies.
 * It is told of `tokenFile` in its own way, because it knows the field only for service accounts; and that plain http
 * needs no verification, because it refuses http otherwise.
 */
export async function toKubeConfig({ name, server, cluster, user }: ChosenContext): Promise<KubeConfig> {
  // Here, not at the top: the package takes longer to load than all the rest, and files and recordings do without it.
  const client = await import("@kubernetes/client-node");
  const config = new client.KubeConfig();
  const skipTlsVerify = cluster["insecure-skip-tls-verify"] === true || server.startsWith("http:");
  const document = {
    clusters: [{ name, cluster: { ...cluster, server, "insecure-skip-tls-verify": skipTlsVerify } }],
    users: [{ name, user: withExecInfo(withTokenFile(user)) }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  config.loadFromString(JSON.stringify(document));
  return config;
}

function withTokenFile({ tokenFile, token, ...user }: Fields): Fields {
  if (typeof tokenFile !== "string") return { ...user, token };
  return { ...user, "auth-provider": { name: "tokenFile", config: { tokenFile } } };
}

/** Plugins learn from this variable which version of the answer is wanted (client-go v0.37.1, plugin/pkg/client/auth/exec/exec.go). */
function withExecInfo(user: Fields): Fields {
  const exec = user["exec"];
  if (!isObject(exec)) return user;
  const info = { apiVersion: exec["apiVersion"], kind: "ExecCredential", spec: { interactive: false } };
  const env = Array.isArray(exec["env"]) ? exec["env"] : [];
  return { ...user, exec: { ...exec, env: [...env, { name: "KUBERNETES_EXEC_INFO", value: JSON.stringify(info) }] } };
}
