import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import tls from "node:tls";
import { describe, expect, it, vi } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { systemAuthorities } from "../../src/cluster/connection/authorities.ts";
import { repositoryFile, runFile } from "../support/command.ts";
import { temporaryFolder, writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { oidc, oidcCluster, RENEWED } from "../support/oidc-cluster.ts";
import { identityProvider, json } from "../support/provider-for-test.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

const OWN = tlsFile("cert.pem");
const OTHER = tlsFile("alice.pem");
const NONE = "/none";

async function serverWith(certificate = "cert.pem"): Promise<string> {
  const { url } = await identityProvider({ certificate, on: { "/a": (response) => json(response, { is: "here" }) } });
  return url;
}

async function outcome(cluster: object, env: Record<string, string>): Promise<string> {
  const { get } = connect({ kubeconfig: writeKubeconfig(cluster), env });
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

/** scripts/compare-kubectl/trust-cases.ts tries similar cases with kubectl. */
describe("a server without certificate-authority in the kubeconfig", () => {
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

  it.each([
    { what: "two certificates with text around them", text: `one\n${pem(OTHER)}\ntwo\n${pem(OWN)}`, is: "reached" },
    { what: "a certificate with CRLF", text: pem(OWN).replaceAll("\n", "\r\n"), is: "reached" },
    {
      what: "a certificate in one long line",
      text: pem(OWN).replaceAll(/(?<=[\w+/=])\n(?=[\w+/=])/g, ""),
      is: "reached",
    },
    {
      what: "a broken certificate before the right one",
      text: `${pem(OWN).replace("MII", "AAA")}${pem(OWN)}`,
      is: "reached",
    },
    { what: "half a certificate before the right one", text: `${pem(OWN).slice(0, 99)}\n${pem(OWN)}`, is: "reached" },
    {
      what: "only a TRUSTED CERTIFICATE, OpenSSL's own kind",
      text: pem(OWN).replaceAll(" CERT", " TRUSTED CERT"),
      is: "untrusted",
    },
  ])("is $is if SSL_CERT_FILE holds $what", async ({ text, is }) => {
    const env = { SSL_CERT_FILE: writeDocument(text, "ca.pem"), SSL_CERT_DIR: NONE };
    expect(await outcome({ server: await serverWith() }, env)).toBe(is);
  });

  it("is trusted through NODE_EXTRA_CA_CERTS too; a missing SSL_CERT_FILE causes no message", async () => {
    const { url, asked } = await identityProvider();
    const argv = ["explain", "web-0", "--kubeconfig", writeKubeconfig({ server: url })];
    const env = { SSL_CERT_FILE: NONE, SSL_CERT_DIR: NONE, NODE_EXTRA_CA_CERTS: OWN };
    const { stderr } = await runFile(repositoryFile("bin/run.js"), argv, { env });
    expect(stderr).not.toContain(NONE);
    expect(asked).toContain("/api/v1/namespaces/prod/pods/web-0");
  });
});

describe("the authority of a kubeconfig", () => {
  it("is the only one trusted; the system's authorities are not read", async () => {
    const read = vi.spyOn(tls, "getCACertificates");
    const server = await serverWith();
    expect(await outcome({ server, "certificate-authority": OWN }, { SSL_CERT_FILE: OTHER })).toBe("reached");
    expect(await outcome({ server, "certificate-authority": OTHER }, { SSL_CERT_FILE: OWN })).toBe("untrusted");
    expect(await outcome({ server, "insecure-skip-tls-verify": true }, { SSL_CERT_FILE: OTHER })).toBe("reached");
    expect(read).not.toHaveBeenCalled();
    await outcome({ server }, { SSL_CERT_FILE: OWN });
    expect(read).toHaveBeenCalled();
  });

  it.each(["root.pem", "intermediate.pem", "chained.pem"])("may be any certificate of a chain: %s", async (name) => {
    const cluster = { server: await serverWith("chained.pem"), "tls-server-name": "chained.example" };
    expect(await outcome({ ...cluster, "certificate-authority": tlsFile(name) }, {})).toBe("reached");
    expect(await outcome(cluster, { SSL_CERT_FILE: tlsFile(name) })).toBe("reached");
    expect(await outcome(cluster, { SSL_CERT_FILE: OWN })).toBe("untrusted");
  });
});

describe("an identity provider without idp-certificate-authority", () => {
  it("is verified with the system's authorities", async () => {
    const user = oidc(await identityProvider(), { "idp-certificate-authority-data": undefined });
    const cluster = { "certificate-authority-data": undefined };
    const { get, bearers } = await oidcCluster(user, { cluster, options: { env: { SSL_CERT_FILE: OWN } } });
    await get();
    expect(bearers).toEqual([RENEWED]);
  });
});

describe("systemAuthorities()", () => {
  const BUNDLED = tls.getCACertificates("bundled");
  const [own = "", other = ""] = [OWN, OTHER].map((file) => /-----BEGIN CERT.*END CERT\S+\n/s.exec(pem(file))?.[0]);

  function stubSystem(installed: string[]): void {
    const types = { bundled: BUNDLED, system: installed, extra: [other], default: [] };
    vi.spyOn(tls, "getCACertificates").mockImplementation((type = "default") => types[type]);
  }

  it("follows symbolic links in SSL_CERT_DIR, and skips its subfolders", () => {
    stubSystem([]);
    const folder = folderWith({ other: OTHER });
    mkdirSync(join(folder, "java"));
    symlinkSync(OWN, join(folder, "0a1b2c3d.0"));
    symlinkSync("other", join(folder, "4e5f6071.0"));
    const given = systemAuthorities({ SSL_CERT_DIR: folder, SSL_CERT_FILE: NONE }, "linux");
    expect(given.sort()).toEqual([own, other].sort());
  });

  it("trusts the system's store and NODE_EXTRA_CA_CERTS, each certificate once", () => {
    stubSystem([own, own]);
    expect(systemAuthorities({}, "linux")).toEqual([own, other]);
  });

  it("trusts Node's own authorities on a Linux without a store, unless SSL_CERT_FILE and SSL_CERT_DIR are set", () => {
    stubSystem([]);
    expect(systemAuthorities({}, "linux")).toHaveLength(BUNDLED.length + 1);
    expect(systemAuthorities({ SSL_CERT_FILE: NONE, SSL_CERT_DIR: NONE }, "linux")).toEqual([other]);
  });

  it.each(["darwin", "win32"])(
    "trusts the authorities of Node and of the system on %s, whatever SSL_CERT_FILE is",
    (system) => {
      stubSystem([own, ...BUNDLED]);
      const given = systemAuthorities({ SSL_CERT_FILE: OTHER }, system);
      expect(given).toHaveLength(BUNDLED.length + 2);
      expect(given).toContain(own);
    },
  );
});
