import { describe, expect, it, vi } from "vitest";
import { repositoryFile, run, runFile } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

const COMMANDS = [
  ...["explain web-0", "explain web-0 --watch", "list --watch", "eta"],
  "wait web-0 --for=reset --timeout=5s",
];

async function stranger(cluster: object = {}) {
  const { url, asked } = await tinyServer((_, response) => response.writeHead(404).end("{}"), { tls: true });
  return { asked, KUBECONFIG: writeKubeconfig({ server: url, ...cluster }) };
}

describe("a server without a trusted certificate", () => {
  it.each(COMMANDS)("gets no request from %s, even with NODE_TLS_REJECT_UNAUTHORIZED=0", async (command) => {
    const { asked, KUBECONFIG } = await stranger();
    vi.stubEnv("KUBECONFIG", KUBECONFIG);
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const { exitCode, stderr } = await run(...command.split(" "));
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^Error: Can't verify the certificate of https:\/\/127\.0\.0\.1:\d+: /m);
    expect(asked).toEqual([]);
  });

  it("is rejected if the kubeconfig's authority has not signed it, even if SSL_CERT_FILE and NODE_EXTRA_CA_CERTS have", async () => {
    const { asked, KUBECONFIG } = await stranger({ "certificate-authority": tlsFile("alice.pem") });
    // Node reads NODE_EXTRA_CA_CERTS only when it starts, so the program runs in a process of its own.
    const env = { KUBECONFIG, SSL_CERT_FILE: tlsFile("cert.pem"), NODE_EXTRA_CA_CERTS: tlsFile("cert.pem") };
    expect(await runFile(repositoryFile("bin/run.js"), ["explain", "web-0"], { env })).toMatchObject({ exitCode: 1 });
    expect(asked).toEqual([]);
  });
});
