import { expect } from "vitest";
import { type ConnectOptions, connect } from "../../src/cluster/api/connect.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { FAR_SECONDS, type IdentityProvider, jwt } from "./provider-for-test.ts";
import { callersServer } from "./tiny-server.ts";
import { SERVER_TLS } from "./tls-fixtures.ts";

export const NOW_SECONDS = 1_800_000_000;
export const EXPIRED = jwt(1, "old");
export const RENEWED = jwt(FAR_SECONDS, "renewed");
export const TRUSTED = { "idp-certificate-authority-data": SERVER_TLS.cert.toString("base64") } as const;

export function oidc(provider: Pick<IdentityProvider, "url">, config: object = {}): object {
  const own = { "idp-issuer-url": provider.url, "client-id": "me", "client-secret": "s/ecret", ...TRUSTED };
  return { name: "oidc", config: { ...own, "id-token": EXPIRED, "refresh-token": "r1", ...config } };
}

interface Otherwise {
  readonly options?: Partial<ConnectOptions>;
  readonly user?: object;
  readonly cluster?: object;
}

/**
 * The cluster answers 401 to the tokens that a test adds to `refused`. `bearers` are the tokens that the cluster got.
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
 * Returns the error message without the context's name. Fails the test if the message has one of the secrets, or if the
 * cluster got a request.
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
