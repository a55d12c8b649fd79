import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const file = (name: string): string => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

/** The certificate that all servers here have, and that clients can have too: its file, and what is in it. */
export const CERTIFICATE = { file: file("cert.pem"), pem: readFileSync(file("cert.pem"), "utf8") } as const;

/** Its key: a secret. */
export const KEY = { file: file("key.pem"), pem: readFileSync(file("key.pem"), "utf8") } as const;
