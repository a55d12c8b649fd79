import { UserError } from "../../errors.ts";
import { fieldsOf, type JsonObject, textOf } from "../objects/json-access.ts";
import {
  type Environment,
  has,
  inClusterKubeconfig,
  type Kubeconfig,
  kubeconfigPlaces,
  readKubeconfig,
  serviceAccountNamespace,
} from "./kubeconfig-files.ts";

/** The fields of the cluster and the user are the kubeconfig's, or from flags, which replace those. */
export interface ChosenContext {
  /** The context's name for messages; the server's address if there is no context. */
  readonly name: string;
  /** May have a path, never ends in a slash. */
  readonly server: string;
  readonly namespace: string | null;
  readonly cluster: JsonObject;
  readonly user: JsonObject;
  readonly env: Environment;
  readonly kuberc: string | null;
}

/** As with kubectl, an empty text counts as not given. */
export interface ContextOptions extends Readonly<Partial<Record<Flag, string | undefined>>> {
  /** Fields from flags, named as in the kubeconfig. They replace the kubeconfig's. */
  readonly overrides?: Overrides | undefined;
  readonly env: Environment;
}

type Flag = "kubeconfig" | "context" | "cluster" | "user" | "kuberc";
type Overrides = Readonly<Record<"cluster" | "user", JsonObject>>;

/**
 * Chooses a context as kubectl does (`DirectClientConfig`, client-go v0.37.1, tools/clientcmd/client_config.go). Throws
 * a UserError if it cannot, also if the context's user is missing, where kubectl goes on without credentials.
 */
export function chooseContext(options: ContextOptions): ChosenContext {
  const overrides = options.overrides ?? { cluster: {}, user: {} };
  const config = readOrInCluster(options, overrides);
  const [name, context] = contextIn(config, options, overrides);
  const entry = (kind: "cluster" | "user", isEnough: boolean): JsonObject => {
    const entries = config[`${kind}s`];
    const wanted = options[kind] || textOf(context[kind]);
    const found = wanted === null ? {} : entries.get(wanted);
    if (found === undefined && options[kind])
      throw new UserError("unknownEntry", kind, options[kind], [...entries.keys()].sort());
    if (found === undefined && !isEnough) throw new UserError("brokenContext", name ?? "", kind, `${wanted}`);
    return found ?? {};
  };
  const cluster = overriddenCluster(entry("cluster", has(overrides.cluster, "server")), overrides.cluster);
  const hasUser = has(overrides.user, ...Object.keys(overrides.user));
  const user = overriddenUser(entry("user", hasUser), overrides.user);
  const server = serverOf(name, cluster, overrides);
  requireConsistent(name ?? server, cluster, user);
  const namespace = textOf(context["namespace"]) ?? serviceAccountNamespace(options.env);
  const chosen = { name: name ?? server, server, namespace, cluster, env: options.env, kuberc: options.kuberc || null };
  // kubectl sends no secrets over plain http, because others on the way could read them.
  return { ...chosen, user: server.startsWith("http:") ? withOnly(user, isImpersonation) : user };
}

function readOrInCluster(options: ContextOptions, overrides: Overrides): Kubeconfig {
  const config = readKubeconfig(options.kubeconfig || undefined, options.env);
  const isNamed = config.contexts.size > 0 || config.currentContext !== null || Boolean(options.cluster);
  if (isNamed || has(overrides.cluster, "server")) return config;
  const inCluster = inClusterKubeconfig(options.env);
  if (inCluster === null)
    throw new UserError("noKubeconfig", kubeconfigPlaces(options.kubeconfig || undefined, options.env));
  // The service account's tokenFile would be used instead of the token from the flag.
  return has(overrides.user, "token") ? { ...inCluster, users: new Map([["service-account", {}]]) } : inCluster;
}

/** Returns the context's name and fields. The name is null if flags name the cluster or the server instead. */
function contextIn(config: Kubeconfig, options: ContextOptions, overrides: Overrides): [string | null, JsonObject] {
  const names = [...config.contexts.keys()].sort();
  const name = options.context || config.currentContext;
  if (name === null) {
    if (options.cluster || has(overrides.cluster, "server")) return [null, {}];
    throw new UserError("noCurrentContext", names);
  }
  const context = config.contexts.get(name);
  if (context === undefined) throw new UserError("unknownContext", name, names);
  return [name, context];
}

/** An address without a scheme is http, even with certificates, as in `IsConfigTransportTLS` (client-go v0.37.1). */
function serverOf(context: string | null, cluster: JsonObject, overrides: Overrides): string {
  const text = textOf(cluster["server"]) ?? "";
  const full = text.includes("://") ? text : `http://${text}`;
  const address = full.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  if (URL.canParse(address) && /^https?:/.test(address)) return address.replace(/\/+$/, "");
  if (!has(overrides.cluster, "server")) throw new UserError("badServer", context ?? "", text);
  throw new UserError("badFlag", "server", text, "an http or https address, such as https://10.0.0.1:6443");
}

/** Mirrors `validateAuthInfo` and `TLSConfigFor` (client-go v0.37.1). */
function requireConsistent(context: string, cluster: JsonObject, user: JsonObject): void {
  if (!has(user, "as") && Object.entries(user).some(([name, value]) => isImpersonation(name) && isGiven(value)))
    throw new UserError("nobodyToImpersonate");
  const refuse = (because: string): never => {
    throw new UserError("badCredentials", context, because);
  };
  if (has(user, "token") && has(user, "username", "password"))
    refuse("there is a token and also a name with a password");
  if (has(user, "client-certificate", "client-certificate-data") && !has(user, "client-key", "client-key-data"))
    refuse("there is a client certificate without its key");
  const isVerified = has(cluster, "certificate-authority", "certificate-authority-data");
  if (isVerified && cluster["insecure-skip-tls-verify"] === true)
    refuse("certificate-authority and insecure-skip-tls-verify exclude each other");
}

function isImpersonation(field: string): boolean {
  return ["as", "as-uid", "as-groups", "as-user-extra"].includes(field);
}

/**
 * As in `getCluster` (client-go v0.37.1, tools/clientcmd/client_config.go), a flag about verification replaces all
 * fields about it, and --server removes the cluster's tls-server-name.
 */
function overriddenCluster(cluster: JsonObject, flags: JsonObject): JsonObject {
  const given = withOnly(flags, (_, value) => isGiven(value));
  const isVerified = "certificate-authority" in given || "insecure-skip-tls-verify" in given;
  const isNamed = "server" in given || "tls-server-name" in given;
  const replaced = [
    ...(isVerified ? ["certificate-authority", "certificate-authority-data", "insecure-skip-tls-verify"] : []),
    ...(isNamed ? ["tls-server-name"] : []),
  ];
  return { ...withOnly(cluster, (name) => !replaced.includes(name)), ...given };
}

/**
 * As in `getAuthInfo` (client-go v0.37.1, tools/clientcmd/client_config.go), a file from a flag also replaces the field
 * `FIELD-data`, and as-user-extra merges by key.
 */
function overriddenUser(user: JsonObject, flags: JsonObject): JsonObject {
  const given = withOnly(flags, (_, value) => isGiven(value));
  const extras = { ...fieldsOf(user["as-user-extra"]), ...fieldsOf(given["as-user-extra"]) };
  return {
    ...withOnly(user, (name) => !(name.replace(/-data$/, "") in given)),
    ...given,
    ...(Object.keys(extras).length > 0 && { "as-user-extra": extras }),
  };
}

function isGiven(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "" && value !== false;
}

function withOnly(fields: JsonObject, isKept: (name: string, value: unknown) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isKept(name, value)));
}
