import tls from "node:tls";
import type { Environment, Fields } from "./kubeconfig-files.ts";
import { textOf } from "./untrusted.ts";

/** How TLS is spoken with a server: what both ways of asking it take. */
export interface TlsSettings {
  readonly secureContext: tls.SecureContext;
  readonly rejectUnauthorized?: boolean;
  readonly servername?: string;
}

/**
 * Those that a cluster asks for. Who is trusted is in `certificates`, else the system says it. The context is made here, once:
 * an agent would read all certificates anew for each connection.
 */
export async function tlsSettings(
  cluster: Fields,
  certificates: tls.SecureContextOptions,
  env: Environment,
): Promise<TlsSettings> {
  const isVerified = cluster["insecure-skip-tls-verify"] !== true;
  const servername = textOf(cluster["tls-server-name"]);
  return {
    secureContext: isVerified ? await trustingContext(certificates, env) : tls.createSecureContext(certificates),
    ...(!isVerified && { rejectUnauthorized: false }),
    ...(servername !== null && { servername }),
  };
}

async function trustingContext(certificates: tls.SecureContextOptions, env: Environment): Promise<tls.SecureContext> {
  // As Go does, OpenSSL is to trust whatever is named, also what another has signed.
  if (certificates.ca !== undefined) return tls.createSecureContext({ ...certificates, allowPartialTrustChain: true });
  // Here, not at the top: hardly a kubeconfig leaves it to the system.
  const { systemContext } = await import("./system-trust.ts");
  return systemContext(env, certificates);
}
