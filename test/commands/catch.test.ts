import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { loadCommands } from "../../src/commands/commands.ts";
import { CatchLab } from "../support/catch-lab.ts";
import { oncePrinted, run, stderrOf } from "../support/command.ts";
import { aRawPod } from "../support/raw-objects.ts";
import { validDocument } from "../support/schema.ts";

let lab: CatchLab;

// The first import of the commands is slow, and does not count as a test's time here.
beforeAll(() => loadCommands());
beforeEach(async () => {
  lab = await CatchLab.start();
});

describe("kubectl backoff catch", () => {
  it("waits for the restart, records it to its exit, and explains the crash", async () => {
    const [{ exitCode, stdout, stderr }] = await Promise.all([lab.caught("crash.json", "-o", "json"), lab.crash()]);
    expect({ exitCode, stderr: stderr.trimEnd().split("\n") }).toEqual({
      exitCode: 0,
      stderr: [
        expect.stringMatching(/^Waiting for app to start\. Restarts in .*13:1\d:\d\d.* GMT\+1/),
        "Recording restart 6 of app.",
        expect.stringMatching(/^Wrote .*crash\.json: restart 6 of app \(\d+s, exit code 1\), 2 log lines\.$/),
      ],
    });
    expect(stdout).toMatch(/^prod\/web-0: app is in CrashLoopBackOff/m);
    expect(stdout).toMatch(/^Crash {6}Exit code 1 after \d+s: KeyError: 'DB_URL'$/m);
    expect(stdout).toMatch(/^Log {8}starting\n {11}KeyError: 'DB_URL' {2}\(last 2 log lines\)$/m);
    expect(lab.linesIn("crash.json")).toEqual(["starting", "KeyError: 'DB_URL'"]);
    expect(statSync(lab.file("crash.json")).mode & 0o777).toBe(0o600);
    const { items } = validDocument("catch", readFileSync(lab.file("crash.json"), "utf8"));
    expect(items.filter(({ kind }: { kind: string }) => kind === "Pod").length).toBe(3);
  });

  it.each(["json", "html"])("writes a file of %s that explain -f explains at its own moment", async (form) => {
    const [{ stdout }] = await Promise.all([lab.caught(`crash.${form}`, "-o", form), lab.crash()]);
    const file = lab.file(`crash.${form}`);
    const explained = await run("explain", "-f", file);
    const recorded = expect.stringContaining("(time of the recording)");
    expect(explained).toEqual({ exitCode: 0, stdout: recorded, stderr: "" });
    // The file has times in whole seconds, so the bar can differ by a cell and the line "Since" by a second.
    const linesOf = (text: string): string[] =>
      text
        .trim()
        .split("\n")
        .filter((line) => !/▁|^Since/.test(line));
    expect(linesOf(explained.stdout).slice(2)).toEqual(linesOf(stdout));
  });

  it("takes the first name that is free, and never writes over a file", async () => {
    const before = process.cwd();
    process.chdir(lab.folder);
    onTestFinished(() => process.chdir(before));
    writeFileSync("catch-web-0.html", "mine");
    const [{ stderr }] = await Promise.all([run("catch", "web-0"), lab.crash()]);
    expect(stderr).toContain("Wrote catch-web-0.2.html: ");
    expect(readFileSync("catch-web-0.html", "utf8")).toBe("mine");
    const refused = await stderrOf(["catch", "web-0", "--output-file", "catch-web-0.html"], 1);
    expect(refused).toContain("already exists; --output-file never overwrites a file");
  });

  it("waits for the next run of a container that is running, and records this one with --now", async () => {
    lab.put(6, lab.running(), lab.ended(5));
    const waiting = await lab.caught("next.json", "--timeout=2s");
    expect(waiting).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("Pass --now to catch this one.") });
    lab.say(6, "long ago");
    const { exitCode, stderr } = await lab.caughtOnce("follow", ["now.json", "-o", "json", "--now"], () => {
      lab.say(6, "now");
      lab.exit(6, lab.ended(5), 3);
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("exit code 3), 2 log lines") });
    expect(lab.linesIn("now.json")).toEqual(["long ago", "now"]);
  });

  it("records with --now a container that nothing will restart, also without any log", async () => {
    lab.put(0, lab.running(), {}, { spec: { restartPolicy: "Never" } });
    const caught = await lab.caughtOnce("follow", ["never.json", "-o", "json", "--now"], () => {
      lab.simulator.logs.end("containerd://0");
      lab.put(0, lab.ended(0), {}, { spec: { restartPolicy: "Never" } });
    });
    expect(caught).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("exit code 1), 0 log lines.") });
  });

  it("records a run that has ended before the program hears of it", async () => {
    const { exitCode } = await lab.caughtOnce("watch", ["zero.json", "-o", "json"], () => {
      lab.say(6, "gone at once");
      lab.put(6, { waiting: { reason: "CrashLoopBackOff" } }, lab.ended(6));
    });
    expect(exitCode).toBe(0);
    expect(lab.linesIn("zero.json")).toEqual(["gone at once"]);
  });

  it("reads the log of the previous instance if the next one runs already", async () => {
    lab.put(0, lab.running());
    const { exitCode } = await lab.caughtOnce("follow", ["first.json", "-o", "json", "--now"], () => {
      lab.say(0, "one", "two");
      lab.simulator.logs.end("containerd://0");
      lab.put(1, lab.running(), lab.ended(0));
      lab.say(1, "of the next run");
    });
    expect(exitCode).toBe(0);
    expect(lab.linesIn("first.json")).toEqual(["one", "two"]);
  });

  it("loses no line and repeats none when the connection breaks", async () => {
    lab.put(6, lab.running(), lab.ended(5));
    const all = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    const { exitCode } = await lab.caughtOnce("follow", ["broken.json", "-o", "json", "--now"], async () => {
      for (const [index, line] of all.entries()) {
        lab.say(6, line);
        if (index % 50 === 25) await sleep(20).then(() => lab.simulator.logs.drop());
      }
      await sleep(300);
      lab.exit(6, lab.ended(5));
    });
    expect(exitCode).toBe(0);
    expect(lab.linesIn("broken.json")).toEqual(all);
    expect(lab.simulator.requests.some(({ query }) => query.has("sinceTime"))).toBe(true);
  });

  it("keeps the end of a log that is longer than --limit-bytes", async () => {
    const [caught] = await Promise.all([lab.caught("end.json", "-o", "json", "--limit-bytes=20"), lab.crash()]);
    expect(caught).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("1 log line, the last of 2.") });
    expect(lab.linesIn("end.json")).toEqual(["KeyError: 'DB_URL'"]);
  });

  it("says in one sentence that logs may not be read, and records the rest", async () => {
    lab = await CatchLab.start(["pods/log"]);
    const { exitCode, stderr } = await lab.caughtOnce("watch", ["mute.json", "-o", "json"], async () => {
      lab.put(6, lab.running());
      await oncePrinted("No permission to read the log");
      lab.exit(6);
    });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(
      /^No permission to read the log of web-0 .+\n(.+\n)+Wrote .*no log \(no permission .*\)\.\n$/,
    );
  });

  it("writes to stdout with --output-file -", async () => {
    const [{ stdout }] = await Promise.all([run("catch", "web-0", "-o", "json", "--output-file", "-"), lab.crash()]);
    expect(JSON.parse(stdout)).toMatchObject({ kind: "Catch", container: "app", ended: "exited" });
    expect(readdirSync(lab.folder)).toEqual([]);
  });
});

