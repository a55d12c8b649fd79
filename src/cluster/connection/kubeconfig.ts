import { UserError } from "../../errors.ts";
import { fieldsOf, type JsonObject, textOf } from "../objects/json-access.ts";
import {
  type Environment,
  hasText,
  inClusterKubeconfig,
  type Kubeconfig,
  kubeconfigPlaces,
  readKubeconfig,
  serviceAccountNamespace,
} from "./kubeconfig-files.ts";

export interface ChosenContext {
  readonly name: string;
  /** Has no slash at the end, and can have a path. */
  readonly server: string;
  readonly namespace: string | null;
  readonly cluster: JsonObject;
  readonly user: JsonObject;
  readonly env: Environment;
  readonly kuberc: string | null;
}

/** As in kubectl, an empty text counts as absent. */
export interface ContextOptions extends Readonly<Partial<Record<Flag, string | undefined>>> {
  /** Values of flags under the names of kubeconfig fields, such as `insecure-skip-tls-verify`. */
  readonly overrides?: Overrides | undefined;
  readonly env: Environment;
}

type Flag = "kubeconfig" | "context" | "cluster" | "user" | "kuberc";
type Overrides = Readonly<Record<"cluster" | "user", JsonObject>>;

/**
 * See `DirectClientConfig` (client-go v0.37.1, tools/clientcmd/client_config.go). Unlike kubectl, may refuse a context
 * whose user the kubeconfig lacks.
 */
export function chooseContext(options: ContextOptions): ChosenContext {
  const overrides = { cluster: given(options.overrides?.cluster), user: given(options.overrides?.user) };
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
  const cluster = overriddenCluster(entry("cluster", hasText(overrides.cluster, "server")), overrides.cluster);
  const user = overriddenUser(entry("user", Object.keys(overrides.user).length > 0), overrides.user);
  const server = serverOf(name, cluster, overrides);
  requireConsistent(name ?? server, cluster, user);
  const namespace = textOf(context["namespace"]) ?? serviceAccountNamespace(options.env);
  const chosen = { name: name ?? server, server, namespace, cluster, env: options.env, kuberc: options.kuberc || null };
  // As in kubectl, a user's credentials do not go over plain http.
  return { ...chosen, user: server.startsWith("http:") ? withOnly(user, isImpersonation) : user };
}

function readOrInCluster(options: ContextOptions, overrides: Overrides): Kubeconfig {
  const config = readKubeconfig(options.kubeconfig, options.env);
  const isNamed = config.contexts.size > 0 || config.currentContext !== null || Boolean(options.cluster);
  if (isNamed || hasText(overrides.cluster, "server")) return config;
  const inCluster = inClusterKubeconfig(options.env);
  if (inCluster === null) throw new UserError("noKubeconfig", kubeconfigPlaces(options.kubeconfig, options.env));
  // The service account's tokenFile would win over the token from the flag.
  return hasText(overrides.user, "token") ? { ...inCluster, users: new Map([["service-account", {}]]) } : inCluster;
}

function contextIn(config: Kubeconfig, options: ContextOptions, overrides: Overrides): [string | null, JsonObject] {
  const names = [...config.contexts.keys()].sort();
  const name = options.context || config.currentContext;
  if (name === null) {
    if (options.cluster || hasText(overrides.cluster, "server")) return [null, {}];
    throw new UserError("noCurrentContext", names);
  }
  const context = config.contexts.get(name);
  if (context === undefined) throw new UserError("unknownContext", name, names);
  return [name, context];
}

/**
 * As in kubectl, an address without a scheme is http: `ClientConfig` (client-go v0.37.1,
 * tools/clientcmd/client_config.go) calls `IsConfigTransportTLS` before it adds any certificates.
 */
function serverOf(context: string | null, cluster: JsonObject, overrides: Overrides): string {
  const text = textOf(cluster["server"]) ?? "";
  const full = text.includes("://") ? text : `http://${text}`;
  const address = full.replace(/^https?:/i, (scheme) => scheme.toLowerCase());
  if (URL.canParse(address) && /^https?:/.test(address)) return address.replace(/\/+$/, "");
  if (!hasText(overrides.cluster, "server")) throw new UserError("badServer", context ?? "", text);
  throw new UserError("badFlag", "server", text, "an http or https address, such as https://10.0.0.1:6443");
}

/**
 * See `validateAuthInfo` and `validateClusterInfo` (client-go v0.37.1, tools/clientcmd/validation.go), and
 * `TLSConfigFor` (transport/transport.go).
 */
function requireConsistent(context: string, cluster: JsonObject, user: JsonObject): void {
  if (!hasText(user, "as") && Object.entries(user).some(([name, value]) => isImpersonation(name) && isGiven(value)))
    throw new UserError("nobodyToImpersonate");
  const refuse = (because: string): never => {
    throw new UserError("badCredentials", context, because);
  };
  if (hasText(user, "token") && hasText(user, "username", "password"))
    refuse("there is a token and also a name with a password");
  const hasCertificate = hasText(user, "client-certificate", "client-certificate-data");
  if (hasCertificate && !hasText(user, "client-key", "client-key-data"))
    refuse("there is a client certificate without its key");
  const refuseBoth = (fields: JsonObject, file: string): void => {
    if (hasText(fields, file) && hasText(fields, `${file}-data`)) refuse(`${file} and ${file}-data exclude each other`);
  };
  for (const file of hasCertificate ? ["client-certificate", "client-key"] : []) refuseBoth(user, file);
  refuseBoth(cluster, "certificate-authority");
  const isVerified = hasText(cluster, "certificate-authority", "certificate-authority-data");
  if (isVerified && cluster["insecure-skip-tls-verify"] === true)
    refuse("certificate-authority and insecure-skip-tls-verify exclude each other");
}

function isImpersonation(field: string): boolean {
  return ["as", "as-uid", "as-groups", "as-user-extra"].includes(field);
}

/** See `getCluster` (client-go v0.37.1, tools/clientcmd/client_config.go). */
function overriddenCluster(cluster: JsonObject, flags: JsonObject): JsonObject {
  const isVerified = "certificate-authority" in flags || "insecure-skip-tls-verify" in flags;
  const isNamed = "server" in flags || "tls-server-name" in flags;
  const replaced = [
    ...(isVerified ? ["certificate-authority", "certificate-authority-data", "insecure-skip-tls-verify"] : []),
    ...(isNamed ? ["tls-server-name"] : []),
  ];
  return { ...withOnly(cluster, (name) => !replaced.includes(name)), ...flags };
}

/** See `getAuthInfo` (client-go v0.37.1, tools/clientcmd/client_config.go). */
function overriddenUser(user: JsonObject, flags: JsonObject): JsonObject {
  const extras = { ...fieldsOf(user["as-user-extra"]), ...fieldsOf(flags["as-user-extra"]) };
  return {
    ...withOnly(user, (name) => !(name.replace(/-data$/, "") in flags)),
    ...flags,
    ...(Object.keys(extras).length > 0 && { "as-user-extra": extras }),
  };
}

function given(fields: JsonObject = {}): JsonObject {
  return withOnly(fields, (_, value) => isGiven(value));
}

function isGiven(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "" && value !== false;
}

function withOnly(fields: JsonObject, isKept: (name: string, value: unknown) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => isKept(name, value)));
}
