import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { jsonOf, run, stderrOf, stdoutOf } from "../support/command.ts";
import { temporaryFolder, writeDocument } from "../support/kubeconfig.ts";
import { aRawEvent, aRawNode, aRawPod } from "../support/raw-objects.ts";

const AT = "--at=2026-11-21T12:10:00Z";

function input(...objects: readonly object[]): string {
  return writeDocument({ apiVersion: "v1", kind: "List", items: [aRawPod(), aRawNode(), ...objects] }, "input.json");
}

describe("explain --report FILE", () => {
  it("writes a file that is explained the same way, without --at", async () => {
    const report = join(temporaryFolder(), "report.json");
    const argv = ["explain", "-f", input(), AT, "-o", "json"];
    const { exitCode, stdout, stderr } = await run(...argv, "--report", report);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: await stdoutOf(argv) });
    expect(stderr).toMatch(/^Wrote .*report\.json\. .*look through it.*\n$/);
    expect(statSync(report).mode & 0o777).toBe(0o600);
    const [original] = JSON.parse(stdout).pods;
    const again = await jsonOf("explain", "-f", report);
    expect(again).toMatchObject({ at: "2026-11-21T12:10:00Z", atBasis: "recording" });
    const [pod] = again.pods;
    for (const field of ["verdict", "policy", "phase"]) expect(pod[field]).toEqual(original[field]);
    const codesOf = ({ gaps }: { gaps: { code: string }[] }): string[] => gaps.map(({ code }) => code);
    expect(codesOf(pod)).toEqual(codesOf(original));
    for (const field of ["state", "delaySeconds", "nextRestart", "reset", "history", "restartCount"])
      expect(pod.containers[0][field]).toEqual(original.containers[0][field]);
  });

  it("keeps the gap that names an invalid field", async () => {
    const report = join(temporaryFolder(), "report.json");
    const event = { ...aRawEvent("web.secret"), lastTimestamp: "soon" };
    const explained = await stdoutOf(["explain", "-f", input(event), AT, "-o", "json"]);
    expect(explained).toContain("event web.secret lastTimestamp");
    await run("explain", "-f", input(event), AT, "--report", report);
    const again = await jsonOf("explain", "-f", report);
    expect(again.pods[0].gaps).toContainEqual({
      code: "invalid-fields",
      message: "Ignored invalid fields of pod web-0: event web.secret lastTimestamp.",
    });
  });

  it("is on stdout instead of the explanation with -", async () => {
    const { exitCode, stdout, stderr } = await run("explain", "-f", input(), AT, "--report", "-");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).items.map(({ kind }: { kind: string }) => kind)).toEqual(["Report", "Pod", "Node"]);
    expect(stderr).toMatch(/^It has names, .*\n$/);
  });

  it("remembers flags that the explanation depended on", async () => {
    const report = join(temporaryFolder(), "report.json");
    await run("explain", "-f", input(), AT, "--max-restart-period=1m", "--report", report);
    const { stderr } = await run("explain", "-f", report, "-o", "name");
    expect(stderr).toBe("The report was made with --max-restart-period=1m: pass that to explain it the same way.\n");
  });

  it("overwrites no file", async () => {
    const report = writeDocument("mine", "report.json");
    expect(await stderrOf(["explain", "-f", input(), "--report", report], 1)).toContain("already exists");
    expect(readFileSync(report, "utf8")).toBe("mine");
  });

  it("says why a file cannot be written, and prints nothing", async () => {
    const report = join(temporaryFolder(), "nowhere", "report.json");
    expect(await stderrOf(["explain", "-f", input(), "--report", report], 1)).toContain("no such file or directory");
  });

  it("rejects two pods", async () => {
    const report = join(temporaryFolder(), "report.json");
    const other = aRawPod({ metadata: { name: "web-1", uid: "u1" } });
    const said = await stderrOf(["explain", "-f", input(other), "--report", report], 2);
    expect(said).toContain("--report needs exactly one pod; this matches 2.");
    expect(existsSync(report)).toBe(false);
  });

  it.each([
    { argv: ["web-0", "-w", "--report", "x.json"], says: "--watch can't be combined with --report" },
    { argv: ["web-0", "--report", ""], says: "--report" },
  ])("is refused with $argv", async ({ argv, says }) => {
    expect(await stderrOf(["explain", ...argv], 2)).toContain(says);
  });

  it("is rejected as input together with another report", async () => {
    const folder = temporaryFolder();
    const report = await run("explain", "-f", input(), AT, "--report", "-");
    for (const name of ["a.json", "b.json"]) writeFileSync(join(folder, name), report.stdout);
    expect(await stderrOf(["explain", "-f", folder], 1)).toContain("The input has 2 reports");
  });
});
