import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import tls from "node:tls";
import { describe, expect, it, vi } from "vitest";
import { connect } from "../../src/cluster/connect.ts";
import { installed, systemAuthorities } from "../../src/cluster/system-trust.ts";
import { repositoryFile, runFile } from "../support/command.ts";
import { identityProvider, json } from "../support/identity-provider.ts";
import { temporaryFolder, writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { oidc, oidcCluster, oidcFailure, RENEWED } from "../support/oidc-cluster.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

const OWN = tlsFile("cert.pem");
const OTHER = tlsFile("alice.pem");
const NONE = "/none";

/** A server that shows this certificate. */
async function serverWith(certificate = "cert.pem"): Promise<string> {
  const { url } = await identityProvider({ certificate, on: { "/a": (response) => json(response, { is: "here" }) } });
  return url;
}

/** What becomes of a GET. */
async function outcome(cluster: object, env: Record<string, string>, user?: object): Promise<string> {
  const { get } = connect({ kubeconfig: writeKubeconfig(cluster, user), env });
  return get("/a").then(
    () => "reached",
    ({ kind }) => kind,
  );
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, file] of Object.entries(files)) writeFileSync(join(folder, name), readFileSync(file));
  return folder;
}

function pem(file: string): string {
  return readFileSync(file, "utf8");
}

/** The same cases were tried with kubectl: scripts/compare-kubectl/trust-cases.ts. */
describe("a server that the kubeconfig names no authority for", () => {
  it.each([
    { file: OWN, is: "reached" },
    { file: OTHER, is: "untrusted" },
    { file: NONE, is: "untrusted" },
  ])("is $is with SSL_CERT_FILE=$file", async ({ file, is }) => {
    expect(await outcome({ server: await serverWith() }, { SSL_CERT_FILE: file, SSL_CERT_DIR: NONE })).toBe(is);
  });

  it("is verified with all folders of SSL_CERT_DIR, whatever their files are called", async () => {
    const server = await serverWith();
    const folders = [NONE, folderWith({ "alice.pem": OTHER }), folderWith({ any: OWN })];
    expect(await outcome({ server }, { SSL_CERT_DIR: folders.join(":") })).toBe("reached");
    expect(await outcome({ server }, { SSL_CERT_DIR: folders.slice(0, 2).join(":") })).toBe("untrusted");
  });

  it("is shown the certificate of a user who has one, and of nobody else", async () => {
    const names: unknown[] = [];
    const { url: server } = await tinyServer(
      ({ socket }, response) => {
        names.push((socket as tls.TLSSocket).getPeerCertificate().subject?.CN);
        response.end("{}");
      },
      { tls: true, asksForCertificate: true },
    );
    const env = { SSL_CERT_FILE: OWN };
    const bob = { "client-certificate": tlsFile("bob.pem"), "client-key": tlsFile("bob.pem") };
    for (const user of [{}, bob, {}]) expect(await outcome({ server }, env, user)).toBe("reached");
    expect(names).toEqual([undefined, "bob", undefined]);
  });

  it.each([
    { what: "two and words", text: `one\n${pem(OTHER)}\ntwo\n${pem(OWN)}`, is: "reached" },
    { what: "CRLF", text: pem(OWN).replaceAll("\n", "\r\n"), is: "reached" },
    { what: "one long line", text: pem(OWN).replaceAll(/(?<=[\w+/=])\n(?=[\w+/=])/g, ""), is: "reached" },
    { what: "a broken one before", text: `${pem(OWN).replace("MII", "AAA")}${pem(OWN)}`, is: "reached" },
    { what: "half a one before", text: `${pem(OWN).slice(0, 99)}\n${pem(OWN)}`, is: "reached" },
    { what: "OpenSSL's own kind", text: pem(OWN).replaceAll(" CERT", " TRUSTED CERT"), is: "untrusted" },
  ])("is $is where a file holds $what", async ({ text, is }) => {
    const env = { SSL_CERT_FILE: writeDocument(text, "ca.pem"), SSL_CERT_DIR: NONE };
    expect(await outcome({ server: await serverWith() }, env)).toBe(is);
  });

  it("is trusted by NODE_EXTRA_CA_CERTS as well, and nothing is said of a store that is not there", async () => {
    const { url, asked } = await identityProvider();
    const argv = ["explain", "web-0", "--kubeconfig", writeKubeconfig({ server: url })];
    const env = { SSL_CERT_FILE: NONE, SSL_CERT_DIR: NONE, NODE_EXTRA_CA_CERTS: OWN };
    const { stderr } = await runFile(repositoryFile("bin/run.js"), argv, { env });
    expect(stderr).not.toContain(NONE);
    expect(asked).toContain("/api/v1/namespaces/prod/pods/web-0");
  });
});

