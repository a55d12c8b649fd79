import { UserError } from "../../errors.ts";
import { textOf } from "../objects/untrusted.ts";
import {
  type Environment,
  type Fields,
  fieldsOf,
  inClusterKubeconfig,
  type Kubeconfig,
  kubeconfigPlaces,
  readKubeconfig,
  serviceAccountNamespace,
} from "./kubeconfig-files.ts";

/** The context of a kubeconfig that a command uses, with its cluster and its user; flags have replaced their fields. */
export interface ChosenContext {
  /** For messages; without a context the server's address. */
  readonly name: string;
  /** The API server's address; may have a path, never ends in a slash. */
  readonly server: string;
  readonly namespace: string | null;
  readonly cluster: Fields;
  readonly user: Fields;
  /** Credential plugins run with it, and it may name a proxy. */
  readonly env: Environment;
  /** The file of --kuberc, which says which credential plugins may run; null without the flag. */
  readonly kuberc: string | null;
}

/** Flags and environment that bear on the choice; an empty text counts as not given, as with kubectl. */
export interface ContextOptions {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly overrides?: Overrides | undefined;
  readonly kuberc?: string | undefined;
  readonly env: Environment;
}

/** Fields that flags give instead of those of the kubeconfig, spelled as in a kubeconfig. An empty value is not given. */
interface Overrides {
  readonly cluster: Fields;
  readonly user: Fields;
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
  const entry = (kind: "cluster" | "user", entries: ReadonlyMap<string, Fields>, isEnough: boolean): Fields => {
    const wanted = options[kind] || textOf(context[kind]);
    const found = wanted === null ? {} : entries.get(wanted);
    if (found === undefined && options[kind])
      throw new UserError("unknownEntry", kind, options[kind], [...entries.keys()].sort());
    if (found === undefined && !isEnough) throw new UserError("brokenContext", name ?? "", kind, `${wanted}`);
    return found ?? {};
  };
  const hasServer = isText(overrides.cluster["server"]);
  const cluster = overriddenCluster(entry("cluster", config.clusters, hasServer), overrides.cluster);
  const hasUser = Object.values(overrides.user).some(isText);
  const user = overriddenUser(entry("user", config.users, hasUser), overrides.user);
  const server = serverOf(name, cluster, overrides);
  requireConsistent(name ?? server, cluster, user);
  const namespace = textOf(context["namespace"]) ?? serviceAccountNamespace(options.env);
  const chosen = { name: name ?? server, server, namespace, env: options.env, kuberc: options.kuberc || null };
  return { ...chosen, cluster, user: server.startsWith("http:") ? withoutSecrets(user) : user };
}

function readOrInCluster(options: ContextOptions, overrides: Overrides): Kubeconfig {
  const config = readKubeconfig(options.kubeconfig || undefined, options.env);
  const isNamed = config.contexts.size > 0 || config.currentContext !== null || Boolean(options.cluster);
  if (isNamed || isText(overrides.cluster["server"])) return config;
  const inCluster = inClusterKubeconfig(options.env);
  if (inCluster === null)
    throw new UserError("noKubeconfig", kubeconfigPlaces(options.kubeconfig || undefined, options.env));
  // The service account's tokenFile would come before a token.
  return isText(overrides.user["token"]) ? { ...inCluster, users: new Map([["service-account", {}]]) } : inCluster;
}

/** The context's name and fields; no name if none is current and flags say where the server is. */
function contextIn(config: Kubeconfig, options: ContextOptions, overrides: Overrides): [string | null, Fields] {
  const names = [...config.contexts.keys()].sort();
  const name = options.context || config.currentContext;
  if (name === null) {
    if (options.cluster || isText(overrides.cluster["server"])) return [null, {}];
    throw new UserError("noCurrentContext", names);
  }
  const context = config.contexts.get(name);
  if (context === undefined) throw new UserError("unknownContext", name, names);
  return [name, context];
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
  if (!has(user, "as") && IMPERSONATION_FIELDS.some((field) => isGiven(user[field])))
    throw new UserError("nobodyToImpersonate");
  if (has(user, "token") && has(user, "username", "password"))
    refuse("there is a token and also a name with a password");
  if (has(user, "client-certificate", "client-certificate-data") && !has(user, "client-key", "client-key-data"))
    refuse("there is a client certificate without its key");
  const isVerified = has(cluster, "certificate-authority", "certificate-authority-data");
  if (isVerified && cluster["insecure-skip-tls-verify"] === true)
    refuse("certificate-authority and insecure-skip-tls-verify exclude each other");
}

/** The fields of a user that name the user to impersonate; kubectl refuses the others without `as`. */
const IMPERSONATION_FIELDS = ["as", "as-uid", "as-groups", "as-user-extra"];

/** Over plain http kubectl sends no secrets: anybody on the way could read them. */
function withoutSecrets(user: Fields): Fields {
  return Object.fromEntries(IMPERSONATION_FIELDS.flatMap((name) => (name in user ? [[name, user[name]]] : [])));
}

/**
 * A cluster with the fields that flags give. Mirrors `getCluster` (client-go v0.37.1, tools/clientcmd/client_config.go): a flag
 * about verification replaces all fields about it, and another server has another name.
 */
function overriddenCluster(cluster: Fields, flags: Fields): Fields {
  const given = givenOf(flags);
  const isVerified = "certificate-authority" in given || "insecure-skip-tls-verify" in given;
  const isNamed = "server" in given || "tls-server-name" in given;
  const replaced = [
    ...(isVerified ? ["certificate-authority", "certificate-authority-data", "insecure-skip-tls-verify"] : []),
    ...(isNamed ? ["tls-server-name"] : []),
  ];
  return { ...without(cluster, replaced), ...given };
}

/** A user with the fields that flags give. Mirrors `getAuthInfo` of the same file: a file replaces data, extras are merged by key. */
function overriddenUser(user: Fields, flags: Fields): Fields {
  const given = givenOf(flags);
  const files = ["client-certificate", "client-key"].filter((field) => field in given);
  const data = files.map((field) => `${field}-data`);
  const extras = { ...fieldsOf(user["as-user-extra"]), ...fieldsOf(given["as-user-extra"]) };
  return { ...without(user, data), ...given, ...(Object.keys(extras).length > 0 && { "as-user-extra": extras }) };
}

function isText(value: unknown): boolean {
  return textOf(value) !== null;
}

function givenOf(flags: Fields): Fields {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => isGiven(value)));
}

function isGiven(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "" && value !== false;
}

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
