import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import type { Environment } from "./kubeconfig-files.ts";

/** The first of them that can be read counts. Mirrors `certFiles` (Go 1.26.8, src/crypto/x509/root_linux.go). */
const FILES = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/tls/cacert.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

/** All of them count, beside the file. Mirrors `certDirectories` of the same file. */
const FOLDERS = ["/etc/ssl/certs", "/etc/pki/tls/certs"];

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";
const CERTIFICATE = new RegExp(`^${BEGIN}([A-Za-z0-9+/=\\s]+)^${END}`, "gm");

/** By what the environment says of places. */
const known = new Map<string, readonly string[]>();
const plainContexts = new Map<string, tls.SecureContext>();

/** A context that trusts the system's certificate authorities. They are read once in a run, as by Go, and parsed as seldom as possible. */
export function systemContext(env: Environment, { cert, key }: tls.SecureContextOptions): tls.SecureContext {
  const places = JSON.stringify([env["SSL_CERT_FILE"], env["SSL_CERT_DIR"]]);
  const made = plainContexts.get(places);
  const isPlain = cert === undefined && key === undefined;
  if (made !== undefined && isPlain) return made;
  const ca = known.get(places) ?? systemAuthorities(env);
  known.set(places, ca);
  const context = tls.createSecureContext({
    ca: [...ca],
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    allowPartialTrustChain: true,
  });
  if (isPlain) plainContexts.set(places, context);
  return context;
}

/**
 * The certificates, as PEM and each once, that kubectl trusts where nothing names others, and those of NODE_EXTRA_CA_CERTS.
 * On macOS and Windows the system's store holds, for Node, only what somebody has added and what was needed before, where Go
 * lets the system itself verify; so those that come with Node are trusted too.
 */
export function systemAuthorities(env: Environment, system: string = platform()): readonly string[] {
  const hasStore = system === "darwin" || system === "win32";
  const own = hasStore ? [...tls.getCACertificates("bundled"), ...tls.getCACertificates("system")] : installed(env);
  return certificatesIn([...own, ...tls.getCACertificates("extra")]);
}

/**
 * Mirrors `loadSystemRoots` (Go 1.26.8, src/crypto/x509/root_unix.go), which Node's own reading of the system does not: that
 * knows one file, no list in SSL_CERT_DIR, and says on stderr what is missing. Different on purpose: a system without any store,
 * such as a slim container, says nothing of whom to trust, and kubectl trusts nobody; here those count that come with Node. A
 * store that is named, or is there and empty, says it: then nobody is trusted here either. `files`, `folders`: the usual places.
 */
export function installed(env: Environment, files = FILES, folders = FOLDERS): readonly string[] {
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: list } = env;
  const places = file ? [file] : files;
  const more = (list ? list.split(":") : folders).flatMap(textsIn);
  const certificates = certificatesIn([firstTextOf(places), ...more]);
  const isSaid = file || list || places.some((place) => existsSync(place)) || certificates.length > 0;
  return isSaid ? certificates : tls.getCACertificates("bundled");
}

function firstTextOf(files: readonly string[]): string {
  for (const file of files) {
    const text = textIn(file);
    if (text !== null) return text;
  }
  return "";
}

function textIn(file: string): string | null {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return null;
  }
}

/** What is in a folder's files. Links within it are other names of them: `isSameDirSymlink` of the same file. */
function textsIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => !(entry.isSymbolicLink() && !readlinkSync(join(folder, entry.name)).includes("/")))
      .map(({ name }) => textIn(join(folder, name)) ?? "");
  } catch {
    return [];
  }
}

/** Each once, and in lines of 64 characters: OpenSSL knows no long ones, and the same certificate is then the same text. */
function certificatesIn(texts: readonly string[]): string[] {
  const blocks = new Set(texts.flatMap((text) => Array.from(text.matchAll(CERTIFICATE), ([, body = ""]) => body)));
  const bodies = new Set(Array.from(blocks, (body) => body.replaceAll(/\s+/g, "")));
  return Array.from(bodies, (body) => `${BEGIN}\n${(body.match(/.{1,64}/g) ?? []).join("\n")}\n${END}\n`);
}
