import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { isatty } from "node:tty";
import { type ExecCredential, execCredential } from "./exec-credential.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import { type Fields, fieldsOf } from "./kubeconfig-files.ts";
import { requireAllowed } from "./plugin-policy.ts";
import { at, objectsOf, textOf } from "./untrusted.ts";

const API_GROUP = "client.authentication.k8s.io";
const VERSIONS = [`${API_GROUP}/v1`, `${API_GROUP}/v1beta1`];
const STDIN = 0;

/**
 * Runs the credential plugin of a context's user, if the kuberc allows it: what it answers. Mirrors `refreshCredsLocked`
 * (client-go v0.37.1, plugin/pkg/client/auth/exec/exec.go): what the plugin writes to stderr is shown as it comes, for it may
 * ask to log in; it gets stdin if that is a terminal and interactiveMode allows it. An Error that says what is wrong if there
 * is no credential. `signal` ends the plugin.
 */
export async function runExecPlugin(
  context: ChosenContext,
  isTerminal = isatty(STDIN),
  signal?: AbortSignal,
): Promise<ExecCredential> {
  const exec = fieldsOf(context.user["exec"]);
  requireKnownVersion(exec);
  const isInteractive = mayAsk(exec, isTerminal);
  const own = objectsOf(exec["env"]).map(({ name, value }) => [String(name), String(value ?? "")]);
  const info = {
    kind: "ExecCredential",
    apiVersion: exec["apiVersion"],
    spec: { ...(exec["provideClusterInfo"] === true && { cluster: clusterInfo(context) }), interactive: isInteractive },
  };
  const env = { ...context.env, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  requireAllowed(textOf(exec["command"]) ?? "", context);
  return execCredential(await outputOf(exec, env, isInteractive, signal), exec);
}

/** Older versions are gone since Kubernetes 1.24; without one the plugin's own is taken, which kubectl refuses. */
function requireKnownVersion(exec: Fields): void {
  const version = textOf(exec["apiVersion"]);
  if (version !== null && !VERSIONS.includes(version))
    throw new Error(`the credential plugin ${textOf(exec["command"])} has an unknown apiVersion ${version}`);
}

/** Mirrors `isInteractive` of the same file; without a mode, which kubectl refuses in v1, it is IfAvailable as in v1beta1. */
function mayAsk(exec: Fields, isTerminal: boolean): boolean {
  const mode = textOf(exec["interactiveMode"]) ?? "IfAvailable";
  if (!["Never", "IfAvailable", "Always"].includes(mode))
    throw new Error(`the credential plugin has an unknown interactiveMode ${mode}`);
  if (mode === "Always" && !isTerminal)
    throw new Error(`the credential plugin ${textOf(exec["command"])} asks questions, and stdin is not a terminal`);
  return mode !== "Never" && isTerminal;
}

/** What a plugin with provideClusterInfo learns of the server (`ConfigToExecCluster`, client-go v0.37.1, rest/exec.go). */
function clusterInfo({ server, cluster }: ChosenContext): Fields {
  const file = textOf(cluster["certificate-authority"]);
  const data =
    textOf(cluster["certificate-authority-data"]) ?? (file === null ? null : readFileSync(file).toString("base64"));
  const extension = objectsOf(cluster["extensions"]).find(({ name }) => name === `${API_GROUP}/exec`);
  return {
    server,
    "tls-server-name": textOf(cluster["tls-server-name"]) ?? undefined,
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"] === true ? true : undefined,
    "certificate-authority-data": data ?? undefined,
    "proxy-url": textOf(cluster["proxy-url"]) ?? undefined,
    "disable-compression": cluster["disable-compression"] === true ? true : undefined,
    config: extension?.["extension"] ?? null,
  };
}

/** Characters: certificates with their chains take some ten thousand. */
const MOST_OUTPUT = 2 ** 20;

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
