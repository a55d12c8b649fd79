import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerEverything, apiServer, useFakeApiServer } from "../support/api-server.ts";
import { run, stderrOf, stdoutOf } from "../support/command.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { aRawPod, PATHS, status } from "../support/raw-objects.ts";
import { validExplanation } from "../support/schema.ts";

useFakeApiServer();
beforeEach(() => {
  vi.stubEnv("KUBECONFIG", writeKubeconfig());
});

function answerLog(code: number, body: string | object): void {
  answerEverything({ log: "unasked" });
  const query = { container: "app", previous: "true", limitBytes: "262144", tailLines: "50" };
  apiServer().get(`${PATHS.pod}/log`).query(query).reply(code, body);
}

describe("the log of an explanation", () => {
  it.each(["table", "wide", "md", "html"])("is shown by default, without its colours: %s", async (form) => {
    answerLog(200, "\u001b[31mfatal:\u001b[0m no database\n\tat main.js\n");
    const shown = await stdoutOf(["explain", "web-0", "-o", form]);
    expect(shown).toMatch(/fatal: no database\n +at main\.js/);
  });

  it.each([
    { argv: ["--tail", "3"], count: 3 },
    { argv: ["--logs=3"], count: 3 },
    { argv: ["--logs=1", "-o", "json"], count: 1 },
    { argv: ["--tail", "3", "-o", "json"], count: 3 },
    { argv: ["-p", "--tail=7"], count: 7 },
    { argv: ["-p", "-o", "yaml"], count: 5 },
    { argv: ["--previous", "-c", "app"], count: 5 },
    { argv: ["--logs=true", "-o", "json"], count: 5 },
  ])("has as many lines as $argv says", async ({ argv, count }) => {
    answerLog(200, Array.from({ length: 9 }, (_, index) => `<${index + 1}>\n`).join(""));
    const lines = (await stdoutOf(["web-0", ...argv])).match(/(?<!line: )<\d>(?= |"?,?$)/gm);
    expect(lines).toEqual(Array.from({ length: count }, (_, index) => `<${10 - count + index}>`));
  });

  it("gives the Crash line a panic that is above the lines shown", async () => {
    answerLog(200, `panic: no such host\n\n${"goroutine 1 [running]:\n".repeat(8)}`);
    const shown = await stdoutOf(["web-0"]);
    expect(shown).toMatch(/^Crash {6}Exit code \d+ after \S+: panic: no such host$/m);
    expect(shown).toMatch(/\(last 5 log lines\)/);
  });

  it.each([
    { argv: ["--tail", "0"] },
    { argv: ["--logs=0"] },
    { argv: ["--logs=false"] },
    { argv: ["--logs", "--tail=0"] },
    { argv: ["-o", "json"] },
    { argv: ["-o", "svg"] },
    { argv: ["-o", "name"] },
  ])("is not requested with $argv", async ({ argv }) => {
    answerEverything({ log: "unasked" });
    expect(await stdoutOf(["web-0", ...argv])).not.toMatch(/^Log /m);
  });

  it("is a field of the JSON, with the lines as they are", async () => {
    answerLog(200, "\u001b[31mbye\n");
    const explanation = validExplanation(await stdoutOf(["web-0", "--logs", "-o", "json"]));
    const logs = { instance: "last-exit", lines: ["\u001b[31mbye"], isTruncated: false };
    expect(explanation.pods[0].containers[0].logs).toEqual(logs);
  });

  it.each([
    [403, "no", "logs-forbidden", "No permission to read the log of app (get pods/log);"],
    [404, "gone", "logs-not-found", "The server does not have the log of app: gone; nothing else depends on it."],
    [500, "dial tcp: refused", "logs-unreachable", "The server could not be reached for the log of app;"],
  ])("is reported as one gap after status %i, and does not fail the command", async (code, message, gap, says) => {
    answerLog(code, status(code, message));
    const explanation = validExplanation(await stdoutOf(["web-0", "--logs", "-o", "json"]));
    expect(explanation.pods[0].gaps).toEqual([{ code: gap, message: expect.stringContaining(says) }]);
    expect(explanation.pods[0].containers[0].logs).toBeNull();
    expect(explanation.pods[0].verdict).toBe("crash-looping");
  });

  it("is not requested of a container that is fine, unless -c names it", async () => {
    const scope = apiServer().get(PATHS.pod).twice().reply(200, steadyPod());
    scope.get(PATHS.events).twice().reply(200, { items: [] });
    const argv = ["web-0", "--logs", "-o", "json", "--node-config", "never"];
    expect(validExplanation(await stdoutOf(argv)).pods[0].containers[0].logs).toBeNull();
    const query = { container: "app", limitBytes: "262144", tailLines: "50" };
    apiServer().get(`${PATHS.pod}/log`).query(query).reply(200, "up");
    const second = validExplanation(await stdoutOf([...argv, "-c", "app"]));
    expect(second.pods[0].containers[0].logs).toMatchObject({ instance: "running", lines: ["up"] });
  });

  it("is not in the input of -f, so --logs prints one sentence that says so", async () => {
    const file = writeDocument(aRawPod(), "pod.json");
    const { exitCode, stdout, stderr } = await run("explain", "-f", file, "--logs", "-o", "json");
    expect([exitCode, stderr]).toEqual([0, "--logs needs a cluster: the input of -f holds no logs.\n"]);
    expect(validExplanation(stdout).pods[0].containers[0].logs).toBeNull();
    expect(await stdoutOf(["explain", "-f", file])).not.toMatch(/^Log /m);
  });

  it.each([
    ["--logs -o svg", "--logs can't be combined with -o svg.\nLogs are part of table, wide, json, yaml, html"],
    ["-p -o name", "--logs can't be combined with -o name."],
    ["--tail 5 --watch", "--watch can't be combined with --logs."],
    ["--logs --tail -2", 'Invalid value "-2" for --tail.\nPass a number of lines such as 20, 0 for none'],
    ["--logs --tail ten", 'Invalid value "ten" for --tail.'],
    ["--logs=many", 'Invalid value "many" for --logs.'],
  ])("can't be requested with %s", async (flags, says) => {
    expect(await stderrOf(["web-0", ...flags.split(" ")], 2)).toContain(says);
  });
});

function steadyPod(): object {
  const state = { running: { startedAt: "2026-11-21T12:00:01Z" } };
  const app = { name: "app", image: "web:1", restartCount: 0, ready: true, started: true, containerID: "a://b", state };
  const raw = aRawPod({ spec: { nodeName: "" } });
  return { ...raw, status: { phase: "Running", containerStatuses: [app] } };
}
