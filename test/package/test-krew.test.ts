import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { serveRelease } from "../../scripts/test-krew/release-server.ts";
import { repositoryFile, runFile } from "../support/command.ts";
import type { PluginManifest } from "../support/krew.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";

const TEST_KREW = repositoryFile("scripts/test-krew.ts");

describe("npm run test:krew", () => {
  it.each([
    { what: "krew", tools: [], says: "krew is not in PATH" },
    { what: "kubectl", tools: ["krew"], says: "kubectl is not in PATH" },
    { what: "archives", tools: ["krew", "kubectl"], says: "npm run package makes them" },
  ])("is skipped without $what", async ({ tools, says }) => {
    const PATH = temporaryFolder();
    for (const name of tools) writeFileSync(join(PATH, name), "", { mode: 0o755 });
    const skipped = await runFile(TEST_KREW, ["--release", PATH], { env: { PATH } });
    expect(skipped).toEqual({ exitCode: 0, stdout: "", stderr: expect.stringContaining(`Skipped: `) });
    expect(skipped.stderr).toContain(says);
  });

  it("refuses what it does not know", async () => {
    const refused = await runFile(TEST_KREW, ["--no-such-flag"]);
    expect(refused).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringMatching(/^Usage: npm run test:krew/) });
  });
});

describe("serveRelease()", () => {
  it("has the archives of the manifest where it says that they are", async () => {
    const folder = join(temporaryFolder(), "release");
    mkdirSync(folder);
    const server = await serveRelease(folder);
    const local = load(
      server.withLocalAddresses(readFileSync(repositoryFile("plugin.yaml"), "utf8")),
    ) as PluginManifest;
    const [first, ...others] = local.spec.platforms.map(({ uri }) => uri);
    for (const uri of others) expect(uri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/kubectl-backoff-v[^/]+$/);
    writeFileSync(join(folder, first?.split("/").at(-1) ?? ""), "bytes");
    expect(await (await fetch(first ?? "")).text()).toBe("bytes");
    expect((await fetch(others[0] ?? "")).status).toBe(404);
    server.close();
  });
});
