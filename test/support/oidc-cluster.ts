import { expect } from "vitest";
import { type ConnectOptions, connect } from "../../src/cluster/api/connect.ts";
import { FAR_SECONDS, type IdentityProvider, jwt } from "./identity-provider.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { callersServer } from "./tiny-server.ts";
import { SERVER_TLS } from "./tls-fixtures.ts";

export const NOW_SECONDS = 1_800_000_000;
export const EXPIRED = jwt(1, "old");
export const RENEWED = jwt(FAR_SECONDS, "renewed");
/** The kubeconfig's certificate authority of the provider. */
export const TRUSTED = { "idp-certificate-authority-data": SERVER_TLS.cert.toString("base64") } as const;

/** The auth-provider of a user with this provider. */
export function oidc(provider: Pick<IdentityProvider, "url">, config: object = {}): object {
  const own = { "idp-issuer-url": provider.url, "client-id": "me", "client-secret": "s/ecret", ...TRUSTED };
  return { name: "oidc", config: { ...own, "id-token": EXPIRED, "refresh-token": "r1", ...config } };
}

interface Otherwise {
  readonly options?: Partial<ConnectOptions>;
  /** More fields of the user, and of the cluster. */
  readonly user?: object;
  readonly cluster?: object;
}

/**
 * A cluster, and a user with this provider. `bearers` are the tokens that the cluster got; a test adds to `refused` the
 * tokens that get a 401.
 */
export async function oidcCluster(authProvider: object, { options, user, cluster }: Otherwise = {}) {
  const refused = new Set<string>();
  const { url, callers } = await callersServer((caller) => refused.has(caller));
  const server = { server: url, "certificate-authority-data": SERVER_TLS.cert.toString("base64"), ...cluster };
  const kubeconfig = writeKubeconfig(server, { "auth-provider": authProvider, ...user });
  const nowMs = (): number => NOW_SECONDS * 1000;
  const { get } = connect({ kubeconfig, env: {}, nowMs, ...options });
  return { get: () => get("/api"), bearers: callers, refused, kubeconfig };
}

/**
 * Returns the error of a user with this provider, without the context's name. Expects that no secret is in it, and that
 * the cluster gets no request.
 */
export async function oidcFailure(authProvider: object, otherwise: Otherwise = {}): Promise<string> {
  const { get, bearers } = await oidcCluster(authProvider, otherwise);
  const error: unknown = await get().catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "badCredentials" });
  expect(bearers).toEqual([]);
  const { message } = error as Error;
  for (const secret of ["s/ecret", "s%2Fecret", "r1", EXPIRED, RENEWED]) expect(message).not.toContain(secret);
  const [line = ""] = message.replaceAll(/127\.0\.0\.1:\d+/g, "HOST").split("\n");
  return line.replace(/^[^:]*: /, "");
}
