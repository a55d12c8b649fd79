import type { SpawnOptions } from "node:child_process";
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { delimiter, extname, isAbsolute, join, normalize, sep } from "node:path";
import { isatty } from "node:tty";
import spawn from "cross-spawn";
import { loadAll } from "js-yaml";
import { at, fieldsOf, type JsonObject, objectsOf, parsedJson, textOf } from "../objects/json-access.ts";
import { instantOf } from "../objects/timestamp.ts";
import { type Credential, contentOf } from "./client-config.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Environment } from "./kubeconfig-files.ts";

const API_GROUP = "client.authentication.k8s.io";
const VERSIONS = [`${API_GROUP}/v1`, `${API_GROUP}/v1beta1`];
/** Assumed: a certificate with its chain and key has far fewer characters. */
const MOST_OUTPUT_CHARACTERS = 2 ** 20;

/**
 * See `refreshCredsLocked` (client-go v0.37.1, plugin/pkg/client/auth/exec/exec.go). The plugin inherits stderr,
 * because it may ask the user to log in.
 */
export async function runExecPlugin(
  context: ChosenContext,
  signal: AbortSignal,
  isTerminal = isatty(0),
): Promise<Credential> {
  const exec = fieldsOf(context.user["exec"]);
  const [command, version] = [textOf(exec["command"]), textOf(exec["apiVersion"])];
  if (command === null) throw new Error("the credential plugin has no command");
  // Unlike kubectl, accepts a plugin without an apiVersion.
  if (version !== null && !VERSIONS.includes(version)) throw failure(command, `has an unknown apiVersion ${version}`);
  const interactive = mayAsk(exec, command, isTerminal);
  const own = objectsOf(exec["env"]).map(({ name, value }) => [String(name), String(value ?? "")]);
  const info = {
    kind: "ExecCredential",
    apiVersion: exec["apiVersion"],
    spec: { ...(exec["provideClusterInfo"] === true && { cluster: clusterInfo(context) }), interactive },
  };
  const env = { ...context.env, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const program = allowedProgram(command, context);
  const stdin = interactive ? "inherit" : "ignore";
  const output = await outputOf(program, exec, { env, stdio: [stdin, "pipe", "inherit"], signal });
  return credentialIn(output, command, version);
}

function failure(command: string, words: string): Error {
  return new Error(`the credential plugin ${command} ${words}`);
}

/**
 * See `isInteractive` (client-go v0.37.1, plugin/pkg/client/auth/exec/exec.go). Unlike kubectl, also accepts a plugin
 * without an interactiveMode if its apiVersion is v1.
 */
function mayAsk(exec: JsonObject, command: string, isTerminal: boolean): boolean {
  const mode = textOf(exec["interactiveMode"]) ?? "IfAvailable";
  if (!["Never", "IfAvailable", "Always"].includes(mode))
    throw new Error(`the credential plugin has an unknown interactiveMode ${mode}`);
  if (mode === "Always" && !isTerminal) throw failure(command, "asks questions, and stdin is not a terminal");
  return mode !== "Never" && isTerminal;
}

/** See `ConfigToExecCluster` (client-go v0.37.1, rest/exec.go). */
function clusterInfo({ server, cluster }: ChosenContext): JsonObject {
  const extension = objectsOf(cluster["extensions"]).find(({ name }) => name === `${API_GROUP}/exec`);
  return {
    server,
    "tls-server-name": textOf(cluster["tls-server-name"]) ?? undefined,
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"] === true || undefined,
    "certificate-authority-data": contentOf(cluster, "certificate-authority") ?? undefined,
    "proxy-url": textOf(cluster["proxy-url"]) ?? undefined,
    "disable-compression": cluster["disable-compression"] === true || undefined,
    config: extension?.["extension"] ?? null,
  };
}

function outputOf(program: string | null, exec: JsonObject, options: SpawnOptions): Promise<string> {
  const command = String(exec["command"]);
  const args = Array.isArray(exec["args"]) ? exec["args"].map(String) : [];
  return new Promise((resolve, reject) => {
    const fail = (words: string): void => reject(failure(command, words));
    if ([command, ...args, ...Object.entries(options.env ?? {}).flat()].some((text) => text?.includes("\0")))
      return fail("does not start (a null byte is in its arguments or variables)");
    const hint = textOf(exec["installHint"]) === null ? "" : `. ${exec["installHint"]}`;
    if (program === null) return fail(`is not installed${hint}`);
    // Unlike Node's `spawn` without a shell, cross-spawn also starts .cmd and .bat files on Windows.
    const plugin = spawn(program, args, options);
    let output = "";
    plugin.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length <= MOST_OUTPUT_CHARACTERS) return;
      plugin.kill();
      fail("prints more than any credential has");
    });
    plugin.on("error", (error) => {
      const isMissing = at(error, "code") === "ENOENT";
      fail(isMissing ? `is not installed${hint}` : `does not start (${error.message})`);
    });
    plugin.on("close", (code, signal) =>
      code === 0 ? resolve(output) : fail(`failed (${signal ?? `exit code ${code}`})`),
    );
  });
}

