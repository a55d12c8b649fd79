import { existsSync, readFileSync } from "node:fs";
import path, { dirname, join, type PlatformPath, resolve, sep } from "node:path";
import { load } from "js-yaml";
import { UserError } from "../../errors.ts";
import { systemCause, yamlCause } from "../objects/causes.ts";
import { at, isObject, objectsOf, textOf } from "../objects/untrusted.ts";

/** Environment variables: an argument, so that only the commands read the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The fields of one cluster, user or context, as the kubeconfig spells them. */
export type Fields = Readonly<Record<string, unknown>>;

/** Kubeconfig files merged into one: by name, and paths absolute. */
export interface Kubeconfig {
  readonly currentContext: string | null;
  readonly clusters: ReadonlyMap<string, Fields>;
  readonly users: ReadonlyMap<string, Fields>;
  readonly contexts: ReadonlyMap<string, Fields>;
}

/**
 * Reads the kubeconfig as kubectl does. Of several files the first that has a name, or a current context, wins; kubectl passes
 * over files that do not exist, except the one that --kubeconfig names. client-node's `loadFromDefault` lets the last current
 * context win and throws at a missing file, an empty file or a second entry of a name; its types have no `tokenFile`,
 * `as-groups` or `extensions`. A UserError for a file that cannot be read.
 */
export function readKubeconfig(flag: string | undefined, env: Environment): Kubeconfig {
  const documents = kubeconfigPlaces(flag, env).map((file) => parse(file, flag !== undefined));
  return {
    currentContext:
      documents.map((document) => textOf(at(document, "current-context"))).find((name) => name !== null) ?? null,
    clusters: firstByName(documents, "clusters", "cluster"),
    users: firstByName(documents, "users", "user"),
    contexts: firstByName(documents, "contexts", "context"),
  };
}

/** What differs between systems: an argument, so that a test can ask for Windows. */
interface System {
  readonly isWindows: boolean;
  readonly path: PlatformPath;
  readonly exists: (file: string) => boolean;
}

const THIS_SYSTEM: System = { isWindows: sep === "\\", path, exists: existsSync };

/** The kubeconfig files in their order: --kubeconfig alone, else the list of KUBECONFIG, else .kube/config of the home. */
export function kubeconfigPlaces(flag: string | undefined, env: Environment, system = THIS_SYSTEM): readonly string[] {
  if (flag !== undefined) return [flag];
  const listed = textOf(env["KUBECONFIG"]);
  if (listed !== null) return listed.split(system.path.delimiter).filter((file) => file !== "");
  const places = homesIn(env, system).map((home) => system.path.join(home, ".kube", "config"));
  return [...places.filter(system.exists), ...places].slice(0, 1);
}

/** Mirrors `HomeDir` (client-go v0.37.1, util/homedir/homedir.go): on Windows the first of three that has the file. */
function homesIn(env: Environment, { isWindows }: System): readonly string[] {
  const own = textOf(env["HOME"]);
  if (!isWindows) return own === null ? [] : [own];
  const [drive, folder] = [textOf(env["HOMEDRIVE"]), textOf(env["HOMEPATH"])];
  const homes = [own, drive !== null && folder !== null ? drive + folder : null, textOf(env["USERPROFILE"])];
  return homes.filter((home) => home !== null);
}

function parse(file: string, mustExist: boolean): Fields {
  try {
    const text = readFileSync(file, "utf8");
    const document = text.trim() === "" ? {} : load(text);
    if (isObject(document)) return withAbsolutePaths(document, dirname(resolve(file)));
  } catch (error) {
    const code = at(error, "code");
    if (!mustExist && code === "ENOENT") return {};
    // Only the system's errors have a code, and only their words quote nothing of the file.
    throw new UserError("badKubeconfig", file, code === undefined ? yamlCause(error) : systemCause(error));
  }
  throw new UserError("badKubeconfig", file, "it is not a YAML mapping");
}

function firstByName(documents: readonly Fields[], list: string, kind: string): ReadonlyMap<string, Fields> {
  const entries = documents.flatMap((document) => objectsOf(document[list])).reverse();
  return new Map(entries.map((entry) => [String(entry["name"]), fieldsOf(entry[kind])]));
}

/** The fields of an object; none of any other value. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** Mirrors `ResolveLocalPaths` (client-go v0.37.1, tools/clientcmd/loader.go): paths are relative to the kubeconfig's folder. */
function withAbsolutePaths(document: Fields, folder: string): Fields {
  const absolute = (fields: Fields, names: readonly string[]): Fields => {
    const paths = names.filter((name) => textOf(fields[name]) !== null);
    return { ...fields, ...Object.fromEntries(paths.map((name) => [name, resolve(folder, String(fields[name]))])) };
  };
  return {
    ...document,
    clusters: objectsOf(document["clusters"]).map((entry) => ({
      ...entry,
      cluster: absolute(fieldsOf(entry["cluster"]), ["certificate-authority"]),
    })),
    users: objectsOf(document["users"]).map((entry) => {
      const user = absolute(fieldsOf(entry["user"]), ["client-certificate", "client-key", "tokenFile"]);
      const exec = user["exec"];
      // A command without a separator is looked up in PATH.
      const isPath = textOf(at(exec, "command"))?.includes(sep) ?? false;
      return { ...entry, user: isPath ? { ...user, exec: absolute(fieldsOf(exec), ["command"]) } : user };
    }),
  };
}

/** Where a pod finds the credentials of its service account (client-go v0.37.1, rest/config.go). */
const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";

/** A kubeconfig for a pod's service account; null outside of a cluster. Mirrors `InClusterConfig` of the same file. */
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

/** The pod's namespace, null outside of a cluster. Mirrors `Namespace` (client-go v0.37.1, merged_client_builder.go). */
export function serviceAccountNamespace(env: Environment, folder = SERVICE_ACCOUNT_FOLDER): string | null {
  if (!isInCluster(env, folder)) return null;
  const file = join(folder, "namespace");
  return textOf(env["POD_NAMESPACE"]) ?? (existsSync(file) ? textOf(readFileSync(file, "utf8").trim()) : null);
}

function isInCluster(env: Environment, folder: string): boolean {
  return Boolean(env["KUBERNETES_SERVICE_HOST"] && env["KUBERNETES_SERVICE_PORT"]) && existsSync(join(folder, "token"));
}
