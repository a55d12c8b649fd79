import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function tlsFile(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

/** Self-signed, for localhost and 127.0.0.1. */
export const CERTIFICATE = { file: tlsFile("cert.pem"), pem: readFileSync(tlsFile("cert.pem"), "utf8") } as const;

export const KEY = { file: tlsFile("key.pem"), pem: readFileSync(tlsFile("key.pem"), "utf8") } as const;

export const SERVER_TLS = { cert: Buffer.from(CERTIFICATE.pem), key: Buffer.from(KEY.pem) } as const;
