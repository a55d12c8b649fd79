import { chmodSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { nowLine } from "../../src/commands/debug/debug.ts";
import { T0_MS } from "../support/builders.ts";
import { run } from "../support/command.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { aRawPod } from "../support/raw-objects.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { CERTIFICATE } from "../support/tls-fixtures.ts";

const CA = CERTIFICATE.file;

const SECRETS = /hush|Bearer|Authorization/i;

async function served(refusals: readonly number[] = []) {
  const left = [...refusals];
  const { url } = await tinyServer(
    (asked, response) => {
      const isPod = asked.url?.endsWith("/pods/web-0") === true;
      const refusal = isPod ? left.shift() : undefined;
      response.statusCode = refusal ?? 200;
      response.setHeader("Date", "Sat, 21 Nov 2026 12:10:00 GMT");
      if (refusal !== undefined) response.setHeader("Retry-After", "0");
      response.end(JSON.stringify(isPod ? aRawPod() : { items: [], kubeletconfig: {} }));
    },
    { tls: true },
  );
  return (user: object) => writeKubeconfig({ server: url, "certificate-authority": CA }, user);
}

function linesOf(stderr: string, topic: string): string[] {
  return stderr.split("\n").filter((line) => line.startsWith(`debug ${topic} `));
}

describe("--debug", () => {
  it("prints requests, stages, versions and now, and leaves stdout as it is", async () => {
    const kubeconfig = (await served())({ token: "hush" });
    const argv = ["explain", "web-0", "--kubeconfig", kubeconfig, "-o", "json"];
    const plain = await run(...argv);
    const traced = await run(...argv, "--debug");
    expect(traced.stdout).toBe(plain.stdout);
    expect(traced.exitCode).toBe(0);
    const { stderr } = traced;
    expect(stderr).not.toMatch(SECRETS);
    const topics = ["version", "server", "credentials", "request", "stage", "now"];
    expect(topics.filter((topic) => linesOf(stderr, topic).length === 0)).toEqual([]);
    expect(stderr.split("\n").filter((line) => line !== "" && !line.startsWith("debug "))).toEqual([]);
    const requests = linesOf(stderr, "request");
    const answered = / 200 \d{2,} bytes \d+ ms (new|reused) connection$/;
    expect(requests.filter((line) => !answered.test(line))).toEqual([]);
    const ofPod = "debug request GET /api/v1/namespaces/prod/pods/web-0 200 ";
    expect(requests).toContainEqual(expect.stringContaining(ofPod));
    expect(requests).toContainEqual(expect.stringContaining("/events?fieldSelector="));
    expect(requests.some((line) => line.includes("reused"))).toBe(true);
    expect(linesOf(stderr, "credentials")).toEqual([expect.stringMatching(/^debug credentials token, \d+ ms$/)]);
    const stages = linesOf(stderr, "stage").map((line) => line.split(" ")[2]);
    expect(stages).toEqual(["kubeconfig", "requests", "explain", "render"]);
    const now = /^debug now 2026-11-21T12:10:00Z from server-clock local clock -?[\d.]+s ahead/;
    expect(linesOf(stderr, "now")[0]).toMatch(now);
    const link = /^debug link connections \d rounds 2 requests \d+ bytes \d{3,}$/;
    expect(linesOf(stderr, "link")).toEqual([expect.stringMatching(link)]);
  });

  it("prints a plugin that ran, and repeated requests", async () => {
    const apiVersion = "client.authentication.k8s.io/v1";
    const answer = writeDocument({ apiVersion, kind: "ExecCredential", status: { token: "hush" } }, "answer");
    const command = writeDocument(`#!/bin/sh\ncat '${answer}'\n`, "my-plugin");
    chmodSync(command, 0o755);
    const exec = { apiVersion, command, args: ["hush"], interactiveMode: "Never" };
    const kubeconfig = (await served([503]))({ exec });
    const { stderr, exitCode } = await run("explain", "web-0", "--kubeconfig", kubeconfig, "-o", "name", "--debug");
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(SECRETS);
    const ran = /^debug credentials exec plugin my-plugin, run once, \d+ ms$/;
    expect(linesOf(stderr, "credentials")).toEqual([expect.stringMatching(ran)]);
    const ofPod = linesOf(stderr, "request").filter((line) => line.includes("/pods/web-0 "));
    expect(ofPod).toEqual([
      expect.stringMatching(/ 503 \d+ bytes \d+ ms \w+ connection$/),
      expect.stringMatching(/ 200 \d+ bytes \d+ ms \w+ connection retry 1$/),
    ]);
  });

  it.each([
    { user: { username: "me", password: "hush" }, kind: "name and password" },
    { user: { as: "somebody", token: "hush" }, kind: "token, impersonating somebody" },
    { user: {}, kind: "none" },
  ])("names credentials by their kind: $kind", async ({ user, kind }) => {
    const kubeconfig = (await served())(user);
    const { stderr } = await run("explain", "web-0", "--kubeconfig", kubeconfig, "-o", "name", "--debug");
    expect(stderr).toContain(`debug credentials ${kind}, `);
    expect(stderr).not.toMatch(SECRETS);
  });

  it("prints a request that fails", async () => {
    const kubeconfig = writeKubeconfig({ server: "https://127.0.0.1:1" }, { token: "hush" });
    const { stderr, exitCode } = await run("explain", "web-0", "--kubeconfig", kubeconfig, "--debug");
    expect(exitCode).toBe(1);
    expect(linesOf(stderr, "request")[0]).toMatch(/ failed ECONNREFUSED \d+ ms$/);
  });

  it.each(["list", "wait web-0 --for=restart --timeout=0", "simulate web-0"])("is a flag of %s", async (line) => {
    const argv = [...line.split(" "), "--kubeconfig", (await served())({ token: "hush" })];
    const plain = await run(...argv);
    const { stdout, stderr } = await run(...argv, "--debug");
    expect(stdout).toBe(plain.stdout);
    expect(linesOf(stderr, "request").length).toBeGreaterThan(0);
    expect(stderr).not.toMatch(SECRETS);
  });

  it("works for demo and explain -f, which send no requests", async () => {
    const plain = await run("demo");
    const { stdout, stderr } = await run("demo", "--debug");
    expect(stdout).toBe(plain.stdout);
    expect(linesOf(stderr, "request")).toEqual([]);
    const file = writeDocument({ kind: "List", items: [{ ...aRawPod(), metadata: { name: "a\u001b[31mb" } }] });
    const { stderr: ofFile } = await run("explain", "-f", file, "--debug", "-o", "name");
    expect(linesOf(ofFile, "now").length).toBeGreaterThan(0);
    expect(ofFile).not.toContain("\u001b");
  });
});

describe("nowLine()", () => {
  it.each([
    { leadMs: null, says: "now 2026-11-21T12:00:00Z from server-clock" },
    { leadMs: 1_234, says: "now 2026-11-21T12:00:00Z from server-clock local clock 1.2s ahead of the server's" },
    { leadMs: -700, says: "now 2026-11-21T12:00:00Z from server-clock local clock -0.7s ahead of the server's" },
  ])(
    "says where the time of the explanation comes from, and how far the clocks are apart: $leadMs",
    ({ leadMs, says }) => {
      expect(nowLine({ atMs: T0_MS, atBasis: "server-clock" }, leadMs)).toBe(says);
    },
  );
});
