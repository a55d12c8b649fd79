import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { executableFile, starterFor } from "../../scripts/build/executable.ts";
import { type BundledProgram, mainProgram } from "../../scripts/build/programs.ts";
import { assetsOf } from "../../scripts/package/archive.ts";
import { compiledCode } from "../../scripts/package/compiled-code.ts";
import { carriesProgram } from "../../scripts/package/executable-kind.ts";
import { oneFile } from "../../scripts/package/one-file.ts";
import { HERE } from "../../scripts/package/targets.ts";
import { listExamples } from "../../src/cluster/examples.ts";
import { repositoryFile } from "../support/command.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";

let program: BundledProgram;

beforeAll(async () => {
  program = await mainProgram();
});

const VERSION = new RegExp(`^kubectl-backoff v${manifest.version}\n`);

describe("compiledCode()", () => {
  it("is the same each time, and taken by the Node that made it", { timeout: 60_000 }, async () => {
    const rehearsal = { examples: listExamples().slice(0, 1), others: [["version"]] };
    const [once, again] = [
      await compiledCode(program.code, process.execPath, rehearsal),
      await compiledCode(program.code, process.execPath, rehearsal),
    ];
    for (const part of ["first", "rest"] as const) {
      expect(once[part].equals(again[part])).toBe(true);
      const folder = temporaryFolder();
      writeFileSync(join(folder, "code"), program.code[part]);
      writeFileSync(join(folder, "compiled"), once[part]);
      const take = `
        const [code, cachedData] = ["code", "compiled"].map((file) => require("fs").readFileSync(file));
        console.log(new (require("vm").Script)(code.toString("latin1"), { cachedData }).cachedDataRejected);`;
      expect(execFileSync(process.execPath, ["--eval", take], { cwd: folder }).toString()).toBe("false\n");
    }
  });
});

describe.runIf(process.platform === "linux")("oneFile()", () => {
  it("puts the program into Node, and it runs", { timeout: 60_000 }, async () => {
    const node = readFileSync(process.execPath);
    const main = await starterFor("scripts/build/starter/start-one-file.ts", program, false);
    const contents = { main, assets: assetsOf(program, null) };
    const made = await oneFile(contents, node, HERE, process.execPath);
    expect(carriesProgram(made)).toBe(true);
    const file = join(temporaryFolder(), "kubectl-backoff");
    writeFileSync(file, made, { mode: 0o755 });
    expect(execFileSync(file, ["version"]).toString()).toMatch(VERSION);
    expect(execFileSync(file, ["demo", "-o", "name"]).toString()).toMatch(/^pod\//);
  });
});

describe.runIf(process.platform !== "win32")("the launcher", () => {
  it("starts the Node beside it, through links and from anywhere", async () => {
    const folder = temporaryFolder();
    const store = join(folder, "a store", "v0.1.0");
    mkdirSync(store, { recursive: true });
    mkdirSync(join(folder, "bin"));
    copyFileSync(repositoryFile("scripts/package/launcher.sh"), join(store, "kubectl-backoff"));
    chmodSync(join(store, "kubectl-backoff"), 0o755);
    symlinkSync(process.execPath, join(store, "node"));
    writeFileSync(join(store, "program.js"), await executableFile(program), "latin1");
    symlinkSync("../a store/v0.1.0/kubectl-backoff", join(folder, "bin", "relative"));
    symlinkSync(join(folder, "bin", "relative"), join(folder, "bin", "kubectl-backoff"));
    for (const [file, cwd] of [
      [join(store, "kubectl-backoff"), "/"],
      ["./kubectl-backoff", store],
      [join(folder, "bin", "kubectl-backoff"), "/"],
      ["./relative", join(folder, "bin")],
    ] as const) {
      expect(execFileSync(file, ["version"], { cwd }).toString()).toMatch(VERSION);
    }
    const PATH = `${join(folder, "bin")}:${process.env["PATH"]}`;
    expect(execFileSync("kubectl-backoff", ["version"], { env: { ...process.env, PATH } }).toString()).toMatch(VERSION);
    expect(readdirSync(store).sort()).toEqual(["kubectl-backoff", "node", "program.js"]);
  });
});
