import { existsSync, readFileSync } from "node:fs";
import path, { dirname, join, type PlatformPath, resolve, sep } from "node:path";
import { load } from "js-yaml";
import { UserError } from "../../errors.ts";
import { systemCause, yamlCause } from "../objects/error-text.ts";
import { at, fieldsOf, isObject, type JsonObject, objectsOf, textOf } from "../objects/json-access.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Kubeconfig
  extends Readonly<Record<"clusters" | "users" | "contexts", ReadonlyMap<string, JsonObject>>> {
  readonly currentContext: string | null;
}

/**
 * If several files have an entry of the same name, the first file's entry counts, as in kubectl. Only the file of
 * --kubeconfig must exist.
 */
export function readKubeconfig(flag: string | undefined, env: Environment): Kubeconfig {
  const files = kubeconfigPlaces(flag, env).map((file) => ({
    fields: withoutDuplicates(file, parse(file, Boolean(flag))),
    folder: dirname(resolve(file)),
  }));
  const firstByName = (kind: (typeof KINDS)[number]): Map<string, JsonObject> => {
    const entries = files.flatMap(({ fields, folder }) =>
      objectsOf(fields[`${kind}s`]).map((entry) => {
        return [String(entry["name"]), withAbsolutePaths(fieldsOf(entry[kind]), folder)] as const;
      }),
    );
    return new Map(entries.reverse());
  };
  return {
    currentContext: files.map(({ fields }) => textOf(fields["current-context"])).find((name) => name !== null) ?? null,
    clusters: firstByName("cluster"),
    users: firstByName("user"),
    contexts: firstByName("context"),
  };
}

interface System {
  readonly path: PlatformPath;
  readonly exists: (file: string) => boolean;
}

export function kubeconfigPlaces(
  flag: string | undefined,
  env: Environment,
  system: System = { path, exists: existsSync },
): readonly string[] {
  if (flag) return [flag];
  const listed = textOf(env["KUBECONFIG"]);
  if (listed !== null) return listed.split(system.path.delimiter).filter((file) => file !== "");
  const places = homesIn(env, system).map((home) => system.path.join(home, ".kube", "config"));
  return [...places.filter(system.exists), ...places].slice(0, 1);
}

/** In the order in which `HomeDir` looks for .kube/config (client-go v0.37.1, util/homedir/homedir.go). */
function homesIn(env: Environment, system: System): readonly string[] {
  const [drive, folder] = [textOf(env["HOMEDRIVE"]), textOf(env["HOMEPATH"])];
  const ofWindows = [drive !== null && folder !== null ? drive + folder : null, textOf(env["USERPROFILE"])];
  const homes = [textOf(env["HOME"]), ...(system.path.sep === "\\" ? ofWindows : [])];
  return homes.filter((home) => home !== null);
}

const KINDS = ["cluster", "user", "context"] as const;

/** Refuses two entries of one name, as kubectl does. */
function withoutDuplicates(file: string, fields: JsonObject): JsonObject {
  for (const kind of KINDS) {
    const names = objectsOf(fields[`${kind}s`]).map(({ name }) => String(name));
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new UserError("badKubeconfig", file, `it has two ${kind}s called "${twice}"`);
  }
  return fields;
}

function parse(file: string, mustExist: boolean): JsonObject {
  try {
    const text = readFileSync(file, "utf8");
    const document = text.trim() === "" ? {} : load(text);
    if (isObject(document)) return document;
  } catch (error) {
    const code = at(error, "code");
    if (!mustExist && code === "ENOENT") return {};
    // js-yaml's own message may quote the file, which can hold secrets.
    throw new UserError("badKubeconfig", file, code === undefined ? yamlCause(error) : systemCause(error));
  }
  throw new UserError("badKubeconfig", file, "it is not a YAML mapping");
}

export function hasText(fields: JsonObject, ...names: readonly string[]): boolean {
  return names.some((name) => textOf(fields[name]) !== null);
}

const PATHS = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/** See `ResolveLocalPaths` (client-go v0.37.1, tools/clientcmd/loader.go). */
function withAbsolutePaths(fields: JsonObject, folder: string): JsonObject {
  const absolute = ([name, value]: [string, unknown]): [string, unknown] => {
    const command = name === "exec" ? textOf(at(value, "command")) : null;
    // A command without a path separator stays as it is, because the system looks for it in PATH.
    if (command?.includes(sep)) return [name, { ...fieldsOf(value), command: resolve(folder, command) }];
    return [name, PATHS.includes(name) && textOf(value) !== null ? resolve(folder, String(value)) : value];
  };
  return Object.fromEntries(Object.entries(fields).map(absolute));
}

const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** See `InClusterConfig` (client-go v0.37.1, rest/config.go). */
export function inClusterKubeconfig(env: Environment, folder = SERVICE_ACCOUNT_FOLDER): Kubeconfig | null {
  if (!isInCluster(env, folder)) return null;
  const [host = "", port] = [env["KUBERNETES_SERVICE_HOST"], env["KUBERNETES_SERVICE_PORT"]];
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  const authority = join(folder, "ca.crt");
  const cluster = { server, ...(existsSync(authority) && { "certificate-authority": authority }) };
  const namespace = serviceAccountNamespace(env, folder);
  return {
    currentContext: "in-cluster",
    clusters: new Map([["in-cluster", cluster]]),
    users: new Map([["service-account", { tokenFile: join(folder, "token") }]]),
    contexts: new Map([["in-cluster", { cluster: "in-cluster", user: "service-account", namespace }]]),
  };
}

/**
 * See `Namespace` of `inClusterClientConfig` (client-go v0.37.1, tools/clientcmd/client_config.go), which kubectl can
 * call in a pod if the context has no namespace (tools/clientcmd/merged_client_builder.go).
 */
export function serviceAccountNamespace(env: Environment, folder = SERVICE_ACCOUNT_FOLDER): string | null {
  if (!isInCluster(env, folder)) return null;
  const file = join(folder, "namespace");
  return textOf(env["POD_NAMESPACE"]) ?? (existsSync(file) ? textOf(readFileSync(file, "utf8").trim()) : null);
}

function isInCluster(env: Environment, folder: string): boolean {
  return Boolean(env["KUBERNETES_SERVICE_HOST"] && env["KUBERNETES_SERVICE_PORT"]) && existsSync(join(folder, "token"));
}
