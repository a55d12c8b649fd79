import type { User } from "@kubernetes/client-node";
import { UserError } from "../../errors.ts";
import { fieldsOf, isObject, type JsonObject, textOf } from "../objects/json-access.ts";
import { basicHeader, type Credential, clientOptions, contentOf, loadClient, readSecret } from "./client-config.ts";
import type { Headers } from "./http.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import { hasText } from "./kubeconfig-files.ts";
import type { Credentials } from "./renewable-credentials.ts";
import { RequestFailure } from "./request-failure.ts";
import { timeLimit } from "./retry.ts";
import { ServerConnections } from "./server-connections.ts";
import type { Timers } from "./timers.ts";

/** The limit is high, because a credential plugin may open a browser and wait for the user's login. */
const DEFAULT_PLUGIN_TIMEOUT_MS = 300_000;
const DEFAULT_PROVIDER_TIMEOUT_MS = 30_000;

export async function credentialsInTime(
  context: ChosenContext,
  requestTimeoutMs: number | undefined,
  timers: Timers,
  nowMs: () => number,
): Promise<Credentials> {
  await loadClient();
  const limitMs =
    requestTimeoutMs ?? (isObject(context.user["exec"]) ? DEFAULT_PLUGIN_TIMEOUT_MS : DEFAULT_PROVIDER_TIMEOUT_MS);
  const limit = timeLimit(limitMs, timers);
  try {
    return await limit.bind(() => credentialsOf(context, timers, nowMs, limit.signal));
  } catch (error) {
    if (error instanceof UserError) throw error;
    const isLate = error instanceof RequestFailure && error.kind === "timeout";
    const cause = error instanceof Error ? error.message : String(error);
    throw new UserError("badCredentials", context.name, isLate ? `there are none after ${limitMs / 1000}s` : cause);
  }
}

async function credentialsOf(
  context: ChosenContext,
  timers: Timers,
  nowMs: () => number,
  signal: AbortSignal,
): Promise<Credentials> {
  const { cluster, user, server, env } = context;
  const obtained = await obtainedCredential(context, nowMs, signal);
  const { expiresAtMs = null, ...secrets } = obtained ?? {};
  const { headers, certificates, agent } = await clientOptions(context, { ...staticUser(context), ...secrets });
  const uncompressed = cluster["disable-compression"] === true ? { "Accept-Encoding": "identity" } : {};
  const namesFiles =
    hasText(user, "tokenFile", "client-certificate", "client-key") || hasText(cluster, "certificate-authority");
  return {
    headers: { ...sendable(headers), ...addressHeader(server), ...impersonationHeaders(user), ...uncompressed },
    certificates,
    connections: new ServerConnections(agent, server, timers, env),
    expiresAtMs,
    isFromFiles: obtained === null && namesFiles,
  };
}

/**
 * See `UpdateTransportConfig` (client-go v0.37.1, plugin/pkg/client/auth/exec/exec.go). A client certificate rules out
 * a plugin, but not an OIDC provider.
 */
async function obtainedCredential(
  context: ChosenContext,
  nowMs: () => number,
  signal: AbortSignal,
): Promise<Credential | null> {
  const { user } = context;
  // The program imports oidc.ts and exec-plugin.ts only for a kubeconfig user that needs them.
  const oidc = isObject(user["auth-provider"]) ? await import("./oidc.ts") : null;
  oidc?.requireUsableProvider(user);
  if (hasText(user, "token", "tokenFile", "username")) return null;
  if (isObject(user["exec"]) && !hasText(user, "client-certificate", "client-certificate-data")) {
    const { runExecPlugin } = await import("./exec-plugin.ts");
    return runExecPlugin(context, signal);
  }
  return oidc === null ? null : oidc.idTokenOf(context, nowMs(), signal);
}

function staticUser({ user }: ChosenContext): Omit<User, "name"> {
  const username = textOf(user["username"]);
  const certData = contentOf(user, "client-certificate");
  const fields = {
    certData,
    keyData: certData === null ? null : contentOf(user, "client-key"),
    token: tokenOf(user),
    username,
    password: username === null ? null : (textOf(user["password"]) ?? ""),
    impersonateUser: textOf(user["as"]),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/**
 * As in `bearerAuthRoundTripper` (client-go v0.37.1, transport/round_trippers.go), a token in `tokenFile` wins over
 * `token`.
 */
function tokenOf(user: JsonObject): string | null {
  const [file, token] = [textOf(user["tokenFile"]), textOf(user["token"])];
  if (file === null) return token;
  try {
    const written = readSecret(file, "tokenFile").toString("utf8").trim();
    if (written === "") throw new Error("the file that tokenFile names should hold a token, and is empty");
    return written;
  } catch (error) {
    if (token === null) throw error;
    return token;
  }
}

function sendable({ Authorization, ...others }: Readonly<Record<string, string>>): Record<string, string> {
  if (Authorization === undefined) return others;
  const value = Authorization.trim();
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new Error("the token has characters that no token may have, such as a line break");
  return { ...others, Authorization: value };
}

/**
 * As in kubectl, a name and password in the server's address win over the user's credentials: `send` (Go 1.26.8,
 * src/net/http/client.go) comes before `bearerAuthRoundTripper` (client-go v0.37.1, transport/round_trippers.go).
 */
function addressHeader(server: string): Headers {
  const { username, password } = new URL(server);
  if (username === "" && password === "") return {};
  return basicHeader([username, password].map(decoded).join(":"));
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error("the name or password in the server's address has a % that does not begin a character's code");
  }
}

/**
 * See `impersonatingRoundTripper` (client-go v0.37.1, transport/round_trippers.go). Leaves out Impersonate-User, which
 * client-node sends.
 */
function impersonationHeaders(user: JsonObject): Headers {
  if (!hasText(user, "as")) return {};
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  const uid = textOf(user["as-uid"]);
  const groups = texts(user["as-groups"]);
  const extras = Object.entries(fieldsOf(user["as-user-extra"]));
  return {
    ...(uid !== null && { "Impersonate-Uid": uid }),
    ...(groups.length > 0 && { "Impersonate-Group": groups }),
    ...Object.fromEntries(extras.map(([key, values]) => [`Impersonate-Extra-${escapedKey(key)}`, texts(values)])),
  };
}

/** Mirrors `headerKeyEscape` (client-go v0.37.1, transport/round_trippers.go). */
function escapedKey(key: string): string {
  const percentEncoded = (letter: string): string =>
    Buffer.from(letter).toString("hex").toUpperCase().replaceAll(/../g, "%$&");
  return key.replaceAll(/[^!#$&'*+\-.0-9A-Z^_`a-z|~]/gu, percentEncoded);
}
