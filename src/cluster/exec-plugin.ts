import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { isatty } from "node:tty";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Fields } from "./kubeconfig-files.ts";
import { at, isObject, objectsOf, textOf } from "./untrusted.ts";

const API_GROUP = "client.authentication.k8s.io";
const STDIN = 0;

/**
 * Runs the credential plugin of a context's user: its answer as the fields of a user, a token or a certificate with its key.
 * Mirrors `refreshCredsLocked` (client-go v0.37.1, plugin/pkg/client/auth/exec/exec.go): what the plugin writes to stderr is
 * shown as it comes, for it may ask to log in; it gets stdin if that is a terminal and interactiveMode allows it. An Error
 * that says what is wrong if there is no credential.
 */
export async function runExecPlugin(context: ChosenContext, isTerminal = isatty(STDIN)): Promise<Fields> {
  const exec = fieldsOf(context.user["exec"]);
  const isInteractive = mayAsk(exec, isTerminal);
  const own = objectsOf(exec["env"]).map(({ name, value }) => [String(name), String(value ?? "")]);
  const info = {
    kind: "ExecCredential",
    apiVersion: exec["apiVersion"],
    spec: { ...(exec["provideClusterInfo"] === true && { cluster: clusterInfo(context) }), interactive: isInteractive },
  };
  const env = { ...context.env, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  return credentialIn(await outputOf(exec, env, isInteractive), exec);
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
    config: extension?.["extension"] ?? null,
  };
}

function outputOf(exec: Fields, env: NodeJS.ProcessEnv, isInteractive: boolean): Promise<string> {
  const command = textOf(exec["command"]) ?? "";
  const args = Array.isArray(exec["args"]) ? exec["args"].map(String) : [];
  return new Promise((resolve, reject) => {
    if (command === "") throw new Error("the credential plugin has no command");
    const plugin = spawn(command, args, { env, stdio: [isInteractive ? "inherit" : "ignore", "pipe", "inherit"] });
    let output = "";
    plugin.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
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

function credentialIn(output: string, exec: Fields): Fields {
  const command = textOf(exec["command"]);
  const answer = parsed(output);
  if (at(answer, "kind") !== "ExecCredential")
    throw new Error(`the credential plugin ${command} did not print an ExecCredential`);
  const [wanted, given] = [textOf(exec["apiVersion"]), textOf(at(answer, "apiVersion"))];
  if (wanted !== null && wanted !== given)
    throw new Error(`the credential plugin ${command} is to answer in ${wanted}, and answered in ${given}`);
  const [token, certificate, key] = ["token", "clientCertificateData", "clientKeyData"].map((field) =>
    textOf(at(answer, "status", field)),
  );
  if ((certificate === null) !== (key === null))
    throw new Error(`the credential plugin ${command} gave a certificate without its key, or the other way round`);
  if (!token && !certificate)
    throw new Error(`the credential plugin ${command} gave neither a token nor a certificate`);
  return {
    ...(token && { token }),
    ...(certificate && key && { "client-certificate-data": base64(certificate), "client-key-data": base64(key) }),
  };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}
