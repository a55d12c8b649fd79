import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { NOW_SECONDS, oidc, oidcCluster, oidcFailure, RENEWED } from "../support/oidc-cluster.ts";
import { FAR_SECONDS, identityProvider, jwt, tokens } from "../support/provider-for-test.ts";

describe("an id token of `auth-provider: oidc`", () => {
  it.each([
    { inSeconds: 11, asked: 0, why: "is used as it is" },
    { inSeconds: 10, asked: 1, why: "is renewed 10 seconds before it expires, as by client-go" },
    { inSeconds: -1, asked: 1, why: "is renewed when it has expired" },
  ])("that expires in $inSeconds s $why", async ({ inSeconds, asked }) => {
    const provider = await identityProvider();
    const token = jwt(NOW_SECONDS + inSeconds);
    const { get, bearers } = await oidcCluster(oidc(provider, { "id-token": token }));
    await get();
    expect(provider.tokenRequests).toHaveLength(asked);
    expect(bearers).toEqual([asked === 0 ? token : RENEWED]);
  });

  it.each([undefined, "", jwt(undefined)])("that is missing or has no expiry is renewed (%s)", async (idToken) => {
    const { get, bearers } = await oidcCluster(oidc(await identityProvider(), { "id-token": idToken }));
    await get();
    expect(bearers).toEqual([RENEWED]);
  });

  it("is not sent if the user has another token", async () => {
    const { get, bearers } = await oidcCluster(oidc(await identityProvider()), { user: { token: "own" } });
    await get();
    expect(bearers).toEqual(["own"]);
  });

  it("is renewed once for simultaneous requests, and not written to the kubeconfig", async () => {
    const provider = await identityProvider();
    const { get, bearers, kubeconfig } = await oidcCluster(oidc(provider));
    const before = readFileSync(kubeconfig, "utf8");
    await Promise.all([get(), get(), get()]);
    expect(bearers).toEqual([RENEWED, RENEWED, RENEWED]);
    expect(provider.asked).toEqual(["/.well-known/openid-configuration", "/token"]);
    expect(readFileSync(kubeconfig, "utf8")).toBe(before);
  });

  it("is renewed with the request that kubectl sends", async () => {
    const client = "a b*~-";
    const provider = await identityProvider({ tokens: () => tokens(jwt(FAR_SECONDS, "n", { aud: client })) });
    await (await oidcCluster(oidc(provider, { "client-id": client, "refresh-token": "r+1/'é'" }))).get();
    const authorization = `Basic ${Buffer.from("a+b%2A~-:s%2Fecret").toString("base64")}`;
    const [request] = provider.tokenRequests;
    expect(request).toMatchObject({
      method: "POST",
      headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
    });
    expect(formIn(request?.body)).toEqual({ grant_type: "refresh_token", refresh_token: "r+1/'é'" });
  });

  it.each([
    { secret: "s/ecret", identity: { client_id: "me", client_secret: "s/ecret" } },
    { secret: undefined, identity: { client_id: "me" } },
  ])(
    "is requested with the secret $secret in the body if the provider rejects the header",
    async ({ secret, identity }) => {
      const provider = await identityProvider({ tokens: ({ headers }) => (headers.authorization ? null : tokens()) });
      const { get, bearers } = await oidcCluster(oidc(provider, { "client-secret": secret }));
      await get();
      expect(bearers).toEqual([RENEWED]);
      const grant = { grant_type: "refresh_token", refresh_token: "r1" };
      expect(provider.tokenRequests.map(({ body, headers }) => [formIn(body), "authorization" in headers])).toEqual([
        [grant, true],
        [{ ...identity, ...grant }, false],
      ]);
    },
  );

  it("that the provider omits from its answer is not requested again", async () => {
    const provider = await identityProvider({ tokens: () => ({ access_token: "a", refresh_token: "r2" }) });
    await oidcFailure(oidc(provider));
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("is renewed again in a long run, each time with the newest refresh token", async () => {
    const lasting = (times: number): string => jwt(NOW_SECONDS + times * 60, `${times}`);
    const given = (_: unknown, times: number) =>
      tokens(lasting(times), times === 2 ? {} : { refresh_token: `r${times + 1}` });
    const provider = await identityProvider({ tokens: given });
    let nowMs = NOW_SECONDS * 1000;
    const { get, bearers } = await oidcCluster(oidc(provider), { options: { nowMs: () => nowMs } });
    for (const seconds of [0, 40, 51, 100, 111]) {
      nowMs = (NOW_SECONDS + seconds) * 1000;
      await get();
    }
    expect(bearers).toEqual([1, 1, 2, 2, 3].map(lasting));
    const refreshed = provider.tokenRequests.map(({ body }) => new URLSearchParams(body).get("refresh_token"));
    expect(refreshed.join()).toBe("r1,r2,r2");
  });

  it("that has expired when the provider sends it is used until it is refused, because the local clock may be wrong", async () => {
    const provider = await identityProvider({ tokens: (_, times) => tokens(jwt(NOW_SECONDS - 60, `${times}`)) });
    const { get, bearers, refused } = await oidcCluster(oidc(provider));
    await get();
    await get();
    refused.add(jwt(NOW_SECONDS - 60, "1"));
    await get();
    expect(bearers).toEqual(["1", "1", "1", "2"].map((name) => jwt(NOW_SECONDS - 60, name)));
  });

  it("that is refused before it has expired is not renewed, as by kubectl", async () => {
    const provider = await identityProvider();
    const { get, refused } = await oidcCluster(oidc(provider, { "id-token": RENEWED }));
    refused.add(RENEWED);
    await expect(get()).rejects.toMatchObject({ kind: "unauthorized" });
    expect(provider.asked).toEqual([]);
  });

  it("is sent even if it has expired when the caller gives no clock, as completion does", async () => {
    const provider = await identityProvider();
    const expired = jwt(NOW_SECONDS - 60);
    const authProvider = oidc(provider, { "id-token": expired });
    const { get, bearers } = await oidcCluster(authProvider, { options: { nowMs: undefined } });
    await get();
    expect([bearers, provider.asked]).toEqual([[expired], []]);
  });

  it.each([
    { claims: { aud: "another" }, why: "is for another client" },
    { claims: { iss: "https://login.example/{tenantid}" }, why: "is of another issuer than the metadata names" },
  ])("that $why is rejected, although kubectl would send it", async ({ claims }) => {
    const provider = await identityProvider({ tokens: () => tokens(jwt(FAR_SECONDS, "n", claims)) });
    const says = "the answer of the identity provider HOST cannot be used (unexpected JWT claim value encountered).";
    expect(await oidcFailure(oidc(provider))).toBe(says);
    expect(provider.tokenRequests).toHaveLength(1);
  });
});

function formIn(body = ""): object {
  return Object.fromEntries(new URLSearchParams(body));
}
