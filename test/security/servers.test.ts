import { describe, expect, it, onTestFinished, vi } from "vitest";
import { repositoryFile, run, runFile } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

const COMMANDS = [
  "explain web-0",
  "explain web-0 --watch",
  "list --watch",
  "eta",
  "wait web-0 --for=reset --timeout=5s",
];

type Runner = (argv: readonly string[], env: Record<string, string>) => Promise<{ exitCode: number; stderr: string }>;

const inside: Runner = (argv, env) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return run(...argv);
};

/** Node reads some variables only when it starts. */
const asProcess: Runner = (argv, env) => runFile(repositoryFile("bin/run.js"), argv, { env });

/** What a command says of a server that shows a certificate of nobody known, and what that server has learned. */
async function stranger(argv: readonly string[], cluster: object, env: Record<string, string>, runner = inside) {
  const { url, asked } = await tinyServer((_, response) => response.writeHead(404).end("{}"), { tls: true });
  const KUBECONFIG = writeKubeconfig({ server: url, ...cluster });
  const { exitCode, stderr } = await runner(argv, { KUBECONFIG, ...env });
  return { exitCode, stderr, asked };
}

describe("a server that nobody vouches for", () => {
  it.each(COMMANDS)("learns nothing from %s, whatever the environment says", async (command) => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    const { exitCode, stderr, asked } = await stranger(command.split(" "), {}, env);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Error: Can't verify the certificate of https:\/\/127\.0\.0\.1:\d+: /m);
    expect(asked).toEqual([]);
  });

  it("is not vouched for by others than the kubeconfig names", async () => {
    const cluster = { "certificate-authority": tlsFile("alice.pem") };
    const env = { SSL_CERT_FILE: tlsFile("cert.pem"), NODE_EXTRA_CA_CERTS: tlsFile("cert.pem") };
    expect(await stranger(["explain", "web-0"], cluster, env, asProcess)).toMatchObject({ exitCode: 1, asked: [] });
  });

  it("is asked where the kubeconfig says not to verify", async () => {
    const { asked } = await stranger(["explain", "web-0"], { "insecure-skip-tls-verify": true }, {});
    expect(asked).toContain("/api/v1/namespaces/prod/pods/web-0");
  });
});
