import { describe, expect, inject, it } from "vitest";
import { asProcess } from "../../lab/faults/program.ts";
import { TLS_FAULTS } from "../../lab/faults/tls.ts";
import { tryFaults } from "../../lab/faults/try-faults.ts";
import { runFile } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

const { main: executable } = inject("executable");

/** Versions of Bun have ignored settings that say which certificates to trust. */
describe("a server that cannot prove who it is", () => {
  it("gets no secret from explain, list, wait and watch, which reject it", { timeout: 60_000 }, async () => {
    const results = await tryFaults(TLS_FAULTS, asProcess([executable]), 4);
    expect(results.length).toBeGreaterThan(20);
    expect(results.filter(({ problems }) => problems.length > 0)).toEqual([]);
  });

  it.each([
    { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    { SSL_CERT_FILE: tlsFile("cert.pem"), NODE_EXTRA_CA_CERTS: tlsFile("cert.pem") },
  ])("is rejected with the environment %s", async (env) => {
    const { url, asked } = await tinyServer((_, response) => response.writeHead(404).end("{}"), { tls: true });
    const KUBECONFIG = writeKubeconfig({ server: url, "certificate-authority": tlsFile("alice.pem") });
    const run = await runFile(executable, ["explain", "web-0"], { env: { ...env, KUBECONFIG } });
    const stderr = expect.stringContaining("Can't verify the certificate of");
    expect(run).toEqual({ exitCode: 1, stdout: "", stderr });
    expect(asked).toEqual([]);
  });
});
