import { readFileSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { load } from "js-yaml";
import { UserError } from "../errors.ts";
import { systemCause } from "./input-bytes.ts";
import { kubeconfigPlaces } from "./kubeconfig-places.ts";
import { yamlCause } from "./parse-cause.ts";
import { at, isObject, objectsOf, textOf } from "./untrusted.ts";

/** Environment variables: an argument, so that nothing below the commands reads the process. */
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
 * Reads the kubeconfig as kubectl does: `--kubeconfig` alone, else the files of KUBECONFIG, else ~/.kube/config. Of several
 * files the first that has a name, or a current context, wins; files that are not there are passed over, except the one
 * that was asked for by flag. A UserError for a file that cannot be read.
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

function parse(file: string, mustExist: boolean): Fields {
  const text = readText(file, mustExist);
  if (text.trim() === "") return {};
  const document = parseYaml(file, text);
  if (!isObject(document)) throw new UserError("badKubeconfig", file, "it is not a YAML mapping");
  return withAbsolutePaths(document, dirname(resolve(file)));
}

function readText(file: string, mustExist: boolean): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (!mustExist && at(error, "code") === "ENOENT") return "";
    throw new UserError("badKubeconfig", file, systemCause(error));
  }
}

function parseYaml(file: string, text: string): unknown {
  try {
    return load(text);
  } catch (error) {
    throw new UserError("badKubeconfig", file, yamlCause(error));
  }
}

function firstByName(documents: readonly Fields[], list: string, kind: string): ReadonlyMap<string, Fields> {
  const entries = documents.flatMap((document) => objectsOf(document[list])).reverse();
  return new Map(entries.map((entry) => [String(entry["name"]), fieldsOf(entry[kind])]));
}

/** The fields of what is an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** Mirrors `ResolveLocalPaths` (client-go v0.37.1, tools/clientcmd/loader.go): relative to the file that says them. */
function withAbsolutePaths(document: Fields, folder: string): Fields {
  const absolute = (fields: Fields, keys: readonly string[]): Fields => ({
    ...fields,
    ...Object.fromEntries(keys.flatMap((key) => pathEntry(fields[key], key, folder))),
  });
  return {
    ...document,
    clusters: objectsOf(document["clusters"]).map((entry) => ({
      ...entry,
      cluster: absolute(fieldsOf(entry["cluster"]), ["certificate-authority"]),
    })),
    users: objectsOf(document["users"]).map((entry) => {
      const user = absolute(fieldsOf(entry["user"]), ["client-certificate", "client-key", "tokenFile"]);
      return {
        ...entry,
        user: isObject(user["exec"]) ? { ...user, exec: withAbsoluteCommand(user["exec"], folder) } : user,
      };
    }),
  };
}

function pathEntry(value: unknown, key: string, folder: string): readonly [string, string][] {
  const path = textOf(value);
  return path === null ? [] : [[key, resolve(folder, path)]];
}

/** A bare command is looked up in PATH; one with a separator is a path. */
function withAbsoluteCommand(exec: Fields, folder: string): Fields {
  const command = textOf(exec["command"]);
  return command?.includes(sep) ? { ...exec, command: resolve(folder, command) } : exec;
}
