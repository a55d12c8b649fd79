import { describe, expect, it } from "vitest";
import { withProgressBar } from "../../src/commands/terminal/progress-bar.ts";
import type { Progress } from "../../src/simulate/contention.ts";
import { run, stderrOf, stdoutOf } from "../support/command.ts";
import { validDocument } from "../support/schema.ts";

const SMALL = ["strategies", "--clients", "3,12", "--runs", "4"];

describe("kubectl backoff strategies", () => {
  it("prints the seven strategies with the clients of the original experiment", async () => {
    const lines = (await stdoutOf(["strategies", "--runs", "3"])).split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^CALLS +10 clients +50 clients +100 clients +190 clients$/));
    const names = lines.flatMap((line) => /^([a-z]+) +\d[\d.]* .*\d$/.exec(line)?.[1] ?? []);
    expect(names).toEqual(["none", "fixed", "linear", "exponential", "full", "equal", "decorrelated"]);
  });

  it("prints the same for the same seed, and something else for another", async () => {
    const first = await stdoutOf([...SMALL, "--seed", "7", "-o", "json"]);
    expect(await stdoutOf([...SMALL, "--seed", "7", "-o", "json"])).toBe(first);
    expect(await stdoutOf([...SMALL, "--seed", "8", "-o", "json"])).not.toBe(first);
  });

  it("has the seven names by default, and kubelet only on request", async () => {
    const namesOf = async (...argv: string[]) => {
      const { results } = validDocument("contention", await stdoutOf([...SMALL, "-o", "json", ...argv]));
      return [...new Set(results.map(({ strategy }: { strategy: string }) => strategy))];
    };
    expect(await namesOf()).toEqual(["none", "fixed", "linear", "exponential", "full", "equal", "decorrelated"]);
    expect(await namesOf("--strategy", "kubelet, full,kubelet")).toEqual(["kubelet", "full"]);
  });

  it("takes base, cap and network", async () => {
    const argv = [...SMALL, "--base", "10ms", "--cap", "1m", "--network", "50ms", "-o", "json"];
    const { settings } = validDocument("contention", await stdoutOf(argv));
    const network = { meanSeconds: 0.05, standardDeviationSeconds: 0 };
    expect(settings).toEqual({ runs: 4, seed: 1, baseSeconds: 0.01, capSeconds: 60, network });
  });

  it.each([
    ["svg", /^<svg [\s\S]*<\/svg>\n$/],
    ["html", /^<!DOCTYPE html>[\s\S]*<\/html>\n$/],
    ["csv", /^strategy,clients,completionMs,calls\n/],
  ])("prints %s", async (format, pattern) => {
    expect(await stdoutOf([...SMALL, "-o", format])).toMatch(pattern);
  });
});

describe("wrong usage", () => {
  it.each([
    [["--clients", "0"], 'Invalid value "0" for --clients.\nPass up to 20 whole numbers from 1 to 2000'],
    [["--clients", "10,ten"], 'Invalid value "10,ten" for --clients.'],
    [["--runs", "-1"], 'Invalid value "-1" for --runs.\nPass a whole number from 1 to 10000'],
    [["--seed", "4294967296"], 'Invalid value "4294967296" for --seed.\nPass a whole number from 0 to 4294967295'],
    [["--base", "-5ms"], 'Invalid value "-5ms" for --base.\nPass a duration of more than 0s, up to 24h'],
    [["--cap", "5"], 'Invalid value "5" for --cap.'],
    [["--base", "3s"], 'Invalid value "2s" for --cap.\nPass at least the base, 3s'],
    [["--network", "10ms,-1ms"], 'Invalid value "10ms,-1ms" for --network.\nPass a mean and a standard deviation'],
    [["--network", "1ms,2ms,3ms"], 'Invalid value "1ms,2ms,3ms" for --network.'],
    [["--strategy", "full,ful"], 'Invalid value "full,ful" for --strategy.\nPass some of none, fixed, linear, expo'],
    [["--clients", "2000", "--runs", "10000"], 'Invalid value "10000" for --runs.\nPass at most 71, with all the rest'],
    [["-o", "yaml"], 'There is no output format "yaml".\nPass table, csv, json, svg or html'],
  ])("names the valid values for %j", async (argv, message) => {
    expect(await stderrOf(["strategies", ...argv], 2)).toContain(`Error: ${message}`);
  });
});

describe("withProgressBar()", () => {
  function* simulation(): Generator<Progress, string> {
    yield { done: 0, doing: "none" };
    yield { done: 0.5, doing: "none" };
    yield { done: 0.5, doing: "none" };
    yield { done: 0.99, doing: "full" };
    return "the result";
  }

  it("draws its progress on a terminal, and removes it in the end", async () => {
    const written: string[] = [];
    const target = { isTTY: true, write: (text: string) => written.push(text) };
    expect(await withProgressBar(simulation(), target)).toBe("the result");
    expect(written).toEqual([
      `\r\u001b[K${"·".repeat(24)}   0% none`,
      `\r\u001b[K${"█".repeat(12)}${"·".repeat(12)}  50% none`,
      `\r\u001b[K${"█".repeat(23)}·  99% full`,
      "\r\u001b[K",
    ]);
  });

  it("writes nothing if the target is not a terminal", async () => {
    const written: string[] = [];
    expect(await withProgressBar(simulation(), { write: (text: string) => written.push(text) })).toBe("the result");
    expect(written).toEqual([]);
    expect((await run(...SMALL)).stderr).toBe("");
  });
});
