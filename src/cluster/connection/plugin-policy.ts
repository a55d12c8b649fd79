import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { basename, delimiter, join, normalize, sep } from "node:path";
import { loadAll } from "js-yaml";
import { at, objectsOf, textOf } from "../objects/untrusted.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import { type Environment, type Fields, fieldsOf } from "./kubeconfig-files.ts";

/**
 * Throws an Error if the user's kuberc does not allow this credential plugin to run. Mirrors
 * `updateCommandAndCheckAllowlistLocked` (client-go v0.37.1, plugin/pkg/client/auth/exec/exec.go). kubectl does not pass its
 * policy on to plugins such as this program, but a user who restricts what a kubeconfig may run means all its readers.
 */
export function requireAllowed(command: string, context: Pick<ChosenContext, "kuberc" | "env">): void {
  const preference = readPreference(context);
  const policy = textOf(preference["credentialPluginPolicy"]) ?? "AllowAll";
  const list = preference["credentialPluginAllowlist"];
  if (!["AllowAll", "DenyAll", "Allowlist"].includes(policy))
    throw new Error(`the kuberc has an unknown credentialPluginPolicy ${policy}`);
  if (policy === "Allowlist" ? objectsOf(list).length === 0 : list !== undefined && list !== null)
    throw new Error(`the kuberc's credentialPluginAllowlist does not go with its policy ${policy}`);
  const isAllowed =
    policy === "AllowAll" || (policy === "Allowlist" && isListed(command, objectsOf(list), context.env));
  if (!isAllowed) throw new Error(`the kuberc does not allow the credential plugin ${command} (${policy})`);
}

/** Whether the list has the command, or another name of the file that the command stands for. */
function isListed(command: string, entries: readonly Fields[], env: Environment): boolean {
  const allowed = entries.flatMap((entry) => textOf(entry["command"]) ?? textOf(entry["name"]) ?? []);
  const found = lookedUp(normalize(command), env);
  if (allowed.includes(normalize(command)) || (found !== null && allowed.includes(found))) return true;
  const alike = allowed.filter((entry) => basename(entry) === basename(command));
  return found !== null && alike.some((entry) => lookedUp(entry, env) === found);
}

/** Mirrors `exec.LookPath` of Go: the path of an executable file; null without one. */
function lookedUp(command: string, env: Environment): string | null {
  const folders = command.includes(sep) ? [""] : (env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, command)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * The first Preference in the file of --kuberc, of KUBERC, or ~/.kube/kuberc; empty without such a file. Mirrors
 * `DefaultGetPreferences` (kubectl v0.37.1, pkg/kuberc/kuberc.go), except that an unreadable file at the usual place is an
 * error too: it may hold a restriction.
 */
function readPreference({ kuberc, env }: Pick<ChosenContext, "kuberc" | "env">): Fields {
  if (env["KUBERC"] === "off" && kuberc === null) return {};
  const home = textOf(env["HOME"]) ?? textOf(env["USERPROFILE"]);
  const named = kuberc ?? textOf(env["KUBERC"]);
  const file = named ?? (home === null ? null : join(home, ".kube", "kuberc"));
  const documents = file === null ? [] : documentsIn(file, named !== null);
  const found = documents.find(
    (document) =>
      at(document, "kind") === "Preference" && /^kubectl\.config\.k8s\.io\//.test(String(at(document, "apiVersion"))),
  );
  if (found === undefined && documents.some((document) => document !== null && document !== undefined))
    throw new Error(`there is no Preference in ${file}`);
  return fieldsOf(found);
}

function documentsIn(file: string, mustExist: boolean): readonly unknown[] {
  try {
    return loadAll(readFileSync(file, "utf8"));
  } catch (error) {
    if (!mustExist && at(error, "code") === "ENOENT") return [];
    throw new Error(`the kuberc ${file} cannot be read`);
  }
}
