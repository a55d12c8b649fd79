import { UserError } from "../errors.ts";
import { connectionsTo } from "./connections-to.ts";
import { impersonationHeaders } from "./impersonation.ts";
import type { ChosenContext } from "./kubeconfig.ts";
import type { Fields } from "./kubeconfig-files.ts";
import { plainCredentials } from "./plain-credentials.ts";
import type { Credentials } from "./renewable-credentials.ts";
import { isObject, textOf } from "./untrusted.ts";

/**
 * What a context's requests are sent with. Runs an exec plugin or renews a token, if need be; `signal` ends that. `nowMs`: the
 * local clock, by which a token expires. A UserError if it fails.
 */
export async function credentialsOf(
  context: ChosenContext,
  nowMs: () => number,
  signal?: AbortSignal,
): Promise<Credentials> {
  try {
    const { user, expiresAtMs, isGiven } = await obtainedUser(context, nowMs, signal);
    const { certificates, headers: own } = plainCredentials({ ...context, user });
    const connections = await connectionsTo(context, certificates);
    const uncompressed = context.cluster["disable-compression"] === true ? { "Accept-Encoding": "identity" } : {};
    const headers = { ...sendable(own), ...impersonationHeaders(user), ...uncompressed };
    const access = { headers, certificates, connections };
    return { access, expiresAtMs, isFromFiles: !isGiven && namesFiles(user, context.cluster) };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError("badCredentials", context.name, error instanceof Error ? error.message : String(error));
  }
}

interface ObtainedUser {
  readonly user: Fields;
  /** When what a plugin gave expires; null if it does not say so. */
  readonly expiresAtMs: number | null;
  /** Whether a plugin or provider was asked. */
  readonly isGiven: boolean;
}

/**
 * The user with what a plugin or provider gives in its place. Mirrors `UpdateTransportConfig` (client-go v0.37.1,
 * plugin/pkg/client/auth/exec/exec.go): a user who has a token, a name or a certificate needs no plugin.
 */
async function obtainedUser(context: ChosenContext, nowMs: () => number, signal?: AbortSignal): Promise<ObtainedUser> {
  const { exec, "auth-provider": provider, ...user } = context.user;
  const has = (...names: string[]): boolean => names.some((name) => textOf(user[name]) !== null);
  const isKnown = has("token", "tokenFile", "username");
  const oidc = isObject(provider) ? await import("./oidc.ts") : null;
  oidc?.requireUsableProvider(context.user);
  if (isObject(exec) && !isKnown && !has("client-certificate", "client-certificate-data")) {
    const { runExecPlugin } = await import("./exec-plugin.ts");
    const { fields, expiresAtMs } = await runExecPlugin(context, undefined, signal);
    return { user: { ...user, ...fields }, expiresAtMs, isGiven: true };
  }
  if (oidc === null || isKnown) return { user, expiresAtMs: null, isGiven: false };
  const { token, expiresAtMs } = await oidc.idTokenOf(context, nowMs(), signal);
  return { user: { ...user, token }, expiresAtMs, isGiven: true };
}

/** Files that somebody may write anew while the program runs. */
function namesFiles(user: Fields, cluster: Fields): boolean {
  const files = [user["tokenFile"], user["client-certificate"], user["client-key"], cluster["certificate-authority"]];
  return files.some((file) => textOf(file) !== null);
}

/** A token that was read from a file ends in a newline, which no header may have; within it there must be none. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  const texts = Object.entries(headers).map(([name, value]) => [name, value.trim()] as const);
  if (texts.some(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value)))
    throw new Error("the token has characters that no token may have, such as a line break");
  return Object.fromEntries(texts);
}
