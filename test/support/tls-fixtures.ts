import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file of test/fixtures/tls, by its name. */
export function tlsFile(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

/** The certificate of all test servers (for localhost and 127.0.0.1, self-signed); clients can use it, too. */
export const CERTIFICATE = { file: tlsFile("cert.pem"), pem: readFileSync(tlsFile("cert.pem"), "utf8") } as const;

/** The certificate's key: a secret. */
export const KEY = { file: tlsFile("key.pem"), pem: readFileSync(tlsFile("key.pem"), "utf8") } as const;

export const SERVER_TLS = { cert: Buffer.from(CERTIFICATE.pem), key: Buffer.from(KEY.pem) } as const;