function credentialIn(output: string, command: string, wanted: string | null): Credential {
  const answer = parsedJson(output);
  if (at(answer, "kind") !== "ExecCredential") throw failure(command, "did not print an ExecCredential");
  const given = textOf(at(answer, "apiVersion"));
  const isVersion = /^([\w.]+\/)?v\w{1,8}$/.test(given ?? "");
  if (wanted !== null && wanted !== given)
    throw failure(command, `is to answer in ${wanted}, and answered in ${isVersion ? given : "something else"}`);
  const status = (field: string): string | null => textOf(at(answer, "status", field));
  const base64 = (pem: string): string => Buffer.from(pem).toString("base64");
  const [token, cert, key] = [status("token"), status("clientCertificateData"), status("clientKeyData")];
  if ((cert === null) !== (key === null))
    throw failure(command, "gave a certificate without its key, or the other way round");
  if (token === null && cert === null) throw failure(command, "gave neither a token nor a certificate");
  return {
    ...(token !== null && { token }),
    ...(cert !== null && key !== null && { certData: base64(cert), keyData: base64(key) }),
    expiresAtMs: expiryIn(at(answer, "status", "expirationTimestamp"), command),
  };
}

function expiryIn(written: unknown, command: string): number | null {
  if (written === undefined || written === null || written === "0001-01-01T00:00:00Z") return null;
  const expiresAtMs = instantOf(written);
  if (expiresAtMs === null) throw failure(command, "gave an expirationTimestamp that is no time");
  return expiresAtMs;
}

/**
 * Looks up `command` in the PATH of `context.env`, because a kubeconfig can set another PATH for the plugin. See
 * `refreshCredsLocked` and `updateCommandAndCheckAllowlistLocked` (client-go v0.37.1,
 * plugin/pkg/client/auth/exec/exec.go). Assumed: if a user restricts plugins in kubectl's kuberc, the restriction is
 * meant for all programs that read the kubeconfig.
 */
export function allowedProgram(command: string, context: Pick<ChosenContext, "kuberc" | "env">): string | null {
  const name = normalize(command);
  const found = lookedUp(name, context.env);
  const preference = readPreference(context);
  const policy = textOf(preference["credentialPluginPolicy"]) ?? "AllowAll";
  const list = preference["credentialPluginAllowlist"];
  if (!["AllowAll", "DenyAll", "Allowlist"].includes(policy))
    throw new Error(`the kuberc has an unknown credentialPluginPolicy ${policy}`);
  if (policy === "Allowlist" ? objectsOf(list).length === 0 : list !== undefined && list !== null)
    throw new Error(`the kuberc's credentialPluginAllowlist does not go with its policy ${policy}`);
  const allowed = Array.isArray(list) ? list.map(allowedCommand) : [];
  const isListed = allowed.some(
    (entry) => entry === name || (found !== null && lookedUp(entry, context.env) === found),
  );
  if (policy === "DenyAll" || (policy === "Allowlist" && !isListed))
    throw new Error(`the kuberc does not allow the credential plugin ${command} (${policy})`);
  return found ?? (name.includes(sep) ? name : null);
}

/**
 * See `validateAllowlist` (client-go v0.37.1, plugin/pkg/client/auth/exec/exec.go) and
 * `Convert_v1beta1_AllowlistEntry_To_config_AllowlistEntry` (kubectl v0.37.1, pkg/config/v1beta1/conversion.go).
 */
function allowedCommand(entry: unknown): string {
  const name = textOf(at(entry, "name"));
  const command = textOf(at(entry, "command")) ?? name;
  const refused = (words: string) => new Error(`the kuberc's credentialPluginAllowlist has an entry ${words}`);
  if (command === null) throw refused("without a command");
  if (name !== null && name !== command) throw refused("with two commands");
  if (command === normalize(command) && !command.endsWith(sep)) return command;
  throw refused(`whose path is not normalized: ${command}`);
}

/** See `lookPath` (Go 1.26.8, src/os/exec/lp_unix.go and lp_windows.go). Unlike Go, skips relative folders in PATH. */
function lookedUp(command: string, env: Environment): string | null {
  const folders = command.includes(sep) ? [""] : (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const extensions = sep === "/" ? [] : (env["PATHEXT"] || ".com;.exe;.bat;.cmd").toLowerCase().split(";");
  const endings = sep === "/" || extname(command) !== "" ? ["", ...extensions] : extensions;
  const isExecutable = (path: string): boolean => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  };
  const paths = folders.flatMap((folder) => endings.map((ending) => join(folder, command) + ending));
  return paths.find(isExecutable) ?? null;
}

/**
 * See `DefaultGetPreferences` (kubectl v0.37.1, pkg/kuberc/kuberc.go). Unlike kubectl, accepts --kuberc together with
 * KUBERC=off, and refuses an unreadable ~/.kube/kuberc, because it may restrict the plugins.
 */
function readPreference({ kuberc, env }: Pick<ChosenContext, "kuberc" | "env">): JsonObject {
  if (env["KUBERC"] === "off" && kuberc === null) return {};
  const home = textOf(env["HOME"]) ?? textOf(env["USERPROFILE"]);
  const named = kuberc ?? textOf(env["KUBERC"]);
  const file = named ?? (home === null ? null : join(home, ".kube", "kuberc"));
  let documents: unknown[];
  try {
    documents = file === null ? [] : loadAll(readFileSync(file, "utf8"));
  } catch (error) {
    if (named === null && at(error, "code") === "ENOENT") return {};
    throw new Error(`the kuberc ${file} cannot be read`);
  }
  const isPreference = (document: unknown): boolean =>
    at(document, "kind") === "Preference" && /^kubectl\.config\.k8s\.io\//.test(String(at(document, "apiVersion")));
  const found = documents.find(isPreference);
  if (found === undefined && documents.some((document) => document !== null && document !== undefined))
    throw new Error(`there is no Preference in ${file}`);
  return fieldsOf(found);
}
