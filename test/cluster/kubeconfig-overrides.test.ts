import { describe, expect, it } from "vitest";
import { type ContextOptions, chooseContext } from "../../src/cluster/connection/kubeconfig.ts";
import { temporaryFolder, writeDocument } from "../support/kubeconfig.ts";

const URL_A = "https://a.example";

function choose(options: Partial<ContextOptions>, cluster: object = {}, user: object = {}) {
  const kubeconfig = writeDocument({
    clusters: [
      { name: "a", cluster: { server: URL_A, ...cluster } },
      { name: "b", cluster: { server: "https://b.example" } },
    ],
    users: [
      { name: "me", user },
      { name: "joe", user: { token: "of-joe" } },
    ],
    contexts: [{ name: "x", context: { cluster: "a", user: "me", namespace: "prod" } }],
    "current-context": "x",
  });
  return chooseContext({ kubeconfig, env: {}, ...options });
}

const flags = (cluster: object, user: object = {}) => ({
  overrides: { cluster: cluster as Record<string, unknown>, user: user as Record<string, unknown> },
});

describe("chooseContext() with flags", () => {
  it("takes another cluster or user by name, and keeps the context's namespace", () => {
    expect(choose({ cluster: "b" })).toMatchObject({ server: "https://b.example", namespace: "prod", user: {} });
    expect(choose({ user: "joe" })).toMatchObject({ server: URL_A, user: { token: "of-joe" } });
  });

  it("needs no kubeconfig if flags give a server and a token", () => {
    const env = { HOME: temporaryFolder() };
    const chosen = chooseContext({ env, ...flags({ server: "https://c.example" }, { token: "t" }) });
    expect(chosen).toMatchObject({ name: "https://c.example", server: "https://c.example", user: { token: "t" } });
  });

  const DATA = { "certificate-authority-data": "AA==" };
  const FILE = { "certificate-authority": "new.crt" };
  const INSECURE = { "insecure-skip-tls-verify": true };
  const SECURE = { "insecure-skip-tls-verify": false };
  const [OLD_NAME, NEW_NAME] = [{ "tls-server-name": "old.example" }, { "tls-server-name": "new.example" }];

  it.each([
    {
      flag: FILE,
      cluster: { ...DATA, ...SECURE },
      kept: FILE,
      why: "an authority's file instead of its data and of insecure-skip-tls-verify",
    },
    { flag: INSECURE, cluster: DATA, kept: INSECURE, why: "insecure-skip-tls-verify instead of an authority's data" },
    {
      flag: { ...SECURE, "certificate-authority": "" },
      cluster: INSECURE,
      kept: INSECURE,
      why: "nothing from flags that are empty or false",
    },
    {
      flag: { server: URL_A },
      cluster: OLD_NAME,
      kept: {},
      why: "no tls-server-name of the kubeconfig if a flag names another server",
    },
    {
      flag: { server: URL_A, ...NEW_NAME },
      cluster: OLD_NAME,
      kept: NEW_NAME,
      why: "the tls-server-name of a flag, together with the server of a flag",
    },
  ])("takes $why", ({ flag, kept, cluster }) => {
    expect(choose(flags(flag), cluster).cluster).toEqual({ server: URL_A, ...kept });
  });

  const CERTIFICATE = { "client-certificate": "me.crt", "client-key": "me.key" };
  const CERTIFICATE_DATA = { "client-certificate-data": "AA==", "client-key-data": "AA==" };

  it("replaces a client certificate's data by files, and merges as-user-extra by its keys", () => {
    const own = { ...CERTIFICATE_DATA, "as-user-extra": { a: ["1"], b: ["2"] } };
    const given = { ...CERTIFICATE, as: "joe", "as-user-extra": { a: ["3"] } };
    expect(choose(flags({}, given), {}, own).user).toEqual({ ...given, "as-user-extra": { a: ["3"], b: ["2"] } });
  });

  it("keeps no credentials for a server without TLS, only the user to impersonate", () => {
    const user = { token: "secret", as: "joe", "as-groups": ["g"] };
    expect(choose(flags({ server: "http://a.example" }), {}, user).user).toEqual({ as: "joe", "as-groups": ["g"] });
  });

  it.each([
    { options: flags({}, { "client-certificate": "me.crt" }), says: "a client certificate without its key" },
    {
      cluster: { ...DATA, ...INSECURE },
      says: "certificate-authority and insecure-skip-tls-verify exclude each other",
    },
    { cluster: { ...DATA, ...FILE }, says: "certificate-authority and certificate-authority-data exclude each other" },
    {
      user: { ...CERTIFICATE, ...CERTIFICATE_DATA },
      says: "client-certificate and client-certificate-data exclude each",
    },
    { user: { ...CERTIFICATE, "client-key-data": "AA==" }, says: "client-key and client-key-data exclude each other" },
  ])("refuses $says", ({ options = {}, cluster, user, says }) => {
    expect(() => choose(options, cluster, user)).toThrow(says);
  });
});
