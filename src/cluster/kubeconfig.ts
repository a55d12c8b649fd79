import { UserError } from "../errors.ts";
import { IMPERSONATION_FIELDS, lacksImpersonatedUser } from "./impersonation.ts";
import { inClusterKubeconfig, serviceAccountNamespace } from "./in-cluster.ts";
import { type Environment, type Fields, type Kubeconfig, readKubeconfig } from "./kubeconfig-files.ts";
import { type Overrides, overriddenCluster, overriddenUser } from "./kubeconfig-overrides.ts";
import { kubeconfigPlaces } from "./kubeconfig-places.ts";
import { textOf } from "./untrusted.ts";

/** What of a kubeconfig is in force: one context with its cluster and its user, and what flags say instead. */
export interface ChosenContext {
  /** For messages; without a context the server's address. */
  readonly name: string;
  /** The API server's address; may have a path, never ends in a slash. */
  readonly server: string;
  /** The context's own namespace. */
  readonly namespace: string | null;
  readonly cluster: Fields;
  readonly user: Fields;
  /** What plugins are run in, and what may name a proxy. */
  readonly env: Environment;
  /** The file of --kuberc, which says what plugins may run; null without it. */
  readonly kuberc: string | null;
}

/** Flags and environment that bear on the choice; an empty text counts as not given, as with kubectl. */
export interface ContextOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  /** The name of another cluster than the context's. */
  readonly cluster?: string | undefined;
  /** The name of another user than the context's. */
  readonly user?: string | undefined;
  readonly overrides?: Overrides | undefined;
  readonly kuberc?: string | undefined;
  readonly env: Environment;
}

const NOTHING: Overrides = { cluster: {}, user: {} };

/**
 * Chooses as kubectl does (`DirectClientConfig`, client-go v0.37.1, tools/clientcmd/client_config.go), except that a context
 * whose user is not there is an error, where kubectl goes on without credentials. A UserError if there is no kubeconfig, no
 * service account and no address, if something named is not there, or if what there is contradicts itself.
 */
export function chooseContext(options: ContextOptions): ChosenContext {
  const overrides = options.overrides ?? NOTHING;
  const config = readOrInCluster(options, overrides);
  const [name, context] = contextIn(config, options, overrides);
  const entry = { context: name ?? "", fields: context };
  const ownCluster = entryIn(config.clusters, "cluster", options.cluster, {
    ...entry,
    mayMiss: textOf(overrides.cluster["server"]) !== null,
  });
  const ownUser = entryIn(config.users, "user", options.user, { ...entry, mayMiss: isAnyGiven(overrides.user) });
  const cluster = overriddenCluster(ownCluster, overrides.cluster);
  const user = overriddenUser(ownUser, overrides.user);
  const server = serverOf(name, cluster, overrides);
  requireConsistent(name ?? server, cluster, user);
  const namespace = textOf(context["namespace"]) ?? serviceAccountNamespace(options.env);
  const chosen = { name: name ?? server, server, namespace, env: options.env, kuberc: options.kuberc || null };
  return { ...chosen, cluster, user: server.startsWith("http:") ? withoutSecrets(user) : user };
}

function readOrInCluster(options: ContextOptions, overrides: Overrides): Kubeconfig {
  const config = readKubeconfig(options.kubeconfig || undefined, options.env);
  const isNamed = config.contexts.size > 0 || config.currentContext !== null || Boolean(options.cluster);
  if (isNamed || textOf(overrides.cluster["server"]) !== null) return config;
  const inCluster = inClusterKubeconfig(options.env);
  if (inCluster === null)
    throw new UserError("noKubeconfig", kubeconfigPlaces(options.kubeconfig || undefined, options.env));
  // The service account's tokenFile would come before a token.
  return textOf(overrides.user["token"]) === null
    ? inCluster
    : { ...inCluster, users: new Map([["service-account", {}]]) };
}

/** The context's name and fields; no name if none is current and flags say where the server is. */
function contextIn(config: Kubeconfig, options: ContextOptions, overrides: Overrides): [string | null, Fields] {
  const names = [...config.contexts.keys()].sort();
  const name = options.context || config.currentContext;
  if (name === null) {
    if (options.cluster || textOf(overrides.cluster["server"]) !== null) return [null, {}];
    throw new UserError("noCurrentContext", names);
  }
  const context = config.contexts.get(name);
  if (context === undefined) throw new UserError("unknownContext", name, names);
  return [name, context];
}

interface ContextEntry {
  readonly context: string;
  readonly fields: Fields;
  /** Whether flags say enough without it. */
  readonly mayMiss: boolean;
}

/** The cluster or user that a flag names, else the context. */
function entryIn(
  entries: ReadonlyMap<string, Fields>,
  kind: "cluster" | "user",
  flag: string | undefined,
  { context, fields, mayMiss }: ContextEntry,
): Fields {
  const name = flag || textOf(fields[kind]);
  if (name === null) return {};
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  if (flag) throw new UserError("unknownEntry", kind, flag, [...entries.keys()].sort());
  if (mayMiss) return {};
  throw new UserError("brokenContext", context, kind, name);
}

function isAnyGiven(flags: Fields): boolean {
  return Object.values(flags).some((value) => textOf(value) !== null);
}

/** Mirrors `IsConfigTransportTLS` (client-go v0.37.1, rest/config.go): without a scheme it is http, whatever else is said. */
function serverOf(context: string | null, cluster: Fields, overrides: Overrides): string {
  const text = textOf(cluster["server"]) ?? "";
  const full = text.includes("://") ? text : `http://${text}`;
  const address = full.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  if (URL.canParse(address) && /^https?:/.test(address)) return address.replace(/\/+$/, "");
  if (textOf(overrides.cluster["server"]) === null) throw new UserError("badServer", context ?? "", text);
  throw new UserError("badFlag", "server", text, "an http or https address, such as https://10.0.0.1:6443");
}

/** Mirrors what `validateAuthInfo` (client-go v0.37.1, tools/clientcmd/validation.go) and `TLSConfigFor` refuse. */
function requireConsistent(context: string, cluster: Fields, user: Fields): void {
  const has = (fields: Fields, ...names: string[]): boolean => names.some((name) => textOf(fields[name]) !== null);
  const refuse = (because: string): never => {
    throw new UserError("badCredentials", context, because);
  };
  if (lacksImpersonatedUser(user)) throw new UserError("nobodyToImpersonate");
  if (has(user, "token") && has(user, "username", "password"))
    refuse("there is a token and also a name with a password");
  if (has(user, "client-certificate", "client-certificate-data") && !has(user, "client-key", "client-key-data"))
    refuse("there is a client certificate without its key");
  const isVerified = has(cluster, "certificate-authority", "certificate-authority-data");
  if (isVerified && cluster["insecure-skip-tls-verify"] === true)
    refuse("certificate-authority and insecure-skip-tls-verify exclude each other");
}

/** Over plain http kubectl sends no secrets: anybody on the way could read them. */
function withoutSecrets(user: Fields): Fields {
  return Object.fromEntries(IMPERSONATION_FIELDS.flatMap((name) => (name in user ? [[name, user[name]]] : [])));
}
