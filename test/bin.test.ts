import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { AS_OLDER_NODE, repositoryFile, runFile } from "./support/command.ts";
import { temporaryFolder } from "./support/kubeconfig.ts";
import { aRawPod } from "./support/raw-objects.ts";

const RUN = repositoryFile("bin/run.js");
const VERSION = `kubectl-backoff v${manifest.version}\nModel: kubelet v1.19 to v1.37\n`;

describe("bin/run.js", () => {
  it("runs from the working tree, whatever the current folder", async () => {
    const run = await runFile(RUN, ["version"], { cwd: temporaryFolder() });
    expect(run).toEqual({ exitCode: 0, stdout: VERSION, stderr: "" });
  });

  it.each<[string, readonly string[]]>([
    ["this Node", []],
    ["an older Node, which hands over to the newer one in node_modules", AS_OLDER_NODE],
  ])("passes on arguments, streams and exit code under %s", async (_, nodeFlags) => {
    const input = JSON.stringify(aRawPod());
    const run = await runFile(RUN, ["-f", "-", "--exit-code", "-o", "name"], { input, nodeFlags });
    expect(run).toEqual({ exitCode: 3, stdout: "pod/web-0\n", stderr: "" });
  });
});

describe("bin/run.js under an older Node", () => {
  it("passes SIGTERM on to the newer Node, and ends by the same signal", async () => {
    const child = spawn(process.execPath, [...AS_OLDER_NODE, RUN, "-f", "-"]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
  });

  it("says which Node it needs if no newer Node is installed with it", async () => {
    const folder = temporaryFolder();
    cpSync(repositoryFile("bin"), join(folder, "bin"), { recursive: true });
    writeFileSync(join(folder, "package.json"), '{"type": "module"}');
    const { exitCode, stdout, stderr } = await runFile(join(folder, "bin/run.js"), ["version"], {
      nodeFlags: AS_OLDER_NODE,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^Error: kubectl-backoff needs Node.js 22.20 or newer, and this is .*\n$/);
  });
});

describe("bin/kubectl_complete-backoff", () => {
  const COMPLETE = repositoryFile("bin/kubectl_complete-backoff");
  const COMPLETED = { exitCode: 0, stdout: "json\n:36\n", stderr: "" };

  it("completes the value of -o from any folder, and under an older Node", async () => {
    expect(await runFile(COMPLETE, ["explain", "-o", "js"], { cwd: temporaryFolder() })).toEqual(COMPLETED);
    expect(await runFile(COMPLETE, ["explain", "-o", "js"], { nodeFlags: AS_OLDER_NODE })).toEqual(COMPLETED);
  });
});
