import { beforeAll, describe, expect, inject, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { startBehaviourLab } from "../support/behaviour-lab.ts";
import { BEHAVIOURS, outcomeOf } from "../support/behaviours.ts";
import { run, runFile } from "../support/command.ts";
import { temporaryFolder, writeKubeconfig } from "../support/kubeconfig.ts";
import { aRawPod } from "../support/raw-objects.ts";
import { type Answer, callerOf, tinyServer } from "../support/tiny-server.ts";
import { SERVER_TLS, tlsFile } from "../support/tls-fixtures.ts";

const { main: executable, completion } = inject("executable");

describe("the executable", () => {
  it.each([
    ...["version", "demo", "demo sidecar -o html", "demo -o yaml", "explain --help", "-o name demo", "explain --bogus"],
    ...["simulate --run 42s --compare default,max=60s", "strategies --clients 5 -o svg"],
  ])("does what the working tree does: %s", async (line) => {
    const argv = line.split(" ");
    const own = await runFile(executable, argv, { cwd: temporaryFolder() });
    expect(own).toEqual(await run(...argv));
    if (line === "version") expect(own.stdout).toContain(`kubectl-backoff v${manifest.version}\n`);
  });

  it("reads a pod from a pipe", async () => {
    const input = JSON.stringify(aRawPod());
    const own = await runFile(executable, ["-f", "-", "--exit-code", "-o", "name"], { input });
    expect(own).toEqual({ exitCode: 3, stdout: "pod/web-0\n", stderr: "" });
  });

  it("completes command lines by the name that kubectl looks for", async () => {
    const own = await runFile(completion, ["explain", "-o", "js"], { cwd: temporaryFolder() });
    expect(own).toEqual({ exitCode: 0, stdout: "json\n:36\n", stderr: "" });
  });

  it("shows its client certificate to a server that it has verified", async () => {
    const clients: string[] = [];
    const answer: Answer = (request, response) => {
      clients.push(callerOf(request));
      response.end(JSON.stringify({ metadata: {}, items: [] }));
    };
    const { url } = await tinyServer(answer, { tls: true, asksForCertificate: true });
    const cluster = { server: url, "certificate-authority-data": SERVER_TLS.cert.toString("base64") };
    const user = { "client-certificate": tlsFile("alice.pem"), "client-key": tlsFile("alice.pem") };
    const own = await runFile(executable, ["list", "-o", "name", "--kubeconfig", writeKubeconfig(cluster, user)]);
    expect(own).toMatchObject({ exitCode: 0, stdout: "" });
    expect(new Set(clients)).toEqual(new Set(["alice"]));
  });
});

describe.runIf(process.platform === "linux")("a process of the executable", () => {
  let lab: Awaited<ReturnType<typeof startBehaviourLab>>;

  beforeAll(async () => {
    lab = await startBehaviourLab();
    return () => lab.stop();
  });

  it.concurrent.each(BEHAVIOURS)("$situation: $outcome", async (behaviour) => {
    expect(await outcomeOf(behaviour, lab, executable)).toBe(behaviour.outcome);
  });
});
