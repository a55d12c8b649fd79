import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { repositoryFile, run, stderrOf, stdoutOf } from "../support/command.ts";
import { writeDocument } from "../support/kubeconfig.ts";
import { aRawPod } from "../support/raw-objects.ts";
import { validDocument } from "../support/schema.ts";

const LIVENESS = "initialDelay=3,period=3,failure=3,grace=30,ignores-term";
const example = (name: string) => repositoryFile(`examples/${name}.json.gz`);

// biome-ignore lint/suspicious/noExplicitAny: a test looks at any field of it
async function simulated(...argv: string[]): Promise<any> {
  return validDocument("simulation", await stdoutOf(["simulate", ...argv, "-o", "json"]));
}

describe("kubectl backoff simulate", () => {
  it.each([
    { name: "ten-seconds", argv: [] },
    { name: "liveness-v1.19", argv: ["--liveness", LIVENESS, "--kubelet-version", "v1.19"] },
    { name: "lengths", argv: ["--run", "2s,2s,2s,2s,2s,2s,5m30s", "--for", "1h"] },
    { name: "drawn", argv: ["--run", "10s±20%", "--seed", "3", "--for", "10m"] },
    { name: "on-failure", argv: ["--run", "5s", "--restart-policy", "OnFailure", "--exit-code", "0"] },
    { name: "observed", argv: ["-f", example("lower-maximum")] },
    { name: "compared", argv: ["--run", "42s", "--compare", "default,max=60s,reduced,reduced+max=60s,v1.34"] },
  ])("prints at 80 columns what the golden file has: $name", async ({ name, argv }) => {
    const printed = await stdoutOf(["simulate", ...argv]);
    await expect(printed).toMatchFileSnapshot(`../golden/simulate-${name}.80.txt`);
    expect(printed.split("\n").filter((line) => line.length > 80 || /\s$/.test(line))).toEqual([]);
  });

  it("prints the contract's fields as JSON, in seconds from the first start", async () => {
    const { apiVersion, kind, policy, starts } = await simulated("--run", "10s", "--restarts", "2");
    expect({ apiVersion, kind }).toEqual({ apiVersion: "backoff/v1", kind: "Simulation" });
    expect(policy).toMatchObject({ initialSeconds: 10, maxSeconds: 300, resetAfterSeconds: 600, retry: "at-expiry" });
    expect(starts).toMatchObject([
      { start: 0, startedSeconds: 0, finishedSeconds: 10, delaySeconds: 0, crashLoopBackOff: null },
      { start: 1, delaySeconds: 10, crashLoopBackOff: null },
      { start: 2, delaySeconds: 20, crashLoopBackOff: null },
    ]);
    for (const { startedSeconds, finishedSeconds } of starts) expect(finishedSeconds - startedSeconds).toBeCloseTo(10);
    for (const { waitedSeconds, delaySeconds } of starts) expect(waitedSeconds).toBeGreaterThan(delaySeconds);
  });

  it("gives CrashLoopBackOff from and to, as kubectl would show it", async () => {
    const { starts } = await simulated("--liveness", LIVENESS, "--kubelet-version", "v1.19");
    const [first] = starts.filter(({ crashLoopBackOff }: { crashLoopBackOff: unknown }) => crashLoopBackOff !== null);
    expect(first).toMatchObject({ start: 5, delaySeconds: 80, cause: "liveness-probe", exitCode: 137 });
    expect(first.crashLoopBackOff.fromSeconds).toBe(first.finishedSeconds);
    expect(first.crashLoopBackOff.toSeconds).toBeCloseTo(first.finishedSeconds + first.waitedSeconds, 2);
  });

  it("prints null if nothing restarts", async () => {
    const { starts } = await simulated("--restart-policy", "Never");
    expect(starts).toMatchObject([{ start: 0, delaySeconds: null, waitedSeconds: null, crashLoopBackOff: null }]);
  });

  it("prints the same as YAML", async () => {
    const yaml = await stdoutOf(["simulate", "--run", "42s", "-o", "yaml"]);
    expect(load(yaml)).toEqual(await simulated("--run", "42s"));
  });

  it("gives the same from the same seed", async () => {
    const argv = ["--run", "10s+-20%", "--seed"];
    expect(await simulated(...argv, "7")).toEqual(await simulated(...argv, "7"));
    expect(await simulated(...argv, "7")).not.toEqual(await simulated(...argv, "8"));
  });

  it("compares as JSON, each configuration under its name", async () => {
    const comparison = await simulated("--compare", "default,max=60s,v1.34");
    expect(comparison.kind).toBe("SimulationComparison");
    expect(comparison.simulations).toMatchObject([
      { name: "default", policy: { maxSeconds: 300, retry: "at-expiry" }, figures: { restarts: 10 } },
      { name: "max=60s", policy: { maxSeconds: 60, retry: "at-expiry" }, figures: { restarts: 23 } },
      { name: "v1.34", policy: { maxSeconds: 300, retry: "every-10s" }, figures: { restarts: 10 } },
    ]);
  });

  it("prints several tables for many configurations at 80 columns", async () => {
    const names = "default,max=10s,max=20s,max=30s,max=60s,max=90s,max=120s,max=240s,v1.19,v1.30,v1.34";
    const printed = await stdoutOf(["simulate", "--compare", names]);
    expect(printed.match(/restarts in 30m/g)).toHaveLength(2);
    expect(printed.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("kubectl backoff simulate as a picture", () => {
  it.each([
    { name: "ten-seconds", argv: [] },
    { name: "compared", argv: ["--run", "42s", "--compare", "default,max=60s,v1.34"] },
  ])("draws what the golden file has: $name", async ({ name, argv }) => {
    const svg = await stdoutOf(["simulate", ...argv, "-o", "svg"]);
    await expect(svg).toMatchFileSnapshot(`../golden/simulate-${name}.svg`);
  });

  it("makes a page of picture and figures that loads nothing", async () => {
    const html = await stdoutOf(["simulate", "--run", "42s", "--compare", "default,reduced", "-o", "html"]);
    expect(html).toContain("<h1>Uptime: reduced 30%, default 23%</h1>");
    expect(html).toContain("CrashLoopBackOff shown");
    expect(html).toContain("ReduceDefaultCrashLoopBackOffDecay alone");
    expect(html).not.toMatch(/(src|href)=/);
    const one = await stdoutOf(["simulate", "-o", "html"]);
    expect(one).toContain(">1m20s-1m31s<");
    expect(one).toContain("The last line repeats up to start 10");
  });

  it("cuts the picture where runs become too narrow to distinguish", async () => {
    const html = await stdoutOf(["simulate", "--for", "480h", "-o", "html"]);
    expect(html).toMatch(/Cut at \d+h\S* for legibility/);
    expect(html.length).toBeLessThan(400_000);
  });
});

describe("kubectl backoff simulate POD and -f", () => {
  it("takes runs, restartPolicy and configuration from what was observed", async () => {
    const { policy, starts, restartPolicy } = await simulated("-f", example("lower-maximum"), "--restarts", "5");
    expect(policy).toMatchObject({ maxSeconds: 60, basis: "configz", kubeletVersion: "v1.37.1" });
    expect(restartPolicy).toBe("Always");
    expect(starts).toHaveLength(6);
    for (const { startedSeconds, finishedSeconds } of starts) expect(finishedSeconds - startedSeconds).toBeCloseTo(12);
  });

  it("takes causes from what was observed, too: a container that its liveness probe kills", async () => {
    const { starts } = await simulated("-f", example("liveness-probe"), "--restarts", "3");
    expect(starts).toMatchObject(Array(4).fill({ cause: "liveness-probe", delaySeconds: 0 }));
  });

  it("prefers flags to what was observed", async () => {
    const given = ["--run", "5s", "--max-restart-period", "30s", "--restart-policy", "OnFailure"];
    const { policy, starts, restartPolicy } = await simulated("-f", example("lower-maximum"), ...given);
    expect(policy).toMatchObject({ maxSeconds: 30, basis: "flag" });
    expect(restartPolicy).toBe("OnFailure");
    expect(starts[0].finishedSeconds).toBe(5);
  });

  it("compares the observed configuration as as-is", async () => {
    const argv = ["-f", example("lower-maximum"), "--compare", "as-is,default", "-o", "json"];
    const { simulations } = JSON.parse(await stdoutOf(["simulate", ...argv]));
    expect(simulations.map(({ policy }: { policy: { maxSeconds: number } }) => policy.maxSeconds)).toEqual([60, 300]);
  });

  it("fails if the container has never exited, and names the flag for its runs", async () => {
    expect(await stderrOf(["simulate", "-f", example("healthy")], 2)).toContain("Pass --run or --liveness");
    expect(await stdoutOf(["simulate", "-f", example("healthy"), "--run", "5s"])).toContain("healthy");
  });

  it("fails if several pods match", async () => {
    const result = await run("simulate", "-f", example("healthy"), "-f", example("exit-code-0"));
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain("Name one: exit0 or healthy");
    expect(
      await stdoutOf(["simulate", "pod", "exit0", "-f", example("healthy"), "-f", example("exit-code-0")]),
    ).toMatch(/^dev-a\/exit0, container app: /);
  });

  it.each([
    { words: ["healthy", "exit0"], why: "two names" },
    { words: ["pod", "healthy", "exit0"], why: "two names after a type" },
  ])("refuses $why", async ({ words }) => {
    const argv = ["simulate", ...words, "-f", example("healthy"), "-f", example("exit-code-0")];
    expect(await stderrOf(argv, 2)).toContain("simulate needs exactly one pod; this matches 2.");
    expect(await stderrOf(["simulate", ...words], 2)).toContain("Name one: kubectl backoff simulate POD.");
  });

  it("says that the kubelet's version is unknown without a node", async () => {
    const [title] = (await stdoutOf(["simulate", "-f", writeDocument(aRawPod())])).split("\n\n");
    expect(title?.replaceAll("\n", " ")).toMatch(/; restartPolicy Always, kubelet of unknown version\.$/);
  });
});
