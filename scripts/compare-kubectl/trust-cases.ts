import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { idToken } from "../../lab/network/identity-provider.ts";
import type { Case } from "./cases.ts";
import type { Lab } from "./lab.ts";
import { CLIENT_ID, PROVIDER } from "./logins.ts";
import { CHAINED } from "./recorder.ts";

export function trustCases(lab: Lab): Case[] {
  return [...environmentCases(lab), ...fileCases(lab), ...chainCases(), ...providerCases(lab)];
}

const WITHOUT = { "certificate-authority": "" };

function environmentCases({ ca, file, write }: Lab): Case[] {
  const other = file("alice.crt");
  for (const folder of ["trusted", "not-trusted", "linked", "linked-within"]) mkdirSync(file(folder));
  write("trusted/any.name", readFileSync(ca, "utf8"));
  write("not-trusted/alice.pem", readFileSync(other, "utf8"));
  symlinkSync(ca, file("linked/0a1b2c3d.0"));
  write("linked-within/ca.pem", readFileSync(ca, "utf8"));
  symlinkSync("ca.pem", file("linked-within/0a1b2c3d.0"));
  const missing = file("none");
  const trust = (name: string, env: Record<string, string>, cluster: object = WITHOUT): Case => ({
    name,
    cluster,
    env,
  });
  return [
    trust("no certificate-authority", {}),
    trust("SSL_CERT_FILE", { SSL_CERT_FILE: ca }),
    trust("SSL_CERT_FILE, relative", { SSL_CERT_FILE: "../home/../trusted/any.name" }),
    trust("SSL_CERT_FILE, another's", { SSL_CERT_FILE: other }),
    trust("SSL_CERT_FILE, missing", { SSL_CERT_FILE: missing }),
    trust("SSL_CERT_FILE, a folder", { SSL_CERT_FILE: file("trusted") }),
    trust("SSL_CERT_FILE, empty value", { SSL_CERT_FILE: "" }),
    {
      ...trust("SSL_CERT_FILE and client-certificate", { SSL_CERT_FILE: ca }),
      user: { "client-certificate": "bob.crt", "client-key": "bob.key" },
    },
    trust("SSL_CERT_DIR", { SSL_CERT_DIR: file("trusted") }),
    trust("SSL_CERT_DIR, another's", { SSL_CERT_DIR: file("not-trusted") }),
    trust("SSL_CERT_DIR, the second of two", { SSL_CERT_DIR: `${file("not-trusted")}:${file("trusted")}` }),
    trust("SSL_CERT_DIR, one missing", { SSL_CERT_DIR: `${missing}::${file("trusted")}` }),
    trust("SSL_CERT_DIR, a link", { SSL_CERT_DIR: file("linked") }),
    trust("SSL_CERT_DIR, a link within it", { SSL_CERT_DIR: file("linked-within") }),
    trust("SSL_CERT_DIR, a file", { SSL_CERT_DIR: ca }),
    trust("SSL_CERT_FILE missing, SSL_CERT_DIR", { SSL_CERT_FILE: missing, SSL_CERT_DIR: file("trusted") }),
    trust("SSL_CERT_FILE, SSL_CERT_DIR another's", { SSL_CERT_FILE: ca, SSL_CERT_DIR: file("not-trusted") }),
    trust("SSL_CERT_FILE another's, certificate-authority", { SSL_CERT_FILE: other }, {}),
    trust("SSL_CERT_FILE, certificate-authority another's", { SSL_CERT_FILE: ca }, { "certificate-authority": other }),
    trust(
      "SSL_CERT_FILE another's, insecure-skip-tls-verify",
      { SSL_CERT_FILE: other },
      { ...WITHOUT, "insecure-skip-tls-verify": true },
    ),
  ];
}

function fileCases({ ca, file, write }: Lab): Case[] {
  const [own, other] = [readFileSync(ca, "utf8"), readFileSync(file("alice.crt"), "utf8")];
  const BEGIN = "-----BEGIN CERTIFICATE-----\n";
  const holding = (what: string, text: string, name = `holds-${what.replaceAll(" ", "-")}`): Case => ({
    name: `SSL_CERT_FILE holds ${what}`,
    cluster: WITHOUT,
    env: { SSL_CERT_FILE: write(name, text) },
  });
  const [begin = "", ...lines] = own.trim().split("\n");
  const end = lines.pop();
  return [
    holding("two, with words between", `one\n${other}\ntwo\n\n${own}`),
    holding("one twice", own + own),
    holding("one with CRLF", own.replaceAll("\n", "\r\n")),
    holding("one in one line", [begin, lines.join(""), end, ""].join("\n")),
    holding("one without a newline at the end", own.trim()),
    holding("a broken one before", `${BEGIN}AAAA\n-----END CERTIFICATE-----\n${own}`),
    holding("half a one before", `${BEGIN}AAAA\n${own}`),
    holding("one with a header", own.replace(BEGIN, `${BEGIN}Name: value\n\n`)),
    holding("a TRUSTED CERTIFICATE", own.replaceAll("CERTIFICATE", "TRUSTED CERTIFICATE")),
    holding("blanks before the lines", own.replaceAll("\n", "\n  ")),
    holding("nothing", ""),
  ];
}

function chainCases(): Case[] {
  const fixture = (name: string): string => fileURLToPath(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));
  const flags = ["--tls-server-name", CHAINED];
  const named = (what: string, name: string): Case => ({
    name: `certificate-authority: ${what}`,
    flags,
    cluster: { "certificate-authority": fixture(name) },
  });
  return [
    named("the root of a chain", "root.pem"),
    named("the middle of a chain", "intermediate.pem"),
    named("the end and the middle of a chain", "chained.pem"),
    {
      name: "SSL_CERT_FILE: the middle of a chain",
      flags,
      cluster: WITHOUT,
      env: { SSL_CERT_FILE: fixture("intermediate.pem") },
    },
  ];
}

function providerCases(lab: Lab): Case[] {
  const config = { "idp-issuer-url": `${lab.url}${PROVIDER}`, "client-id": CLIENT_ID, "refresh-token": "r1" };
  const oidc = (name: string, trusted: string, authority?: string): Case => ({
    name: `oidc, ${name}`,
    user: {
      "auth-provider": {
        name: "oidc",
        config: {
          ...config,
          "id-token": idToken({ exp: 1 }),
          ...(authority && { "idp-certificate-authority": authority }),
        },
      },
    },
    env: { SSL_CERT_FILE: trusted },
  });
  const other = lab.file("alice.crt");
  return [
    oidc("SSL_CERT_FILE", lab.ca),
    oidc("SSL_CERT_FILE another's", other),
    oidc("SSL_CERT_FILE another's, idp-certificate-authority", other, lab.ca),
    oidc("SSL_CERT_FILE, idp-certificate-authority another's", lab.ca, other),
  ];
}
