import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerEverything, apiServer, useFakeApiServer } from "../support/api-server.ts";
import { run, stderrOf, stdoutOf } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { PATHS, status } from "../support/raw-objects.ts";
import { validExplanation } from "../support/schema.ts";

useFakeApiServer();
beforeEach(() => {
  vi.stubEnv("KUBECONFIG", writeKubeconfig());
});

describe("kubectl backoff explain POD", () => {
  it("explains the pod at the server's time", async () => {
    answerEverything();
    const explanation = validExplanation(await stdoutOf(["explain", "web-0", "-o", "json"]));
    expect(explanation.at).toBe("2026-11-21T12:10:00Z");
    const policy = { basis: "configz", maxSeconds: 60, kubeletVersion: "v1.37.1" };
    expect(explanation.pods).toMatchObject([
      { namespace: "prod", name: "web-0", verdict: "crash-looping", node: "node-a", policy, gaps: [] },
    ]);
  });

  it("is what `kubectl backoff POD` runs, with flags anywhere", async () => {
    answerEverything();
    expect(await stdoutOf(["--request-timeout", "5s", "-o", "name", "web-0"])).toBe("pod/web-0\n");
  });

  it("prints a table of at most 80 columns by default", async () => {
    answerEverything();
    const table = await stdoutOf(["explain", "web-0"]);
    expect(table).toContain("prod/web-0: app is in CrashLoopBackOff");
    expect(Math.max(...table.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("has gaps without some rights, and still exit code 0", async () => {
    const refused = { code: 403, message: "no" };
    answerEverything({ events: refused, node: refused, nodeEvents: refused, nodeConfig: refused });
    const explanation = validExplanation(await stdoutOf(["explain", "web-0", "-o", "json"]));
    const codes = explanation.pods[0].gaps.map((gap: { code: string }) => gap.code);
    expect(codes).toEqual(expect.arrayContaining(["events-forbidden", "node-forbidden", "node-config-forbidden"]));
    expect(explanation.pods[0].policy.basis).toBe("assumed");
  });

  it("repeats in the next steps the flags that name the cluster, and no credentials", async () => {
    answerEverything();
    const argv = ["explain", "web-0", "-o", "json", "--context", "test", "--token", "secret"];
    const steps: { command: string }[] = validExplanation(await stdoutOf(argv)).pods[0].nextSteps;
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.filter(({ command }) => !command.endsWith(" --context=test"))).toEqual([]);
    expect(JSON.stringify(steps)).not.toContain("secret");
  });

  it("explains another moment with --at", async () => {
    answerEverything();
    const json = await stdoutOf(["explain", "web-0", "-o", "json", "--at", "2026-11-21T13:09:20+01:00"]);
    expect(validExplanation(json).at).toBe("2026-11-21T12:09:20Z");
  });

  it("takes the kubelet's settings from flags", async () => {
    const refused = { code: 403, message: "no" };
    answerEverything({ node: refused, nodeConfig: refused });
    const flags = ["--kubelet-version", "1.35", "--max-restart-period", "2m", "--reduced-decay"];
    const json = await stdoutOf(["explain", "web-0", "-o", "json", ...flags]);
    expect(validExplanation(json).pods[0].policy).toMatchObject({ basis: "flag", initialSeconds: 1, maxSeconds: 120 });
  });

  it("does not ask the kubelet with --node-config never", async () => {
    answerEverything({ nodeConfig: "unasked" });
    const json = await stdoutOf(["explain", "web-0", "--node-config", "never", "-o", "json"]);
    expect(validExplanation(json).pods[0]).toMatchObject({
      policy: { basis: "version" },
      gaps: [{ code: "node-config-not-asked" }],
    });
  });
});

describe("an error of explain", () => {
  it("of -c names the containers of the pod", async () => {
    answerEverything();
    const says = 'Error: Pod "web-0" has no container "ap".\nPass -c with app.\n';
    expect(await stderrOf(["explain", "web-0", "-c", "ap"], 1)).toBe(says);
  });

  it("has no control characters that steer a terminal", async () => {
    apiServer().get(PATHS.pod).reply(403, status(403, "no\u001b]0;owned\u0007\u202e\u009b2J\r\nno"));
    apiServer().get(PATHS.events).optionally().reply(200, { items: [] });
    expect(await stderrOf(["web-0"], 1)).toContain("Forbidden: no?]0;owned???2J no.\n");
  });

  it.each([
    { argv: ["explain", "web-0", "--context", "prod"], exitCode: 1, says: 'no context "prod".\nAvailable: test.' },
    { argv: ["web-0", "--kubeconfig", "/none"], exitCode: 1, says: "Can't read the kubeconfig /none: no such file" },
    { argv: ["explain"], exitCode: 2, says: "Name a pod: kubectl backoff explain POD." },
    { argv: ["explain", "--kubeconfig", "/none"], exitCode: 2, says: "Name a pod" },
    { argv: ["web-0", "-o", "jsonpath={.a}"], exitCode: 2, says: "name; for single values, pipe -o json into jq" },
  ] as const)("says: $says", async ({ argv, exitCode, says }) => {
    expect(await stderrOf(argv, exitCode)).toContain(says);
  });
});

describe("an unexpected error", () => {
  it("is called a bug, with its stack, and without its message, which may quote a secret", async () => {
    vi.spyOn(Date, "now").mockImplementation(() => {
      throw new TypeError("the clock stopped");
    });
    const { exitCode, stdout, stderr } = await run("explain", "web-0");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toMatch(/^TypeError: \(its message may quote what was read\)\n +at .*This is a bug in kubectl-/s);
  });
});