describe("an error of catch", () => {
  it.each([
    { argv: [], says: "Name one: kubectl backoff catch POD" },
    { argv: ["web-0", "web-1"], says: "needs exactly one pod; this matches 2." },
    { argv: ["web-0", "-o", "yaml"], says: "Pass html or json" },
    { argv: ["web-0", "--timeout=soon"], says: "0 checks once, -1s waits a week" },
    { argv: ["web-0", "--limit-bytes=10Gi"], says: "such as 500Ki or 10Mi" },
    { argv: ["web-0", "--output-file", ""], says: "the name of a new file, or - for stdout" },
  ])("of usage comes before any connection: $says", async ({ argv, says }) => {
    vi.stubEnv("KUBECONFIG", "/nowhere/config");
    expect(await stderrOf(["catch", ...argv], 2)).toContain(says);
  });

  it.each([
    { argv: ["web-0", "-c", "ap"], exitCode: 1, says: "Pass -c with app." },
    { argv: ["web-1"], exitCode: 1, says: "Did you mean web-0?" },
    { argv: ["web-0", "--output-file", "/nowhere/crash.html"], exitCode: 1, says: "no such file or directory" },
  ] as const)("says: $says", async ({ argv, exitCode, says }) => {
    expect(await stderrOf(["catch", ...argv], exitCode)).toContain(says);
  });

  it("tells that a pod never restarts, or is deleted before it does", async () => {
    lab.put(0, lab.ended(0), {}, { spec: { restartPolicy: "Never" } });
    expect(await stderrOf(["catch", "web-0", "--output-file", lab.file("never.html")], 1)).toBe(
      "Error: pod/web-0 will not restart any more: its container app never starts again, by its restart policy.\n",
    );
    lab.simulator.put(aRawPod());
    const remove = () => lab.simulator.remove("prod", "web-0");
    const { exitCode, stderr, stdout } = await lab.caughtOnce("watch", ["gone.html"], remove);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("Error: pod/web-0 will not restart any more: it has been deleted.\n");
    expect(readdirSync(lab.folder)).toEqual([]);
  });
});
