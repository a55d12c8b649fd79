import { chmodSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { runExecPlugin } from "../../src/cluster/connection/exec-plugin.ts";
import { chooseContext } from "../../src/cluster/connection/kubeconfig.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { type Answer, callerOf, tinyServer } from "../support/tiny-server.ts";
import { SERVER_TLS } from "../support/tls-fixtures.ts";

const apiVersion = "client.authentication.k8s.io/v1";
const CERTIFICATE = SERVER_TLS.cert.toString();
const KEY = SERVER_TLS.key.toString();
const GIVEN = { token: "t", expiresAtMs: null };

function plugin(answer: unknown): { command: string; log: string } {
  const log = writeDocument("", "log");
  const answerFile = writeDocument(typeof answer === "string" ? answer : JSON.stringify(answer), "answer");
  const script = `#!/bin/sh\necho "$1 $WORD $GIVEN $KUBERNETES_EXEC_INFO" >>'${log}'\ncat '${answerFile}'\n`;
  const command = writeDocument(script, "plugin");
  chmodSync(command, 0o755);
  return { command, log };
}

function credential(status: object, version = apiVersion): object {
  return { apiVersion: version, kind: "ExecCredential", status };
}

function contextOf(exec: object, cluster: object = {}) {
  const kubeconfig = writeKubeconfig({ server: "https://a.example", ...cluster }, { exec: { apiVersion, ...exec } });
  return chooseContext({ kubeconfig, env: { PATH: process.env["PATH"], GIVEN: "given" } });
}

const NEVER = new AbortController().signal;

describe("runExecPlugin()", () => {
  it.each([
    { mode: "Never", isTerminal: true, interactive: false },
    { mode: "IfAvailable", isTerminal: true, interactive: true },
    { mode: "IfAvailable", isTerminal: false, interactive: false },
    { mode: undefined, isTerminal: false, interactive: false },
  ])(
    "gives the plugin its arguments, its environment and interactive: $interactive for $mode (terminal: $isTerminal)",
    async (row) => {
      const { command, log } = plugin(credential({ token: "t" }));
      const env = [{ name: "WORD", value: "word" }];
      const context = contextOf({ command, args: ["arg"], env, interactiveMode: row.mode });
      expect(await runExecPlugin(context, NEVER, row.isTerminal)).toEqual(GIVEN);
      const info = { kind: "ExecCredential", apiVersion, spec: { interactive: row.interactive } };
      expect(readFileSync(log, "utf8")).toBe(`arg word given ${JSON.stringify(info)}\n`);
    },
  );

  it("looks up the plugin in its own PATH, not in the kubeconfig's", async () => {
    const [path, other] = ["own", "other"].map((token) => {
      const { command } = plugin(credential({ token }));
      renameSync(command, join(dirname(command), "login"));
      return `${dirname(command)}:${process.env["PATH"]}`;
    });
    const exec = { command: "login", env: [{ name: "PATH", value: other }] };
    const run = (env: { PATH?: string | undefined }) => runExecPlugin({ ...contextOf(exec), env }, NEVER, false);
    expect(await run({ PATH: path })).toEqual({ token: "own", expiresAtMs: null });
    await expect(run({})).rejects.toThrow("the credential plugin login is not installed");
  });

  it("describes the cluster to the plugin if the kubeconfig sets provideClusterInfo", async () => {
    const { command, log } = plugin(credential({ token: "t" }));
    const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }];
    const cluster = { "tls-server-name": "b.example", "certificate-authority-data": "QUE=", extensions };
    await runExecPlugin(contextOf({ command, provideClusterInfo: true }, cluster), NEVER, false);
    const told = JSON.parse(readFileSync(log, "utf8").replace(/^[^{]*/, ""));
    expect(told.spec.cluster).toEqual({
      server: "https://a.example",
      "tls-server-name": "b.example",
      "certificate-authority-data": "QUE=",
      config: { audience: "a" },
    });
  });

  it.each([
    { expirationTimestamp: "2026-11-21T14:00:00Z", expiresAtMs: Date.UTC(2026, 10, 21, 14) },
    { expirationTimestamp: null, expiresAtMs: null },
    { expirationTimestamp: "0001-01-01T00:00:00Z", expiresAtMs: null },
  ])(
    "reads the expirationTimestamp $expirationTimestamp as $expiresAtMs",
    async ({ expirationTimestamp, expiresAtMs }) => {
      const { command } = plugin(credential({ token: "t", expirationTimestamp }));
      expect(await runExecPlugin(contextOf({ command }), NEVER, false)).toEqual({ token: "t", expiresAtMs });
    },
  );

  it.each([
    { answer: credential({ clientCertificateData: "C" }), says: "gave a certificate without its key" },
    { answer: credential({ token: "t" }, "v1beta1"), says: `is to answer in ${apiVersion}, and answered in v1beta1` },
  ])("fails if the plugin $says", async ({ answer, says }) => {
    await expect(runExecPlugin(contextOf(plugin(answer)), NEVER, false)).rejects.toThrow(says);
  });

  it.each([
    { exec: { command: "none-such", installHint: "Get it\nhere." }, says: "is not installed. Get it\nhere." },
    { exec: { command: "cat", args: ["/dev/zero"] }, says: "plugin cat prints more than any credential has" },
    { exec: { command: "true", apiVersion: "a/v1" }, says: "plugin true has an unknown apiVersion a/v1" },
    { exec: {}, says: "the credential plugin has no command" },
    { exec: { command: "true", interactiveMode: "Always" }, says: "asks questions, and stdin is not a terminal" },
    { exec: { command: "true", interactiveMode: "Often" }, says: "has an unknown interactiveMode Often" },
  ])("fails: $says", async ({ exec, says }) => {
    await expect(runExecPlugin(contextOf(exec), NEVER, false)).rejects.toThrow(says);
  });
});

