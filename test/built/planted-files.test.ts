import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { startBehaviourLab } from "../support/behaviour-lab.ts";
import { type Run, runFile } from "../support/command.ts";
import { temporaryFolder } from "../support/kubeconfig.ts";
import { aRawPod } from "../support/raw-objects.ts";

const { main: executable, completion } = inject("executable");

/** If Bun read these files, the executable could behave differently. */
const PLANTED: Readonly<Record<string, string>> = {
  ".env": "KUBECONFIG=/there/is/none\nHTTPS_PROXY=http://127.0.0.1:1\nFORCE_COLOR=1\nCOLUMNS=20\nTZ=Asia/Tokyo\n",
  ".env.local": "KUBECONFIG=/there/is/none\nBUN_OPTIONS=--preload=./planted.js\n",
  ".env.production": "KUBECONFIG=/there/is/none\n",
  "bunfig.toml": 'preload = ["./planted.js"]\n[run]\npreload = ["./planted.js"]\n',
  "tsconfig.json": '{"compilerOptions": {"paths": {"*": ["./planted.js"]}}}',
  "package.json": '{"type": "commonjs", "imports": {"#a": "./planted.js"}, "browser": {"node:fs": "./planted.js"}}',
  "planted.js": 'require("node:fs").writeFileSync("ran", ""); console.log("planted"); process.exit(7);',
  "node_modules/js-yaml/index.js": 'console.log("planted"); process.exit(7);',
};

const COMMANDS = [
  ...["explain web-0", "explain -f - -o json --at 2026-11-21T12:10:00Z", "explain --help", "list", "list -o json"],
  ...["wait web-0 --for=restart --timeout=0", "simulate --run 42s", "strategies --clients 3", "demo", "demo --list"],
  ...["version", "no-such-pod", "--no-such-flag"],
];

function plantedFolder(): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(PLANTED)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe("files of the current folder", () => {
  let lab: Awaited<ReturnType<typeof startBehaviourLab>>;

  beforeAll(async () => {
    lab = await startBehaviourLab();
    return () => lab.stop();
  });

  const runIn = (cwd: string, file: string, argv: readonly string[]): Promise<Run> =>
    runFile(file, argv, { cwd, input: JSON.stringify(aRawPod()), env: { KUBECONFIG: lab.kubeconfig } });

  async function expectTheSame(file: string, line: string): Promise<void> {
    const argv = line.split(" ");
    const planted = plantedFolder();
    const [there, elsewhere] = [await runIn(planted, file, argv), await runIn(temporaryFolder(), file, argv)];
    expect(there).toEqual(elsewhere);
    expect(there.stdout + there.stderr).toMatch(/\S/);
    expect(existsSync(join(planted, "ran"))).toBe(false);
  }

  it.each(COMMANDS)("change nothing for: %s", (line) => expectTheSame(executable, line));

  it.each(["", "explain ", "list -n "])("change nothing for the completion of: '%s'", (line) =>
    expectTheSame(completion, line),
  );

  it.each([
    { BUN_OPTIONS: "--preload=./planted.js" },
    { BUN_OPTIONS: "--import=./planted.js" },
    { BUN_OPTIONS: "--require=./planted.js" },
    { NODE_OPTIONS: "--require=./planted.js" },
    { BUN_INSPECT: "127.0.0.1:0" },
  ])("do not run because of %s", async (env) => {
    const cwd = plantedFolder();
    const { stdout } = await runFile(executable, ["version"], { cwd, env });
    expect(stdout).not.toContain("planted");
    expect(existsSync(join(cwd, "ran"))).toBe(false);
  });
});
