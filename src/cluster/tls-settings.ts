import tls from "node:tls";
import type { Fields } from "./kubeconfig-files.ts";
import { textOf } from "./untrusted.ts";

/** How TLS is spoken with a server: what both ways of asking it take. */
export interface TlsSettings {
  readonly secureContext: tls.SecureContext;
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
}

/** Those that a cluster asks for. The context is made here, once: an agent would read all certificates anew for each connection. */
export function tlsSettings(cluster: Fields, certificates: tls.SecureContextOptions): TlsSettings {
  const servername = textOf(cluster["tls-server-name"]);
  return {
    secureContext: tls.createSecureContext(certificates),
    ...(cluster["insecure-skip-tls-verify"] === true && { rejectUnauthorized: false }),
    ...(servername !== null && { servername }),
  };
}
