import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The path of a file of test/fixtures/tls, by its name. */
export function tlsFile(name: string): string {
  return fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
}

/** The certificate that all servers of tests have (for localhost and 127.0.0.1, by itself), and that clients can have, too. */
export const CERTIFICATE = { file: tlsFile("cert.pem"), pem: readFileSync(tlsFile("cert.pem"), "utf8") } as const;

/** The key of the certificate: a secret. */
export const KEY = { file: tlsFile("key.pem"), pem: readFileSync(tlsFile("key.pem"), "utf8") } as const;

/** Certificate and key as options of a server. */
export const SERVER_TLS = { cert: Buffer.from(CERTIFICATE.pem), key: Buffer.from(KEY.pem) } as const;
