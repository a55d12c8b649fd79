import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { bundle } from "../../scripts/build/bundle.ts";
import { startBehaviourLab } from "../support/behaviour-lab.ts";
import { BEHAVIOURS, outcomeOf } from "../support/behaviours.ts";
import { AS_OLDER_NODE, runFile } from "../support/command.ts";
import { completed } from "../support/completed.ts";
import { temporaryFolder, writeKubeconfig } from "../support/kubeconfig.ts";
import { oidc, RENEWED } from "../support/oidc-cluster.ts";
import { identityProvider } from "../support/provider-for-test.ts";
import { proxyServer, socksServer } from "../support/proxy-server.ts";
import { aRawPod } from "../support/raw-objects.ts";
import { tinyServer } from "../support/tiny-server.ts";
import { SERVER_TLS } from "../support/tls-fixtures.ts";

const { main: program, completion } = inject("script");
const VERSION = expect.stringMatching(/^kubectl-backoff v/);

const hasFull = existsSync("/dev/full");
const TESTED = BEHAVIOURS.filter(({ isTestedAlways }) => isTestedAlways);

describe("a process of the built file", () => {
  let lab: Awaited<ReturnType<typeof startBehaviourLab>>;

  beforeAll(async () => {
    lab = await startBehaviourLab();
    return () => lab.stop();
  });

  it.each(TESTED)("$situation: $outcome", async (behaviour) => {
    if (!hasFull && (behaviour.stdout === "full" || behaviour.stderr === "full")) return;
    expect(await outcomeOf(behaviour, lab, program)).toBe(behaviour.outcome);
  });
});

describe("the built file", () => {
  it("finds the command behind flags, hidden ones too", async () => {
    const named = await runFile(program, ["-o", "name", "demo"]);
    expect(named).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^pod\//), stderr: "" });
    const refused = await runFile(program, ["--profile", "cpu", "demo"]);
    expect(refused).toEqual({ exitCode: 2, stdout: "", stderr: expect.stringContaining("demo --help") });
  });

  it("runs in a folder of ES modules, and behind a link", async () => {
    const among = temporaryFolder();
    writeFileSync(join(among, "package.json"), '{"type": "module"}');
    mkdirSync(join(among, "bin"));
    copyFileSync(program, join(among, "bin", "copy"));
    symlinkSync(join(among, "bin", "copy"), join(among, "kubectl-backoff"));
    for (const file of [join(among, "bin", "copy"), join(among, "kubectl-backoff")]) {
      expect(await runFile(file, ["version"])).toEqual({ exitCode: 0, stdout: VERSION, stderr: "" });
    }
  });

  it.each(["http", "socks5"])("connects through a proxy of %s, and renews an id token", async (scheme) => {
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

  it("has the same bytes when it is built again", async () => {
    expect((await bundle("main.js")).code).toBe(readFileSync(program, "utf8"));
  });

  it("comes with a file that completes like the working tree, and offers nothing under an older Node", async () => {
    expect(statSync(completion).mode & 0o777).toBe(0o755);
    for (const line of ["", "explain --", "list --sort-by ", "demo ", "demo sidecar -c "]) {
      const tree = { exitCode: 0, stdout: `${(await completed(line)).join("\n")}\n`, stderr: "" };
      expect(await runFile(completion, line.split(" "), { cwd: temporaryFolder() })).toEqual(tree);
    }
    const older = await runFile(completion, [""], { nodeFlags: AS_OLDER_NODE });
    expect(older).toEqual({ exitCode: 0, stdout: ":4\n", stderr: "" });
  });

  it("says under an older Node which Node it needs", async () => {
    const { exitCode, stdout, stderr } = await runFile(program, ["version"], { nodeFlags: AS_OLDER_NODE });
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("needs Node.js 22.20 or newer");
  });
});
