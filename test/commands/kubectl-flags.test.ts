import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { CONNECTION_FLAGS } from "../../src/commands/flags/connection-flags.ts";
import { repositoryFile, run } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { aRawPod } from "../support/raw-objects.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { CERTIFICATE } from "../support/tls-fixtures.ts";

const CA = CERTIFICATE.file;

async function seen(flags: readonly string[], user: object = { token: "secret" }) {
  let request: IncomingMessage | null = null;
  const { url } = await tinyServer(
    (asked, response) => {
      if (asked.url?.endsWith("/pods/web-0")) request = asked;
      response.end(JSON.stringify(request === asked ? aRawPod() : { items: [] }));
    },
    { tls: true },
  );
  const kubeconfig = writeKubeconfig({ server: url, "certificate-authority": CA }, user);
  const ran = await run("explain", "web-0", "-o", "name", "--kubeconfig", kubeconfig, ...flags);
  return { ran, ...sentIn(request) };
}

function sentIn(request: IncomingMessage | null): { path: string | undefined; headers: string[] } {
  const raw = request?.rawHeaders ?? [];
  const lines = raw.flatMap((name, index) =>
    index % 2 === 0 && /^(authorization|impersonate-.*)$/i.test(name) ? [`${name}: ${raw[index + 1]}`] : [],
  );
  return { path: request?.url, headers: lines };
}

const BEARER = "Authorization: Bearer secret";
const JANE = "Impersonate-User: jane";

/** The flags that `kubectl options` of v1.37.1 lists. */
const OPTIONS = [
  ...["as", "as-group", "as-uid", "as-user-extra", "cache-dir", "certificate-authority", "client-certificate"],
  ...["client-key", "cluster", "context", "disable-compression", "insecure-skip-tls-verify", "kubeconfig", "kuberc"],
  ...["log-flush-frequency", "match-server-version", "namespace", "password", "profile", "profile-output", "proxy-url"],
  ...["request-timeout", "server", "tls-server-name", "token", "user", "username", "v", "vmodule"],
  "warnings-as-errors",
];

describe("the flags of kubectl", () => {
  it("all exist here, with their short forms, and docs/kubectl-flags.md has each", () => {
    expect(Object.keys(CONNECTION_FLAGS).sort()).toEqual(OPTIONS);
    const short = Object.entries(CONNECTION_FLAGS).flatMap(([name, { char }]) => (char ? [[char, name]] : []));
    expect(Object.fromEntries(short)).toEqual({ n: "namespace", s: "server", v: "v" });
    const text = readFileSync(repositoryFile("docs/kubectl-flags.md"), "utf8");
    expect(OPTIONS.filter((name) => !new RegExp(`-${name}(?![\\w-])`).test(text))).toEqual([]);
  });

  it.each<{ flags: string[]; headers: string[]; user?: object }>([
    { flags: [], headers: [BEARER] },
    {
      flags: ["--username", "me", "--password", "p:w"],
      headers: [`Authorization: Basic ${Buffer.from("me:p:w").toString("base64")}`],
      user: {},
    },
    { flags: ["--token", "other"], headers: ["Authorization: Bearer other"] },
    { flags: ["--as", "jane"], headers: [JANE, BEARER] },
    {
      flags: ["--as=jane", "--as-group=a", "--as-group", "b,c", "--as-uid", "7"],
      headers: [JANE, BEARER, "Impersonate-Uid: 7", "Impersonate-Group: a", "Impersonate-Group: b,c"],
    },
    {
      flags: ["--as=jane", "--as-user-extra", "k=1", "--as-user-extra", "a b/%=x=y", "--as-user-extra", "k=2"],
      headers: [JANE, BEARER, ...["k: 1", "k: 2", "a%20b%2F%25: x=y"].map((extra) => `Impersonate-Extra-${extra}`)],
    },
  ])("$flags make the headers $headers", async ({ flags, headers, user }) => {
    const sent = await seen(["-n", "dev", ...flags], user);
    expect(sent.path).toBe("/api/v1/namespaces/dev/pods/web-0");
    expect(sent.ran).toEqual({ exitCode: 0, stdout: "pod/web-0\n", stderr: "" });
    expect(sent.headers).toEqual(headers);
  });

  it("--tls-server-name and --certificate-authority verify the server", async () => {
    expect((await seen(["--tls-server-name", "localhost", "--certificate-authority", CA])).ran.exitCode).toBe(0);
    const { ran, path } = await seen(["--tls-server-name", "other.example"]);
    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("other.example") });
    expect(path).toBeUndefined();
    expect((await seen(["--tls-server-name", "other.example", "--insecure-skip-tls-verify"])).ran.exitCode).toBe(0);
  });

  it("that change nothing here are accepted", async () => {
    const { ran } = await seen([
      ...["-v", "6", "--vmodule", "a=1", "--log-flush-frequency", "1s", "--cache-dir", "/none", "--kuberc", "f"],
      ...["--match-server-version", "--profile", "cpu", "--profile-output", "/none/p", "--warnings-as-errors=true"],
      "--disable-compression",
    ]);
    expect(ran).toEqual({ exitCode: 0, stdout: "pod/web-0\n", stderr: "" });
  });

  it.each([
    { flags: ["--as-group", "a"], exitCode: 2, says: "Pass --as with the user who has them." },
    { flags: ["--user", "none"], exitCode: 1, says: "Available: me. Pass one with --user." },
    { flags: ["--cluster", "none"], exitCode: 1, says: "Available: here. Pass one with --cluster." },
    { flags: ["--server", "ftp://a"], exitCode: 2, says: "Pass an http or https address" },
    { flags: ["--proxy-url", "ftp://a"], exitCode: 1, says: "not an http, https or socks5 URL" },
    { flags: ["--username", "me"], exitCode: 1, says: "a token and also a name with a password" },
  ])("$flags are refused: $says", async ({ flags, exitCode, says }) => {
    const { ran, path } = await seen(flags);
    expect(ran).toMatchObject({ exitCode, stdout: "", stderr: expect.stringContaining(says) });
    expect(path).toBeUndefined();
  });
});
