import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:https";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALWAYS_NEEDED, mainProgram } from "../scripts/build/programs.ts";
import { aRawPod } from "./support/api-server.ts";
import { build, useBuiltProgram } from "./support/built-program.ts";
import { runFile } from "./support/command.ts";
import { identityProvider } from "./support/identity-provider.ts";
import { temporaryFolder, writeKubeconfig } from "./support/kubeconfig.ts";
import { listenForTest } from "./support/listen-for-test.ts";
import { eagerModules } from "./support/metafile.ts";
import { oidc, RENEWED } from "./support/oidc-cluster.ts";
import { proxyServer } from "./support/proxy-server.ts";
import { socksServer } from "./support/socks-server.ts";
import { tinyServer } from "./support/tiny-server.ts";
import { SERVER_TLS } from "./support/tls-fixtures.ts";

const { main: program } = useBuiltProgram();
const VERSION = expect.stringMatching(/^kubectl-backoff v/);

/** The environment of somebody whose cache is in that folder. */
function withCache(cache: string): NodeJS.ProcessEnv {
  return { XDG_CACHE_HOME: cache, HOME: cache, LOCALAPPDATA: cache, NODE_DISABLE_COMPILE_CACHE: "" };
}

/** Runs `version` and gives the one file that is then in the cache. */
async function runCached(cache: string): Promise<string> {
  const run = await runFile(program, ["version"], { env: withCache(cache) });
  expect(run).toEqual({ exitCode: 0, stdout: VERSION, stderr: "" });
  const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files).toHaveLength(1);
  return join(files[0]?.parentPath ?? "", files[0]?.name ?? "");
}

/** The file says that it is of then. */
function setAge(file: string, ageMs: number): number {
  utimesSync(file, new Date(), new Date(Date.now() - ageMs));
  return statSync(file).mtimeMs;
}

const MINUTE_MS = 60_000;