/** A file with the server's authority that nobody has read yet: each is read once in a run. */
function unread(): string {
  return writeDocument(readFileSync(OWN, "utf8"), "unread.pem");
}

describe("the authority of a kubeconfig", () => {
  it("is the only one that counts, and then the system's are not even read", async () => {
    const read = vi.spyOn(tls, "getCACertificates");
    const server = await serverWith();
    expect(await outcome({ server, "certificate-authority": OWN }, { SSL_CERT_FILE: OTHER })).toBe("reached");
    expect(await outcome({ server, "certificate-authority": OTHER }, { SSL_CERT_FILE: OWN })).toBe("untrusted");
    expect(await outcome({ server, "insecure-skip-tls-verify": true }, { SSL_CERT_FILE: OTHER })).toBe("reached");
    expect(read).not.toHaveBeenCalled();
    await outcome({ server }, { SSL_CERT_FILE: unread() });
    expect(read).toHaveBeenCalled();
  });

  it.each(["root.pem", "intermediate.pem", "chained.pem"])("may be any of a chain: %s", async (name) => {
    const cluster = { server: await serverWith("chained.pem"), "tls-server-name": "chained.example" };
    expect(await outcome({ ...cluster, "certificate-authority": tlsFile(name) }, {})).toBe("reached");
    expect(await outcome(cluster, { SSL_CERT_FILE: tlsFile(name) })).toBe("reached");
    expect(await outcome(cluster, { SSL_CERT_FILE: OWN })).toBe("untrusted");
  });
});

describe("an identity provider without idp-certificate-authority", () => {
  it("is verified with the system's authorities, which are read once for it and for the cluster", async () => {
    const read = vi.spyOn(tls, "getCACertificates");
    const user = oidc(await identityProvider(), { "idp-certificate-authority-data": undefined });
    const cluster = { "certificate-authority-data": undefined };
    const { get, bearers } = await oidcCluster(user, { cluster, options: { env: { SSL_CERT_FILE: unread() } } });
    await get();
    expect(bearers).toEqual([RENEWED]);
    expect(read).toHaveBeenCalledOnce();
  });

  it("is not asked where these do not know it", async () => {
    const provider = await identityProvider();
    const user = oidc(provider, { "idp-certificate-authority-data": undefined });
    const says = await oidcFailure(user, { options: { env: { SSL_CERT_FILE: OTHER } } });
    expect(says).toMatch(/^cannot verify who the identity provider HOST is/);
    expect(provider.asked).toEqual([]);
  });
});

describe("installed()", () => {
  const BUNDLED = tls.getCACertificates("bundled");
  const [own = "", other = ""] = [OWN, OTHER].map((file) => /-----BEGIN CERT.*END CERT\S+\n/s.exec(pem(file))?.[0]);

  it("reads the first file that there is, and all folders beside it, each certificate once", () => {
    const [first, second] = [writeDocument(own, "a"), writeDocument(other, "b")];
    expect(installed({}, [NONE, first, second], [])).toEqual([own]);
    expect(installed({}, [first], [NONE, folderWith({ own: OWN, other: OTHER })])).toEqual([own, other]);
  });

  it("follows links out of a folder, not those within it, and leaves folders in it aside", () => {
    const folder = folderWith({ other: OTHER });
    mkdirSync(join(folder, "java"));
    symlinkSync(OWN, join(folder, "0a1b2c3d.0"));
    symlinkSync("other", join(folder, "4e5f6071.0"));
    expect(installed({ SSL_CERT_DIR: folder, SSL_CERT_FILE: NONE })).toEqual([own, other]);
  });

  it("is what comes with Node where a system has no store", () => {
    expect(installed({}, [NONE], [NONE, temporaryFolder()])).toEqual(BUNDLED);
  });

  it.each([
    { how: "the store is there and empty", env: {}, files: [writeEmpty] },
    { how: "a file is named that is not there", env: { SSL_CERT_FILE: NONE }, files: [] },
    { how: "a folder is named that is not there", env: { SSL_CERT_DIR: NONE }, files: [] },
  ])("is nobody where $how", ({ env, files }) => {
    const places = files.map((write) => write());
    expect(installed(env, places, [])).toEqual([]);
  });

  function writeEmpty(): string {
    return writeDocument("", "empty");
  }
});

describe("systemAuthorities()", () => {
  it.each(["darwin", "win32"])("is on %s those that come with Node, and the system's own, each once", (system) => {
    const bundled = tls.getCACertificates("bundled");
    const own = pem(OWN);
    const types = { bundled, system: [own, ...bundled], extra: [own], default: [] };
    vi.spyOn(tls, "getCACertificates").mockImplementation((type = "default") => types[type]);
    const given = systemAuthorities({ SSL_CERT_FILE: OTHER }, system);
    expect(given).toHaveLength(bundled.length + 1);
    expect(given).toContain(own);
  });
});
