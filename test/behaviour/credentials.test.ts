import { chmodSync, copyFileSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { callersServer } from "../support/tiny-server.ts";
import { tlsFile } from "../support/tls-fixtures.ts";

const apiVersion = "client.authentication.k8s.io/v1";
const NOW_MS = Date.UTC(2026, 10, 21, 14, 0, 0);

/** The token of run N (1 to 3) is tN, and expires N × `seconds` after NOW_MS. */
function countingPlugin(seconds: number) {
  const runs = writeDocument("", "runs");
  const expiry = (run: number): string => new Date(NOW_MS + run * seconds * 1000).toISOString();
  const cases = [1, 2, 3].map((run) => `${run}) until=${expiry(run)};;`).join(" ");
  const status = '{"token":"t%s","expirationTimestamp":"%s"}';
  const answer = `{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":${status}}`;
  const script = `#!/bin/sh\necho >>'${runs}'\nrun=$(wc -l <'${runs}' | tr -d ' ')\ncase $run in ${cases} esac\nprintf '${answer}' $run $until\n`;
  const command = writeDocument(script, "plugin");
  chmodSync(command, 0o755);
  const exec = { apiVersion, command, interactiveMode: "Never" };
  return { exec, runs: () => readFileSync(runs, "utf8").length };
}

function connectAt(server: string, user: object) {
  let nowMs = NOW_MS;
  const kubeconfig = writeKubeconfig({ server, "insecure-skip-tls-verify": true }, user);
  const { get, close } = connect({ kubeconfig, env: { PATH: process.env["PATH"] }, nowMs: () => nowMs });
  onTestFinished(close);
  const wait = (seconds: number): void => {
    nowMs += seconds * 1000;
  };
  return { get, wait };
}

describe("the credentials of a plugin, in a long run", () => {
  it("are kept until they expire, and are renewed once for all simultaneous requests", async () => {
    const { callers, url } = await callersServer();
    const { exec, runs } = countingPlugin(60);
    const { get, wait } = connectAt(url, { exec });
    await Promise.all([get("/a"), get("/b")]);
    wait(60);
    await get("/c");
    expect([callers, runs()]).toEqual([["t1", "t1", "t1"], 1]);
    wait(1);
    await Promise.all([get("/d"), get("/e"), get("/f")]);
    expect([callers.slice(3), runs()]).toEqual([["t2", "t2", "t2"], 2]);
  });

  it("are renewed once after a 401, and the request is sent once more", async () => {
    const { callers, url } = await callersServer((token) => token === "t1");
    const { exec, runs } = countingPlugin(3600);
    const { get } = connectAt(url, { exec });
    await Promise.all([get("/a"), get("/b")]);
    expect([callers.toSorted(), runs()]).toEqual([["t1", "t1", "t2", "t2"], 2]);
  });

  it("are not renewed again after a second 401", async () => {
    const { callers, url } = await callersServer(() => true);
    const { exec } = countingPlugin(3600);
    const { get } = connectAt(url, { exec });
    await expect(get("/a")).rejects.toMatchObject({ kind: "unauthorized" });
    expect(callers).toEqual(["t1", "t2"]);
  });

  it("fail if the plugin fails, and come from a new run of it for the next request", async () => {
    const { callers, url } = await callersServer();
    const { exec, runs } = countingPlugin(60);
    const { get, wait } = connectAt(url, { exec });
    await get("/a");
    const script = readFileSync(exec.command, "utf8");
    wait(61);
    writeFileSync(exec.command, "#!/bin/sh\nexit 3\n");
    await expect(get("/b")).rejects.toThrow("exit code 3");
    writeFileSync(exec.command, script);
    await get("/c");
    expect([callers, runs()]).toEqual([["t1", "t2"], 2]);
  });
});

describe("credentials in files, in a long run", () => {
  it("are read again after more than 50 seconds, and sent over the same connection", async () => {
    const { callers, connections, url } = await callersServer();
    const tokenFile = writeDocument("one\n", "token");
    const { get, wait } = connectAt(url, { tokenFile });
    await get("/a");
    writeFileSync(tokenFile, "two\n");
    wait(50);
    await get("/b");
    wait(1);
    await get("/c");
    expect(callers).toEqual(["one", "one", "two"]);
    expect(connections.made).toBe(1);
  });

  it.each([
    { kind: "gone", spoil: (file: string) => unlinkSync(file) },
    { kind: "empty", spoil: (file: string) => writeFileSync(file, "\n") },
  ])("stay as they were while a file is $kind", async ({ spoil }) => {
    const { callers, url } = await callersServer();
    const tokenFile = writeDocument("one", "token");
    const { get, wait } = connectAt(url, { tokenFile });
    await get("/a");
    spoil(tokenFile);
    wait(51);
    await get("/b");
    writeFileSync(tokenFile, "two");
    wait(51);
    await get("/c");
    expect(callers).toEqual(["one", "one", "two"]);
  });

  it("send a certificate on a new connection after its rotation", async () => {
    const { callers, connections, url } = await callersServer();
    const file = writeDocument("", "both.pem");
    const rotateTo = (name: string): void => copyFileSync(tlsFile(`${name}.pem`), file);
    rotateTo("alice");
    const { get, wait } = connectAt(url, { "client-certificate": file, "client-key": file });
    await get("/a");
    wait(51);
    await get("/b");
    expect(connections.made).toBe(1);
    rotateTo("bob");
    wait(51);
    await get("/c");
    expect(callers).toEqual(["alice", "alice", "bob"]);
  });
});

describe("a user with a tokenFile and a token", () => {
  it.each([
    { written: "of-file\n", sent: "of-file", why: "the file takes precedence" },
    { written: "\n", sent: "of-kubeconfig", why: "an empty file is ignored" },
  ])("sends $sent: $why", async ({ written, sent }) => {
    const { callers, url } = await callersServer();
    const user = { tokenFile: writeDocument(written, "token"), token: "of-kubeconfig" };
    const { get } = connectAt(url, user);
    await get("/a");
    expect(callers).toEqual([sent]);
  });
});

describe("a tokenFile without a usable token", () => {
  it.each([
    { token: "", says: "should hold a token, and is empty" },
    { token: "a\nb", says: "characters that no token may have" },
    { token: "a\u0000b", says: "characters that no token may have" },
    { token: "ключ", says: "characters that no token may have" },
  ])("fails before any request: $token", async ({ token, says }) => {
    const user = { tokenFile: writeDocument(token, "token") };
    const { get } = connectAt("https://127.0.0.1:1", user);
    await expect(get("/a")).rejects.toMatchObject({ code: "badCredentials", message: expect.stringContaining(says) });
  });
});
