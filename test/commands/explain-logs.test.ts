import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerEverything, apiServer, aRawPod, PATHS, status, useFakeApiServer } from "../support/api-server.ts";
import { run, stderrOf, stdoutOf } from "../support/command.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { validExplanation } from "../support/schema.ts";

useFakeApiServer();
beforeEach(() => {
  vi.stubEnv("KUBECONFIG", writeKubeconfig());
});

/** Prepares the answer to a request for the previous log of web-0's container. */
function answerLog(code: number, body: string | object, tailLines = "10"): void {
  const query = { container: "app", previous: "true", limitBytes: "262144", tailLines };
  apiServer().get(`${PATHS.pod}/log`).query(query).reply(code, body);
}

describe("--logs", () => {
  it("shows the last ten lines before the exit, without what steers a terminal", async () => {
    answerEverything();
    answerLog(200, "\u001b[31mfatal:\u001b[0m no database\n\tat main.js\n");
    const table = await stdoutOf(["explain", "web-0", "--logs"]);
    expect(table).toMatch(
      /^log {8}The last 2 lines before this exit:\n {13}fatal: no database\n {17}at main\.js\nWait {7}/m,
    );
  });

  it("is part of -o wide, of as many lines as --tail says", async () => {
    answerEverything();
    answerLog(200, "bye\n", "3");
    expect(await stdoutOf(["web-0", "--logs", "--tail", "3", "-o", "wide"])).toContain("\n             bye\n");
  });

  it("is a field of the JSON, with the lines as they are", async () => {
    answerEverything();
    answerLog(200, "\u001b[31mbye\n");
    const explanation = validExplanation(await stdoutOf(["web-0", "--logs", "-o", "json"]));
    expect(explanation.pods[0].containers[0].logs).toEqual({ previous: ["\u001b[31mbye"], current: null });
  });

  it.each([
    { code: 403, message: "no", gap: "logs-forbidden", says: "No permission to read the log of app (get pods/log);" },
    { code: 404, message: "gone", gap: "logs-not-found", says: "the log of app: gone;" },
    {
      code: 400,
      message: 'previous terminated container "app" not found',
      gap: "logs-not-found",
      says: 'the log of app: previous terminated container "app" not found;',
    },
  ])("is a gap after $code, and no failure", async ({ code, message, gap, says }) => {
    answerEverything();
    answerLog(code, status(code, message));
    const explanation = validExplanation(await stdoutOf(["web-0", "--logs", "-o", "json"]));
    expect(explanation.pods[0].gaps).toEqual([{ code: gap, message: expect.stringContaining(says) }]);
    expect(explanation.pods[0].containers[0].logs).toEqual({ previous: null, current: null });
  });

  it("leaves containers that are not in trouble alone, unless -c names one", async () => {
    const pod = steadyPod();
    const scope = apiServer().get(PATHS.pod).twice().reply(200, pod);
    scope.get(PATHS.events).twice().reply(200, { items: [] });
    const first = validExplanation(await stdoutOf(["web-0", "--logs", "-o", "json", "--node-config", "never"]));
    expect(first.pods[0].containers[0].logs).toEqual({ previous: null, current: null });
    apiServer()
      .get(`${PATHS.pod}/log`)
      .query({ container: "app", limitBytes: "262144", tailLines: "10" })
      .reply(200, "up");
    const second = validExplanation(
      await stdoutOf(["web-0", "-c", "app", "--logs", "-o", "json", "--node-config", "never"]),
    );
    expect(second.pods[0].containers[0].logs).toEqual({ previous: null, current: ["up"] });
  });

  it("is not asked for without it, whatever --tail says", async () => {
    answerEverything();
    const explanation = validExplanation(await stdoutOf(["web-0", "--tail", "5", "-o", "json"]));
    expect(explanation.pods[0].containers[0]).not.toHaveProperty("logs");
  });

  it("needs a cluster, and says so of files in one sentence", async () => {
    const file = writeDocument(aRawPod(), "pod.json");
    const { exitCode, stdout, stderr } = await run("explain", "-f", file, "--logs", "-o", "json");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: "--logs needs a cluster: the input of -f holds no logs.\n",
    });
    expect(validExplanation(stdout).pods[0].containers[0].logs).toEqual({ previous: null, current: null });
  });

  it.each([
    { argv: ["--logs", "-o", "svg"], says: "--logs can't be combined with -o svg.\nLogs are shown in table and wide" },
    { argv: ["--logs", "-o", "name"], says: "--logs can't be combined with -o name." },
    { argv: ["--logs", "--watch"], says: "--watch can't be combined with --logs." },
    { argv: ["--logs", "--tail", "0"], says: 'Invalid value "0" for --tail.\nPass a number of lines from 1 on, or -1' },
    { argv: ["--logs", "--tail", "-2"], says: 'Invalid value "-2" for --tail.' },
    { argv: ["--logs", "--tail", "ten"], says: 'Invalid value "ten" for --tail.' },
  ])("is wrong usage: $argv", async ({ argv, says }) => {
    expect(await stderrOf(["web-0", ...argv], 2)).toContain(says);
  });
});

/** web-0 on no node that could be asked, and its container up since its creation. */
function steadyPod(): object {
  const state = { running: { startedAt: "2026-11-21T12:00:01Z" } };
  const app = { name: "app", image: "web:1", restartCount: 0, ready: true, started: true, containerID: "a://b", state };
  const raw = aRawPod({ spec: { nodeName: "" } });
  return { ...raw, status: { phase: "Running", containerStatuses: [app] } };
}
