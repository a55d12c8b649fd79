import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { aRawConfig, aRawNode, aRawPod } from "./support/api-server.ts";
import { useBuiltProgram } from "./support/built-program.ts";
import { repositoryFile, runFile } from "./support/command.ts";
import { temporaryFolder, writeKubeconfig } from "./support/kubeconfig.ts";
import { listenForTest } from "./support/listen-for-test.ts";
import { SERVER_TLS } from "./support/tls-fixtures.ts";

const RUN = repositoryFile("bin/run.js");
const VERSION = `kubectl-backoff v${manifest.version}\nModel: kubelet v1.19 to v1.37\n`;

/** What makes a Node that loads it first look older than it is. */
const OLDER = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });`;
const AS_OLDER = ["--import", `data:text/javascript,${encodeURIComponent(OLDER)}`] as const;

describe("bin/run.js", () => {
  it("runs from the working tree, whatever the current folder", async () => {
    expect(await runFile(RUN, ["version"], { cwd: temporaryFolder() })).toEqual({
      exitCode: 0,
      stdout: VERSION,
      stderr: "",
    });
  });

  it("reads a pod from a pipe", async () => {
    const input = JSON.stringify(aRawPod());
    const run = await runFile(RUN, ["-f", "-", "--exit-code", "-o", "name"], { input });
    expect(run).toEqual({ exitCode: 3, stdout: "pod/web-0\n", stderr: "" });
  });

  it("ends quietly when nobody reads on", async () => {
    const child = spawn(process.execPath, [RUN, "demo", "-o", "json"]);
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(stderr).toBe("");
  });
});

describe("bin/run.js under an older Node", () => {
  it("hands over to the Node that is installed with it: arguments, streams and exit code", async () => {
    const argv = ["-f", "-", "--exit-code", "-o", "name"];
    const run = await runFile(RUN, argv, { input: JSON.stringify(aRawPod()), nodeFlags: AS_OLDER });
    expect(run).toEqual({ exitCode: 3, stdout: "pod/web-0\n", stderr: "" });
  });

  it("passes signals on, and ends as its successor does", async () => {
    const child = spawn(process.execPath, [...AS_OLDER, RUN, "-f", "-"]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
  });

  it("says what it needs where there is none", async () => {
    const folder = temporaryFolder();
    cpSync(repositoryFile("bin"), join(folder, "bin"), { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const { exitCode, stdout, stderr } = await runFile(join(folder, "bin/run.js"), ["version"], {
      nodeFlags: AS_OLDER,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^Error: kubectl-backoff needs Node.js 22.20 or newer, and this is .*\n$/);
  });
});

describe("bin/kubectl_complete-backoff", () => {
  const COMPLETE = repositoryFile("bin/kubectl_complete-backoff");
  const COMPLETED = { exitCode: 0, stdout: "json\n:36\n", stderr: "" };

  it("completes from the working tree, under any Node", async () => {
    expect(await runFile(COMPLETE, ["explain", "-o", "js"], { cwd: temporaryFolder() })).toEqual(COMPLETED);
    expect(await runFile(COMPLETE, ["explain", "-o", "js"], { nodeFlags: AS_OLDER })).toEqual(COMPLETED);
  });
});

describe("npm run build", () => {
  const { main: program, completion } = useBuiltProgram();

  it("makes one executable file", async () => {
    expect(statSync(program).mode & 0o777).toBe(0o755);
    expect(await runFile(program, ["--version"], { cwd: temporaryFolder() })).toEqual({
      exitCode: 0,
      stdout: VERSION,
      stderr: "",
    });
  });

  it("puts the recordings into it", async () => {
    const [built, tree] = await Promise.all([
      runFile(program, ["demo"], { cwd: temporaryFolder() }),
      runFile(RUN, ["demo"]),
    ]);
    expect(built).toEqual({ exitCode: 0, stdout: expect.stringContaining("CrashLoopBackOff"), stderr: "" });
    expect(built).toEqual(tree);
  });

  it("makes a program that asks an API server, with credentials", async () => {
    const asked: string[] = [];
    const server = createServer(SERVER_TLS, (request, response) => {
      asked.push(
        `${request.method} ${request.headers.authorization} ${new URL(request.url ?? "", "http://x").pathname}`,
      );
      const answers: Record<string, object> = {
        "/api/v1/namespaces/prod/pods/web-0": aRawPod(),
        "/api/v1/nodes/node-a": aRawNode(),
        "/api/v1/nodes/node-a/proxy/configz": aRawConfig(),
      };
      response.end(JSON.stringify(answers[request.url ?? ""] ?? { items: [] }));
    });
    const address = await listenForTest(server);
    const kubeconfig = writeKubeconfig({ server: `https://${address}`, "insecure-skip-tls-verify": true });
    const run = await runFile(program, ["-o", "name", "web-0", "--kubeconfig", kubeconfig]);
    expect(run).toEqual({ exitCode: 0, stdout: "pod/web-0\n", stderr: "" });
    expect(asked.sort()).toEqual([
      "GET Bearer secret /api/v1/namespaces/default/events",
      "GET Bearer secret /api/v1/namespaces/prod/events",
      "GET Bearer secret /api/v1/namespaces/prod/pods/web-0",
      "GET Bearer secret /api/v1/nodes/node-a",
      "GET Bearer secret /api/v1/nodes/node-a/proxy/configz",
    ]);
  });

  it("makes another file that completes like the working tree, by the name that kubectl looks for", {
    timeout: 20_000,
  }, async () => {
    expect(statSync(completion).mode & 0o777).toBe(0o755);
    for (const argv of [
      [""],
      ["explain", "--"],
      ["list", "--sort-by", ""],
      ["demo", ""],
      ["demo", "sidecar", "-c", ""],
    ]) {
      const tree = await runFile(repositoryFile("bin/kubectl_complete-backoff"), argv);
      expect(tree).toEqual({ exitCode: 0, stdout: expect.stringMatching(/\n:\d+\n$/), stderr: "" });
      expect(await runFile(completion, argv, { cwd: temporaryFolder() })).toEqual(tree);
    }
    const older = await runFile(completion, [""], { nodeFlags: AS_OLDER });
    expect(older).toEqual({ exitCode: 0, stdout: ":4\n", stderr: "" });
  });

  it("makes a program that says which Node it needs", async () => {
    const { exitCode, stdout, stderr } = await runFile(program, ["version"], { nodeFlags: AS_OLDER });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("needs Node.js 22.20 or newer");
  });
});
