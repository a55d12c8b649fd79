import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import type { Environment } from "./kubeconfig-files.ts";

/** Mirrors `certDirectories` (Go 1.26.8, src/crypto/x509/root_linux.go). */
const FOLDERS = ["/etc/ssl/certs", "/etc/pki/tls/certs"];
const CERTIFICATE = /^-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)^-----END CERTIFICATE-----/gm;

/** Returns PEM. On macOS and Windows, Node may not find all authorities of the system. */
export function systemAuthorities(env: Environment, system: string = platform()): string[] {
  const extra = tls.getCACertificates("extra");
  const hasStore = system === "darwin" || system === "win32";
  if (!hasStore && (env["SSL_CERT_FILE"] || env["SSL_CERT_DIR"])) return certificatesIn([...namedTexts(env), ...extra]);
  const own = tls.getCACertificates("system");
  const bundled = hasStore || own.length === 0 ? tls.getCACertificates("bundled") : [];
  return certificatesIn([...own, ...bundled, ...extra]);
}

/**
 * See `loadSystemRoots` (Go 1.26.8, src/crypto/x509/root_unix.go). If only SSL_CERT_DIR is set, Go also reads a file of
 * its list `certFiles`. This function reads `FOLDERS` instead.
 */
function namedTexts({ SSL_CERT_FILE: file, SSL_CERT_DIR: named }: Environment): string[] {
  const folders = [...(named?.split(":") ?? []), ...(file && named ? [] : FOLDERS)];
  const files = folders.flatMap((folder) => orNone(() => readdirSync(folder).map((name) => join(folder, name))));
  return [...(file ? [file] : []), ...files].flatMap((path) => orNone(() => [readFileSync(path, "latin1")]));
}

function certificatesIn(texts: readonly string[]): string[] {
  const bodies = texts.flatMap((text) => Array.from(text.matchAll(CERTIFICATE), ([, body = ""]) => body));
  const unique = new Set(bodies.map((body) => body.replaceAll(/\s+/g, "")));
  return [...unique].flatMap((body) => orNone(() => [new X509Certificate(Buffer.from(body, "base64")).toString()]));
}

function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
