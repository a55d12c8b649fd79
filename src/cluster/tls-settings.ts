import { isIP } from "node:net";
import tls from "node:tls";
import type { Environment, Fields } from "./kubeconfig-files.ts";
import { textOf } from "./untrusted.ts";

/** How TLS is spoken with a server: what both ways of asking it take. */
export interface TlsSettings {
  readonly secureContext: tls.SecureContext;
  /** Always said, for NODE_TLS_REJECT_UNAUTHORIZED would count otherwise, which is not meant for this program. */
  readonly rejectUnauthorized: boolean;
  /** Empty: none is sent. */
  readonly servername?: string;
  readonly checkServerIdentity?: typeof tls.checkServerIdentity;
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
  return {
    secureContext: isVerified ? await trustingContext(certificates, env) : tls.createSecureContext(certificates),
    rejectUnauthorized: isVerified,
    ...expectedName(textOf(cluster["tls-server-name"])),
  };
}

/** An address is not sent, as by Go, for no server may choose its certificate by one (RFC 6066); it is expected all the same. */
function expectedName(name: string | null): Partial<TlsSettings> {
  if (name === null) return {};
  if (isIP(name) === 0) return { servername: name };
  return { servername: "", checkServerIdentity: (_, certificate) => tls.checkServerIdentity(name, certificate) };
}

async function trustingContext(certificates: tls.SecureContextOptions, env: Environment): Promise<tls.SecureContext> {
  // As Go does, OpenSSL is to trust whatever is named, also what another has signed.
  if (certificates.ca !== undefined) return tls.createSecureContext({ ...certificates, allowPartialTrustChain: true });
  // Here, not at the top: hardly a kubeconfig leaves it to the system.
  const { systemContext } = await import("./system-trust.ts");
  return systemContext(env, certificates);
}
