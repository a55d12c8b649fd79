import { expect } from "vitest";
import { type ConnectOptions, connect } from "../../src/cluster/api/connect.ts";
import { FAR_SECONDS, type IdentityProvider, jwt } from "./identity-provider.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { SERVER_TLS, tinyServer } from "./tiny-server.ts";

/** The program's clock, in Unix seconds. */
export const NOW_SECONDS = 1_800_000_000;
/** The id token in the kubeconfig. */
export const EXPIRED = jwt(1, "old");
/** The token that the provider gives. */
export const RENEWED = jwt(FAR_SECONDS, "renewed");
/** The provider's authority in the kubeconfig. */
export const TRUSTED = { "idp-certificate-authority-data": SERVER_TLS.cert.toString("base64") } as const;

/** The auth-provider of a kubeconfig's user, with an expired id token and a refresh token. */
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

/** Starts a cluster for a user of this provider. `bearers` has the tokens that came; those in `refused` get 401. */
export async function oidcCluster(authProvider: object, { options, user, cluster }: Otherwise = {}) {
  const bearers: string[] = [];
  const refused = new Set<string>();
  const { url } = await tinyServer(
    ({ headers }, response) => {
      const bearer = headers.authorization?.replace("Bearer ", "") ?? "none";
      bearers.push(bearer);
      response.writeHead(refused.has(bearer) ? 401 : 200).end("{}");
    },
    { tls: true },
  );
  const server = { server: url, "certificate-authority-data": SERVER_TLS.cert.toString("base64"), ...cluster };
  const kubeconfig = writeKubeconfig(server, { "auth-provider": authProvider, ...user });
  const nowMs = (): number => NOW_SECONDS * 1000;
  const { get } = connect({ kubeconfig, env: {}, nowMs, ...options });
  return { get: () => get("/api"), bearers, refused, kubeconfig };
}

/** The error's first line after the name of the context. Expects that it has no secrets, and that the cluster was not asked. */
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
