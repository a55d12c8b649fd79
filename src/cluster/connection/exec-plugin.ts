import { spawn } from "node:child_process";
import { isatty } from "node:tty";
import { instantOf } from "../objects/timestamp.ts";
import { at, objectsOf, parsedJson, textOf } from "../objects/untrusted.ts";
import { type Credential, contentOf } from "./client-config.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import { type Fields, fieldsOf } from "./kubeconfig-files.ts";
import { requireAllowed } from "./plugin-policy.ts";

const API_GROUP = "client.authentication.k8s.io";
const VERSIONS = [`${API_GROUP}/v1`, `${API_GROUP}/v1beta1`];
const STDIN = 0;
/** In characters: certificates with their chains take some ten thousand. */
const MOST_OUTPUT = 2 ** 20;

/**
 * Runs the credential plugin of a context's user, if the kuberc allows it. Mirrors `refreshCredsLocked` (client-go v0.37.1,
 * plugin/pkg/client/auth/exec/exec.go): the plugin's stderr is the terminal's, because it may ask the user to log in; it gets
 * stdin if that is a terminal and interactiveMode allows it. An Error that says what is wrong if there is no credential.
 * `signal` ends the plugin.
 */
export async function runExecPlugin(
  context: ChosenContext,
  isTerminal = isatty(STDIN),
  signal?: AbortSignal,
): Promise<Credential> {
  const exec = fieldsOf(context.user["exec"]);
  const [command, version] = [textOf(exec["command"]) ?? "", textOf(exec["apiVersion"])];
  // Kubernetes 1.24 removed older versions. A plugin without one answers in its own, which kubectl refuses.
  if (version !== null && !VERSIONS.includes(version))
    throw new Error(`the credential plugin ${command} has an unknown apiVersion ${version}`);
  const isInteractive = mayAsk(exec, isTerminal);
  const own = objectsOf(exec["env"]).map(({ name, value }) => [String(name), String(value ?? "")]);
  const info = {
    kind: "ExecCredential",
    apiVersion: exec["apiVersion"],
    spec: { ...(exec["provideClusterInfo"] === true && { cluster: clusterInfo(context) }), interactive: isInteractive },
  };
  const env = { ...context.env, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  requireAllowed(command, context);
  return credentialIn(await outputOf(exec, env, isInteractive, signal), exec);
}

/** Mirrors `isInteractive` of the same file; IfAvailable, as in v1beta1, without a mode, which kubectl refuses in v1. */
function mayAsk(exec: Fields, isTerminal: boolean): boolean {
  const mode = textOf(exec["interactiveMode"]) ?? "IfAvailable";
  if (!["Never", "IfAvailable", "Always"].includes(mode))
    throw new Error(`the credential plugin has an unknown interactiveMode ${mode}`);
  if (mode === "Always" && !isTerminal)
    throw new Error(`the credential plugin ${textOf(exec["command"])} asks questions, and stdin is not a terminal`);
  return mode !== "Never" && isTerminal;
}

/** The cluster, for a plugin with provideClusterInfo. Mirrors `ConfigToExecCluster` (client-go v0.37.1, rest/exec.go). */
function clusterInfo({ server, cluster }: ChosenContext): Fields {
  const extension = objectsOf(cluster["extensions"]).find(({ name }) => name === `${API_GROUP}/exec`);
  return {
    server,
    "tls-server-name": textOf(cluster["tls-server-name"]) ?? undefined,
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"] === true ? true : undefined,
    "certificate-authority-data": contentOf(cluster, "certificate-authority") ?? undefined,
    "proxy-url": textOf(cluster["proxy-url"]) ?? undefined,
    "disable-compression": cluster["disable-compression"] === true ? true : undefined,
    config: extension?.["extension"] ?? null,
  };
}

function outputOf(exec: Fields, env: NodeJS.ProcessEnv, isInteractive: boolean, signal?: AbortSignal): Promise<string> {
  const command = textOf(exec["command"]) ?? "";
  const args = Array.isArray(exec["args"]) ? exec["args"].map(String) : [];
  return new Promise((resolve, reject) => {
    if (command === "") throw new Error("the credential plugin has no command");
    if ([command, ...args, ...Object.entries(env).flat()].some((text) => text?.includes("\0")))
      throw new Error(`the credential plugin ${command} does not start (a null byte is in its arguments or variables)`);
    const stdin = isInteractive ? "inherit" : "ignore";
    const plugin = spawn(command, args, { env, stdio: [stdin, "pipe", "inherit"], ...(signal && { signal }) });
    let output = "";
    plugin.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length <= MOST_OUTPUT) return;
      plugin.kill();
      reject(new Error(`the credential plugin ${command} prints more than any credential has`));
    });
    plugin.on("error", (error) => reject(startFailure(error, command, textOf(exec["installHint"]))));
    plugin.on("close", (code, signal) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`the credential plugin ${command} failed (${signal ?? `exit code ${code}`})`)),
    );
  });
}

function startFailure(error: Error, command: string, installHint: string | null): Error {
  if (at(error, "code") !== "ENOENT")
    return new Error(`the credential plugin ${command} does not start (${error.message})`);
  const hint = installHint === null ? "" : `. ${installHint}`;
  return new Error(`the credential plugin ${command} is not installed${hint}`);
}

/** The credential that a plugin has printed. Mirrors the second half of `refreshCredsLocked`. */
function credentialIn(output: string, exec: Fields): Credential {
  const plugin = `the credential plugin ${textOf(exec["command"])}`;
  const answer = parsedJson(output);
  if (at(answer, "kind") !== "ExecCredential") throw new Error(`${plugin} did not print an ExecCredential`);
  const [wanted, given] = [textOf(exec["apiVersion"]), textOf(at(answer, "apiVersion"))];
  if (wanted !== null && wanted !== given)
    throw new Error(
      `${plugin} is to answer in ${wanted}, and answered in ${/^([\w.]+\/)?v\w{1,8}$/.test(given ?? "") ? given : "something else"}`,
    );
  const status = (field: string): string | null => textOf(at(answer, "status", field));
  const [token, cert, key] = [status("token"), status("clientCertificateData"), status("clientKeyData")];
  if ((cert === null) !== (key === null))
    throw new Error(`${plugin} gave a certificate without its key, or the other way round`);
  if (token === null && cert === null) throw new Error(`${plugin} gave neither a token nor a certificate`);
  return {
    ...(token !== null && { token }),
    ...(cert !== null && key !== null && { cert, key }),
    expiresAtMs: expiryIn(answer, plugin),
  };
}

/** Null for no expiry or Go's zero time. A value that is no time is an error: the program would use the credential for too long. */
function expiryIn(answer: unknown, plugin: string): number | null {
  const written = at(answer, "status", "expirationTimestamp");
  if (written === undefined || written === null || written === "0001-01-01T00:00:00Z") return null;
  const expiresAtMs = instantOf(written);
  if (expiresAtMs === null) throw new Error(`${plugin} gave an expirationTimestamp that is no time`);
  return expiresAtMs;
}
