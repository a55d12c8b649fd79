import type { Fields } from "./kubeconfig-files.ts";
import { instantOf } from "./timestamp.ts";
import { at, parsedJson, textOf } from "./untrusted.ts";

/** What a credential plugin has given. */
export interface ExecCredential {
  /** Fields of a user: a token, or a certificate with its key, or both. */
  readonly fields: Fields;
  /** Null if it does not expire. */
  readonly expiresAtMs: number | null;
}

/**
 * Reads what a plugin has printed. Mirrors the second half of `refreshCredsLocked` (client-go v0.37.1,
 * plugin/pkg/client/auth/exec/exec.go). An Error that says what is wrong if there is no credential.
 */
export function execCredential(output: string, exec: Fields): ExecCredential {
  const plugin = `the credential plugin ${textOf(exec["command"])}`;
  const answer = parsedJson(output);
  if (at(answer, "kind") !== "ExecCredential") throw new Error(`${plugin} did not print an ExecCredential`);
  const [wanted, given] = [textOf(exec["apiVersion"]), textOf(at(answer, "apiVersion"))];
  if (wanted !== null && wanted !== given)
    throw new Error(
      `${plugin} is to answer in ${wanted}, and answered in ${/^([\w.]+\/)?v\w{1,8}$/.test(given ?? "") ? given : "something else"}`,
    );
  const [token, certificate, key] = ["token", "clientCertificateData", "clientKeyData"].map((field) =>
    textOf(at(answer, "status", field)),
  );
  if ((certificate === null) !== (key === null))
    throw new Error(`${plugin} gave a certificate without its key, or the other way round`);
  if (!token && !certificate) throw new Error(`${plugin} gave neither a token nor a certificate`);
  const fields = {
    ...(token && { token }),
    ...(certificate && key && { "client-certificate-data": base64(certificate), "client-key-data": base64(key) }),
  };
  return { fields, expiresAtMs: expiryIn(answer, plugin) };
}

/** Go's zero value is none. A wrong one is an error: whoever ignores it uses credentials for too long. */
function expiryIn(answer: unknown, plugin: string): number | null {
  const written = at(answer, "status", "expirationTimestamp");
  if (written === undefined || written === null || written === "0001-01-01T00:00:00Z") return null;
  const expiresAtMs = instantOf(written);
  if (expiresAtMs === null) throw new Error(`${plugin} gave an expirationTimestamp that is no time`);
  return expiresAtMs;
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