describe("the compiled code of the built program", () => {
  it("is kept from the first run on, for nobody else to read or write", async () => {
    const file = await runCached(temporaryFolder());
    expect(file).toMatch(/kubectl-backoff[/\\]program-[0-9a-f]{16}-v\d+\.\d+\.\d+-\w+-version$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });

  it("is used while it is new, and made anew once an hour", async () => {
    const cache = temporaryFolder();
    const file = await runCached(cache);
    const recentMs = setAge(file, 59 * MINUTE_MS);
    await runCached(cache);
    expect(statSync(file).mtimeMs).toBe(recentMs);
    const oldMs = setAge(file, 61 * MINUTE_MS);
    await runCached(cache);
    expect(statSync(file).mtimeMs).toBeGreaterThan(oldMs);
  });

  it.each([
    { what: "something else", spoil: (file: string) => writeFileSync(file, "no code") },
    { what: "somebody else's to write", spoil: (file: string) => chmodSync(file, 0o622) },
  ])("is made anew when it is $what", async ({ spoil }) => {
    const cache = temporaryFolder();
    const file = await runCached(cache);
    const code = readFileSync(file);
    spoil(file);
    await runCached(cache);
    expect(readFileSync(file).length).toBeGreaterThan(code.length / 2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("is thrown away when nobody has needed it for a month", async () => {
    const cache = temporaryFolder();
    const file = await runCached(cache);
    const forgotten = join(dirname(file), "program-of-long-ago");
    writeFileSync(forgotten, "");
    setAge(forgotten, 31 * 24 * 60 * MINUTE_MS);
    setAge(file, 61 * MINUTE_MS);
    expect(await runCached(cache)).toBe(file);
  });

  it("is done without where it cannot be written, or is not wanted", async () => {
    const file = join(temporaryFolder(), "no-folder");
    writeFileSync(file, "");
    const blocked = await runFile(program, ["version"], { env: withCache(file) });
    expect(blocked).toEqual({ exitCode: 0, stdout: VERSION, stderr: "" });
    const cache = temporaryFolder();
    await runFile(program, ["version"], { env: { ...withCache(cache), NODE_DISABLE_COMPILE_CACHE: "1" } });
    expect(readdirSync(cache)).toEqual([]);
  });
});

describe("the built file", () => {
  it("knows the flags of every command, hidden ones too, where they come first", async () => {
    const named = await runFile(program, ["-o", "name", "demo"]);
    expect(named).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^pod\//), stderr: "" });
    const refused = await runFile(program, ["--profile", "cpu", "demo"]);
    expect(refused).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringContaining("demo --help") });
  });

  it("runs wherever it is: among modules, and behind a link", async () => {
    const among = temporaryFolder();
    writeFileSync(join(among, "package.json"), '{"type": "module"}');
    mkdirSync(join(among, "bin"));
    copyFileSync(program, join(among, "bin", "copy"));
    symlinkSync(join(among, "bin", "copy"), join(among, "kubectl-backoff"));
    for (const file of [join(among, "bin", "copy"), join(among, "kubectl-backoff")]) {
      expect(await runFile(file, ["version"])).toEqual({ exitCode: 0, stdout: VERSION, stderr: "" });
    }
  });

  it.each(["http", "socks5"])("finds a way through a proxy of %s, and renews an id token", async (scheme) => {
    const provider = await identityProvider();
    const { url } = await tinyServer(
      (request, response) => {
        response.writeHead(request.headers.authorization === `Bearer ${RENEWED}` ? 200 : 401);
        response.end(JSON.stringify(request.url?.endsWith("/pods/web-0") ? aRawPod() : { items: [] }));
      },
      { tls: true },
    );
    const proxy = scheme === "http" ? `http://${(await proxyServer(url)).address}` : await socksServer(url);
    const far = { server: "https://api.example", "tls-server-name": "localhost", "proxy-url": proxy };
    const cluster = { ...far, "certificate-authority-data": SERVER_TLS.cert.toString("base64") };
    const kubeconfig = writeKubeconfig(cluster, { "auth-provider": oidc(provider) });
    const run = await runFile(program, ["explain", "web-0", "-o", "name", "--kubeconfig", kubeconfig]);
    expect(run).toEqual({ exitCode: 0, stdout: "pod/web-0\n", stderr: "" });
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it("is the same whenever it is built", async () => {
    const again = join(temporaryFolder(), "again");
    await build(again);
    expect(readFileSync(again).equals(readFileSync(program))).toBe(true);
  });
});

/** Prints Node's own modules that have been loaded, in the end, those of its inner life aside. */
const LIST_MODULES = `
  import { builtinModules } from "node:module";
  const names = () => process.moduleLoadList.map((name) => name.replace("NativeModule ", ""));
  process.on("exit", () => console.error(names().filter((name) => builtinModules.includes(name)).sort().join("\\n")));`;
const LISTING = ["--import", `data:text/javascript,${encodeURIComponent(LIST_MODULES)}`];

/** The lists are there to be looked at when they change: whatever is added makes every start longer. */
describe("what `explain POD` loads", () => {
  it("is, of packages and own modules, only these", async () => {
    const { metafile } = await mainProgram();
    const eager = eagerModules(metafile, ["bin/main.js", ...ALWAYS_NEEDED]);
    await expect(`${eager.join("\n")}\n`).toMatchFileSnapshot("golden/loaded/modules.txt");
  });

  it("is, of Node, only these", async () => {
    const server = createServer(SERVER_TLS, (request, response) => {
      response.end(JSON.stringify(request.url?.endsWith("/pods/web-0") ? aRawPod() : { items: [] }));
    });
    const address = await listenForTest(server);
    const kubeconfig = writeKubeconfig({ server: `https://${address}`, "insecure-skip-tls-verify": true });
    const run = await runFile(program, ["explain", "web-0", "--kubeconfig", kubeconfig], { nodeFlags: LISTING });
    expect(run).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("web-0") });
    await expect(run.stderr).toMatchFileSnapshot("golden/loaded/node.txt");
  });
});