async function connectionTo(answer: Answer, exec: object, user: object = {}) {
  const { url } = await tinyServer(answer, { tls: true, asksForCertificate: true });
  const plugged = { ...user, exec: { apiVersion, interactiveMode: "Never", ...exec } };
  return connect({ kubeconfig: writeKubeconfig({ server: url, "insecure-skip-tls-verify": true }, plugged), env: {} });
}

describe("the credentials of a plugin", () => {
  it.each([
    { own: { token: "own" }, authorization: "Bearer own", runs: 0, why: "a user with a token needs no plugin" },
    {
      own: { username: "me", password: "p" },
      authorization: "Basic bWU6cA==",
      runs: 0,
      why: "a user with a name and a password needs no plugin",
    },
    { own: {}, authorization: "Bearer of-plugin", runs: 1, why: "many requests share one run of the plugin" },
  ])("authenticate as $authorization: $why", async ({ own, authorization, runs }) => {
    const seen = new Set<string | undefined>();
    const answer: Answer = ({ headers }, response) => {
      seen.add(headers.authorization);
      response.end("{}");
    };
    const { command, log } = plugin(credential({ token: "of-plugin" }));
    const { get } = await connectionTo(answer, { command }, { ...own, as: "jane" });
    await Promise.all([get("/a"), get("/b")]);
    await get("/c");
    expect([...seen]).toEqual([authorization]);
    expect(readFileSync(log, "utf8").split("\n").length - 1).toBe(runs);
  });

  it("may be a certificate, which the server receives", async () => {
    const names: string[] = [];
    const answer: Answer = (request, response) => {
      names.push(callerOf(request));
      response.end("{}");
    };
    const { command } = plugin(credential({ clientCertificateData: CERTIFICATE, clientKeyData: KEY }));
    await (await connectionTo(answer, { command })).get("/a");
    expect(names).toEqual(["localhost"]);
  });
});
