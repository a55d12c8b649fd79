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

  it.each([
    {
      options: { cluster: "c" },
      says: 'The kubeconfig has no cluster "c".\nAvailable: a or b. Pass one with --cluster.',
    },
    {
      options: { user: "jane" },
      says: 'The kubeconfig has no user "jane".\nAvailable: joe or me. Pass one with --user.',
    },
    { options: flags({ server: "ftp://a" }), says: 'Invalid value "ftp://a" for --server.' },
    { options: flags({}, { "as-groups": ["g"] }), says: "Pass --as with the user who has them." },
    { options: flags({}, { token: "t", username: "me" }), says: "a token and also a name with a password" },
    { options: flags({}, { "client-certificate": "me.crt" }), says: "a client certificate without its key" },
  ])("says: $says", ({ options, says }) => {
    expect(() => choose(options)).toThrow(says);
  });

  it("needs no kubeconfig where --server says all", () => {
    const env = { HOME: temporaryFolder() };
    const chosen = chooseContext({ env, ...flags({ server: "https://c.example" }, { token: "t" }) });
    expect(chosen).toMatchObject({ name: "https://c.example", server: "https://c.example", user: { token: "t" } });
  });

  it.each([
    {
      flag: { "certificate-authority": "new.crt" },
      kept: { "certificate-authority": "new.crt" },
      why: "a file instead of data, and instead of no verification",
      cluster: { "certificate-authority-data": "AA==", "insecure-skip-tls-verify": false },
    },
    {
      flag: { "insecure-skip-tls-verify": true },
      kept: { "insecure-skip-tls-verify": true },
      why: "no verification instead of data",
      cluster: { "certificate-authority-data": "AA==" },
    },
    {
      flag: { "insecure-skip-tls-verify": false, "certificate-authority": "" },
      kept: { "insecure-skip-tls-verify": true },
      why: "empty and false are not given",
      cluster: { "insecure-skip-tls-verify": true },
    },
    {
      flag: { server: URL_A },
      kept: {},
      why: "another server has another name",
      cluster: { "tls-server-name": "old.example" },
    },
    {
      flag: { server: URL_A, "tls-server-name": "new.example" },
      kept: { "tls-server-name": "new.example" },
      why: "the name that is given with it",
      cluster: { "tls-server-name": "old.example" },
    },
  ])("$why", ({ flag, kept, cluster }) => {
    expect(choose(flags(flag), cluster).cluster).toEqual({ server: URL_A, ...kept });
  });

  it("replaces a certificate's data by files, and merges extras by their keys", () => {
    const own = {
      "client-certificate-data": "AA==",
      "client-key-data": "AA==",
      "as-user-extra": { a: ["1"], b: ["2"] },
    };
    const given = { "client-certificate": "me.crt", "client-key": "me.key", as: "joe", "as-user-extra": { a: ["3"] } };
    expect(choose(flags({}, given), {}, own).user).toEqual({ ...given, "as-user-extra": { a: ["3"], b: ["2"] } });
  });

  it("keeps no secret for a server without TLS, only whom to act as", () => {
    const user = { token: "secret", as: "joe", "as-groups": ["g"] };
    expect(choose(flags({ server: "http://a.example" }), {}, user).user).toEqual({ as: "joe", "as-groups": ["g"] });
  });

  it("refuses a cluster that is to be verified and is not", () => {
    const cluster = { "certificate-authority-data": "AA==", "insecure-skip-tls-verify": true };
    expect(() => choose({}, cluster)).toThrow("certificate-authority and insecure-skip-tls-verify exclude each other");
  });
});
