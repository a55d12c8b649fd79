import { expect } from "vitest";
import { type ConnectOptions, connect } from "../../src/cluster/api/connect.ts";
import { FAR_SECONDS, type IdentityProvider, jwt } from "./identity-provider.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { SERVER_TLS, tinyServer } from "./tiny-server.ts";

/** What time it is for whoever asks. */
export const NOW_SECONDS = 1_800_000_000;
/** The token that the kubeconfig has. */
export const EXPIRED = jwt(1, "old");
/** The token that the provider gives. */
export const RENEWED = jwt(FAR_SECONDS, "renewed");
/** How a kubeconfig says that the provider is to be trusted. */
export const TRUSTED = { "idp-certificate-authority-data": SERVER_TLS.cert.toString("base64") } as const;

/** The auth-provider of a user whose provider this is. */
export function oidc(provider: Pick<IdentityProvider, "url">, config: object = {}): object {
  const own = { "idp-issuer-url": provider.url, "client-id": "me", "client-secret": "s/ecret", ...TRUSTED };
  return { name: "oidc", config: { ...own, "id-token": EXPIRED, "refresh-token": "r1", ...config } };
}

/** What a test may want otherwise. */
interface Otherwise {
  readonly options?: Partial<ConnectOptions>;
  /** More fields of the user, and of the cluster. */
  readonly user?: object;
  readonly cluster?: object;
}

/** A cluster, and a user with this provider: how to ask it something, what it was sent, and what it is to refuse. */
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

/** What a user is told who has this provider, after the name of the context; without secrets, and the cluster is not asked. */
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
