import { describe, expect, it } from "vitest";
import type { FaultKind } from "../../lab/api-server/faults.ts";
import type { Simulator } from "../../lab/api-server/simulator.ts";
import { stdoutOf } from "../support/command.ts";
import { clockFrom, currentCluster } from "../support/listing.ts";
import { aRawNode, aRawPod, SERVER_CLOCK_MS } from "../support/raw-objects.ts";

let simulator: Simulator;

async function start(forbidden: string[] = []): Promise<void> {
  const clock = clockFrom(SERVER_CLOCK_MS);
  simulator = await currentCluster({ objects: [aRawPod(), aRawNode()], clock, forbidden });
  simulator.logs.write("containerd://b", "1\n2\n3\n4\n5\n6\nKeyError: 'DB_URL'\n", clock());
}

const ARGV = ["explain", "web-0", "-n", "prod"];
const isOfLogs = ({ path }: { readonly path: string }): boolean => path.endsWith("/log");

describe("the log of a pod in a cluster", () => {
  it("is requested before configz has answered, so that it adds no round trip", async () => {
    await start();
    simulator.fail({ path: "configz", fault: { delayMs: 1500 } });
    expect(await stdoutOf(ARGV)).toMatch(
      /^Log {8}3\n {11}4\n {11}5\n {11}6\n {11}KeyError: 'DB_URL' {2}\(last 5 log lines\)$/m,
    );
    const askedAtMs = (path: RegExp): number => simulator.requests.find((one) => path.test(one.path))?.atMs ?? 0;
    expect(askedAtMs(/log$/)).toBeLessThan(askedAtMs(/configz$/) + 1500);
    expect(askedAtMs(/log$/)).toBeGreaterThan(0);
    expect(simulator.requests.filter(isOfLogs).map(({ query }) => Object.fromEntries(query))).toEqual([
      { container: "app", previous: "true", limitBytes: "262144", tailLines: "50" },
    ]);
  });

  it("is reported as one gap without the right to read it, and is not requested with --tail 0", async () => {
    await start(["pods/log"]);
    const shown = await stdoutOf(ARGV);
    expect(shown.match(/No permission to read the log of app/g)).toHaveLength(1);
    expect(shown).toContain("prod/web-0: app is in CrashLoopBackOff");
    const asked = simulator.requests.filter(isOfLogs).length;
    expect(await stdoutOf([...ARGV, "--tail", "0"])).not.toContain("the log of app");
    expect(simulator.requests.filter(isOfLogs)).toHaveLength(asked);
  });

  const page = { "Content-Type": "text/html" };
  const later = { "Retry-After": "60" };
  it.each<{ why: string; fault: FaultKind; says: string }>([
    { why: "does not come", fault: "stalled", says: "Reading the log of app took too long;" },
    { why: "breaks off", fault: "cut-off", says: "could not be reached for the log of app;" },
    {
      why: "is refused with Retry-After",
      fault: { status: 429, headers: later },
      says: "could not be reached for the log",
    },
    {
      why: "is a web page",
      fault: { status: 200, headers: page, body: "<html>" },
      says: "could not be reached for the log",
    },
    {
      why: "ignores the limits of the request",
      fault: { status: 200, body: "x\n".repeat(2 ** 20) },
      says: "x  (last log line, cut",
    },
    { why: "is binary", fault: { status: 200, body: Buffer.from([0, 1, 255, 27, 91, 50, 74, 10]) }, says: "Log  " },
  ])("that $why does not prevent the explanation", async ({ fault, says }) => {
    await start();
    simulator.fail({ path: "/log", fault });
    const shown = (await stdoutOf(ARGV)).replaceAll(/\s+/g, (blanks) => (blanks.includes("\n") ? " " : blanks));
    expect(shown).toContain("prod/web-0: app is in CrashLoopBackOff");
    expect(shown).toContain(says);
    expect(shown).toContain("kubectl logs web-0 -n prod -c app -p");
    expect(shown).not.toContain("\u001b");
  });
});
