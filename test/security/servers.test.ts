import { describe, expect, it } from "vitest";
import { repositoryFile, runFile } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

const COMMANDS = ["explain web-0", "explain web-0 --watch", "list --watch", "wait web-0 --for=reset --timeout=5s"];

/** What a command says of a server that shows a certificate of nobody known, and what that server has learned. */
async function stranger(argv: readonly string[], cluster: object, env: NodeJS.ProcessEnv) {
  const { url, asked } = await tinyServer((_, response) => response.writeHead(404).end("{}"), { tls: true });
  const KUBECONFIG = writeKubeconfig({ server: url, ...cluster });
  const { exitCode, stderr } = await runFile(repositoryFile("bin/run.js"), argv, { env: { KUBECONFIG, ...env } });
  return { exitCode, stderr, asked };
}

describe("a server that nobody vouches for", () => {
  it.each(COMMANDS)("learns nothing from %s, whatever the environment says", async (command) => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const { exitCode, stderr, asked } = await stranger(command.split(" "), {}, env);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Error: Cannot verify who https:\/\/127\.0\.0\.1:\d+ is: /m);
    expect(asked).toEqual([]);
  });

  it("is not vouched for by others than the kubeconfig names", async () => {
    const cluster = { "certificate-authority": tlsFile("alice.pem") };
    const env = { SSL_CERT_FILE: tlsFile("cert.pem"), NODE_EXTRA_CA_CERTS: tlsFile("cert.pem") };
    expect(await stranger(["explain", "web-0"], cluster, env)).toMatchObject({ exitCode: 1, asked: [] });
  });

  it("is asked where the kubeconfig says not to verify", async () => {
    const { asked } = await stranger(["explain", "web-0"], { "insecure-skip-tls-verify": true }, {});
    expect(asked).toContain("/api/v1/namespaces/prod/pods/web-0");
  });
});
