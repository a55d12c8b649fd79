import { describe, expect, it } from "vitest";
import { stderrOf, stdoutOf } from "../support/command.ts";

const LIVENESS = "initialDelay=3,period=3,failure=3,grace=30,ignores-term";

describe("kubectl backoff simulate with invalid and extreme values", () => {
  it.each([
    { argv: ["--run", "-5s"], says: 'Invalid value "-5s" for --run' },
    { argv: ["--run", "42"], says: "such as 42s" },
    { argv: ["--run", "10s±200%"], says: "10s±200%" },
    { argv: ["--run", "5s,,5s"], says: "lengths of runs" },
    { argv: ["--run", "9000h"], says: "lengths of runs" },
    { argv: ["--liveness", "period=0"], says: 'Invalid value "period=0" for --liveness' },
    { argv: ["--liveness", "failure=0"], says: "settings such as" },
    { argv: ["--liveness", "failure=1.5"], says: "settings such as" },
    { argv: ["--liveness", "initialDelay=-3"], says: "settings such as" },
    { argv: ["--liveness", "period=3,period=4"], says: "settings such as" },
    { argv: ["--liveness", "period=3,phase=4"], says: "settings such as" },
    { argv: ["--startup", "colour=blue"], says: 'Invalid value "colour=blue" for --startup' },
    { argv: ["--for", "0s"], says: "more than 0s" },
    { argv: ["--restarts", "5000000"], says: "from 0 to 99999" },
    { argv: ["--exit-code", "256"], says: "from 0 to 255" },
    { argv: ["--compare", "nonsense"], says: "default, max=60s, reduced" },
    { argv: ["--compare", "max=1h"], says: "from 1s to 300s" },
    { argv: ["--compare", "v1.12"], says: "from v1.19" },
    { argv: ["--compare", "v1.19+max=60s"], says: "v1.19 has no maxContainerRestartPeriod" },
    { argv: ["--kubelet-version", "v1.30", "--reduced-decay"], says: "Pass v1.33 or newer with it: v1.30 has no" },
    {
      argv: ["--kubelet-version", "v1.19", "--max-restart-period", "60s"],
      says: "Pass v1.32 or newer with it: v1.19 has no",
    },
    { argv: ["--run", "5s", "--liveness", LIVENESS], says: "Use either --run or --liveness" },
    { argv: ["--for", "5m", "--restarts", "3"], says: "Use either --for or --restarts" },
    { argv: ["-o", "xml"], says: "table, json, yaml, svg or html" },
  ])("rejects $argv: $says", async ({ argv, says }) => {
    expect(await stderrOf(["simulate", ...argv], 2)).toContain(says);
  });

  it("ends after 100,000 starts, and says so", async () => {
    const printed = await stdoutOf(["simulate", "--run", "0s", "--for", "8760h"]);
    expect(printed).toContain("the simulation ends after 100000 starts");
    expect(printed).toContain("The last line repeats up to start 99999");
    expect(printed.split("\n").length).toBeLessThan(25);
  });

  it("limits the number of rows", async () => {
    const printed = await stdoutOf(["simulate", "--for", "24h", "--seed", "1"]);
    expect(printed).toMatch(/^\d+ more, up to start \d+: see -o json\.$/m);
    expect(printed.split("\n").length).toBeLessThan(120);
  });
});
