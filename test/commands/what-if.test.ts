import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { repositoryFile, stderrOf, stdoutOf } from "../support/command.ts";
import { validExplanation } from "../support/schema.ts";

const example = (name: string) => repositoryFile(`examples/${name}.json.gz`);

interface Configuration {
  readonly name: string;
  readonly delaySeconds: number;
  readonly nextRestart: { readonly notBefore: string; readonly likelyBy: string } | null;
  readonly comingDelaysSeconds: readonly number[];
  readonly restartsInNextHour: number;
}

async function whatIf(file: string, configurations: string, ...argv: string[]): Promise<Configuration[]> {
  const text = await stdoutOf(["explain", "-f", example(file), "--what-if", configurations, "-o", "json", ...argv]);
  const { whatIf: containers } = validExplanation(text);
  expect(containers).toHaveLength(1);
  return containers[0].configurations;
}

describe("kubectl backoff explain --what-if", () => {
  it("says which delay this exit would have under another configuration", async () => {
    const rows = await whatIf("crashes-on-1.34", "default,max=60s,reduced,v1.37,as-is");
    const delays = rows.map(({ name, delaySeconds }) => `${name} ${delaySeconds}`);
    expect(delays).toEqual(["as it is 160", "default 160", "max=60s 60", "reduced 16", "v1.37 160", "as-is 160"]);
  });

  it("begins with the answer itself", async () => {
    const argv = ["explain", "-f", example("crashes-on-1.34"), "-o", "json"];
    const [container] = validExplanation(await stdoutOf(argv)).pods[0].containers;
    const [asItIs] = await whatIf("crashes-on-1.34", "max=60s");
    expect(asItIs).toMatchObject({ delaySeconds: container.delaySeconds, nextRestart: container.nextRestart });
  });

  it("gives the policy as the answer does, to the fraction of a millisecond", async () => {
    const flags = ["--max-restart-period", "60.0005s", "--what-if", "default", "-o", "json"];
    const explanation = validExplanation(await stdoutOf(["explain", "-f", example("crashes-on-1.34"), ...flags]));
    const [{ policy }] = explanation.pods;
    expect(policy.maxSeconds).toBe(60.0005);
    expect(explanation.whatIf[0].configurations[0].policy).toEqual(policy);
  });

  it("counts the next start from the same exit", async () => {
    const [, same, shorter] = await whatIf("crashes-on-1.34", "default,max=60s");
    const from = (row: Configuration | undefined) => Date.parse(row?.nextRestart?.notBefore ?? "");
    expect(from(same) - from(shorter)).toBe(100_000);
  });

  it("goes on with the curve from there", async () => {
    const [, longer] = await whatIf("lower-maximum", "default");
    expect(longer).toMatchObject({ delaySeconds: 300, comingDelaysSeconds: [300, 300, 300, 300] });
    const rows = await whatIf("crashes-on-1.34", "v1.34+reduced");
    expect(rows[1]?.comingDelaysSeconds).toEqual([32, 60, 60, 60]);
    expect(rows[1]?.restartsInNextHour).toBeGreaterThan(rows[0]?.restartsInNextHour ?? 99);
  });

  it("knows that probe kills lag", async () => {
    const [asItIs, shorter] = await whatIf("liveness-probe", "max=60s");
    expect(asItIs).toMatchObject({ delaySeconds: 160, comingDelaysSeconds: [300, 0, 300, 0] });
    expect(shorter).toMatchObject({ delaySeconds: 60, comingDelaysSeconds: [0, 60, 0, 60] });
  });

  it("says what the next exit would have to wait while it runs", async () => {
    const [asItIs, shorter] = await whatIf("recovering", "max=20s");
    expect(asItIs?.nextRestart).toBeNull();
    expect(asItIs?.delaySeconds).toBe(80);
    expect(shorter).toMatchObject({ delaySeconds: 20, nextRestart: null });
  });

  it("prints a table below the explanation, no wider than the page", async () => {
    const argv = ["explain", "-f", example("liveness-probe"), "--what-if", "max=60s,v1.34"];
    const printed = await stdoutOf(argv);
    await expect(printed.slice(printed.indexOf("WHAT IF"))).toMatchFileSnapshot("../golden/what-if.80.txt");
    expect(printed.startsWith(await stdoutOf(argv.slice(0, 3)))).toBe(true);
    expect(printed.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("prints the same as YAML", async () => {
    const argv = ["explain", "-f", example("liveness-probe"), "--what-if", "max=60s", "-o"];
    expect(load(await stdoutOf([...argv, "yaml"]))).toEqual(JSON.parse(await stdoutOf([...argv, "json"])));
  });

  it("says so where nothing has exited", async () => {
    const printed = await stdoutOf(["explain", "-f", example("healthy"), "--what-if", "max=60s"]);
    expect(printed).toContain("nothing has crashed yet");
    const json = await stdoutOf(["explain", "-f", example("healthy"), "--what-if", "max=60s", "-o", "json"]);
    expect(validExplanation(json).whatIf).toEqual([]);
  });

  it.each([
    { argv: ["--what-if", "nonsense"], says: 'Invalid value "nonsense" for --what-if' },
    { argv: ["--what-if", "max=60s", "-o", "svg"], says: "combined with -o svg.\nPass table, wide, json or yaml." },
    { argv: ["--what-if", "max=60s", "-w"], says: "--watch can't be combined with" },
  ])("refuses $argv", async ({ argv, says }) => {
    expect(await stderrOf(["explain", "-f", example("healthy"), ...argv], 2)).toContain(says);
  });
});
