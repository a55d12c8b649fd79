import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Simulator, startSimulator } from "../../lab/api-server/simulator.ts";
import { aRawEvent, aRawNode, aRawPod } from "../support/api-server.ts";
import { run, stderrOf } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";

const BEGAN_MS = Date.UTC(2026, 10, 21, 12, 10, 0);
let simulator: Simulator;
let folder: string;
let nowMs: () => number;

async function start(pod: object = aRawPod(), forbidden: readonly string[] = []): Promise<void> {
  const began = performance.now();
  nowMs = () => Math.floor(BEGAN_MS + performance.now() - began);
  const node = { ...aRawNode(), metadata: { name: "node-a", uid: "uid-of-node-a" } };
  simulator = await startSimulator({ objects: [pod, node, aRawEvent("one")], clock: nowMs, forbidden });
  onTestFinished(() => simulator.close());
  vi.stubEnv("KUBECONFIG", writeKubeconfig(simulator.cluster, {}));
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "backoff-catch-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await start();
});

const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
const ended = (id: number, exitCode = 1) => ({
  terminated: {
    exitCode,
    reason: "Error",
    startedAt: time(BEGAN_MS + 1_000),
    finishedAt: time(nowMs()),
    containerID: `containerd://${id}`,
  },
});
const running = () => ({ running: { startedAt: time(nowMs()) } });

/** `web-0` with this state of its container; its restartCount is also its instance's ID. */
function podWith(restartCount: number, state: object, lastState: object = {}, overrides: object = {}): object {
  const status = {
    name: "app",
    restartCount,
    containerID: `containerd://${restartCount}`,
    state,
    lastState,
    ready: true,
  };
  return { ...aRawPod(overrides), status: { phase: "Running", containerStatuses: [status] } };
}

async function onceWatched(): Promise<void> {
  const isWatched = (): boolean => simulator.requests.some(({ query }) => query.has("watch"));
  await vi.waitFor(() => expect(isWatched()).toBe(true), { timeout: 10_000 });
  await sleep(100);
}

const isFollowed = async (): Promise<void> => {
  const follows = (): boolean => simulator.requests.some(({ query }) => query.has("follow"));
  await vi.waitFor(() => expect(follows()).toBe(true), { timeout: 10_000 });
};

const say = (id: number, ...lines: readonly string[]): void => {
  for (const line of lines) simulator.logs.write(`containerd://${id}`, `${line}\n`, nowMs());
};

/** Restart 6 of a pod that has crashed five times: prints two lines, and exits. */
async function crash(): Promise<void> {
  await onceWatched();
  say(6, "starting");
  simulator.put(podWith(6, running()));
  await isFollowed();
  await sleep(50);
  say(6, "KeyError: 'DB_URL'");
  simulator.logs.end("containerd://6");
  simulator.put(podWith(6, ended(6)));
}

const inFolder = (name: string): string => join(folder, name);
const linesIn = (file: string): string[] =>
  JSON.parse(readFileSync(file, "utf8")).log.lines.map(({ text }: { text: string }) => text);

/** `catch web-0`, with a file of that name. */
function caught(name: string, ...argv: readonly string[]) {
  return run("catch", "web-0", "--output-file", inFolder(name), ...argv);
}

describe("kubectl backoff catch", () => {
  it("waits for the restart, records it to its exit, and explains the crash", async () => {
    const [{ exitCode, stdout, stderr }] = await Promise.all([caught("crash.json", "-o", "json"), crash()]);
    expect({ exitCode, stderr: stderr.trimEnd().split("\n") }).toEqual({
      exitCode: 0,
      stderr: [
        expect.stringMatching(/^Waiting for app to start\. Next start .*13:1\d:\d\d.* GMT\+1/),
        "Recording restart 6 of app.",
        expect.stringMatching(/^Wrote .*crash\.json: restart 6 of app \(\d+s, exit code 1\), 2 log lines\.$/),
      ],
    });
    expect(stdout).toMatch(/^prod\/web-0: app is in CrashLoopBackOff/m);
    expect(stdout).toMatch(/Its log, all of it:\n {2}starting\n {2}KeyError: 'DB_URL'\n$/);
    expect(linesIn(inFolder("crash.json"))).toEqual(["starting", "KeyError: 'DB_URL'"]);
    expect(statSync(inFolder("crash.json")).mode & 0o777).toBe(0o600);
  });

  it.each(["json", "html"])("writes a file of %s that explain -f explains at its own moment", async (form) => {
    const [{ stdout }] = await Promise.all([caught(`crash.${form}`, "-o", form), crash()]);
    const explained = await run("explain", "-f", inFolder(`crash.${form}`));
    expect(explained).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining("the moment of the recording"),
      stderr: "",
    });
    const [printed = ""] = stdout.split("\n\nIts log");
    expect(explained.stdout.split("\n").slice(2).join("\n").trim()).toBe(printed.trim());
  });

  it("takes the first name that is free, and never writes over a file", async () => {
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    writeFileSync(inFolder("catch-web-0.html"), "mine");
    const [{ stderr }] = await Promise.all([run("catch", "web-0"), crash()]);
    expect(stderr).toContain("Wrote catch-web-0.2.html: ");
    expect(readFileSync(inFolder("catch-web-0.html"), "utf8")).toBe("mine");
    expect(await stderrOf(["catch", "web-0", "--output-file", inFolder("catch-web-0.html")], 1)).toContain(
      "already, and catch overwrites nothing",
    );
  });

  it("waits for the next run of a container that is running, and records this one with --now", async () => {
    simulator.put(podWith(6, running(), ended(5)));
    const waiting = await caught("next.json", "--timeout=300ms");
    expect(waiting).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("Pass --now to catch this one.") });
    say(6, "long ago");
    const [{ exitCode, stderr }] = await Promise.all([
      caught("now.json", "-o", "json", "--now"),
      (async () => {
        await isFollowed();
        say(6, "now");
        simulator.logs.end("containerd://6");
        simulator.put(podWith(6, ended(6, 3), ended(5)));
      })(),
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("exit code 3), 2 log lines") });
    expect(linesIn(inFolder("now.json"))).toEqual(["long ago", "now"]);
  });

  it("records a run that was over before anybody heard of it", async () => {
    const [{ exitCode }] = await Promise.all([
      caught("zero.json", "-o", "json"),
      onceWatched().then(() => {
        say(6, "gone at once");
        simulator.logs.end("containerd://6");
        simulator.put(podWith(6, { waiting: { reason: "CrashLoopBackOff" } }, ended(6)));
      }),
    ]);
    expect(exitCode).toBe(0);
    expect(linesIn(inFolder("zero.json"))).toEqual(["gone at once"]);
  });

  it("reads the log of the instance before, where the next one runs already", async () => {
    simulator.put(podWith(0, running()));
    const [{ exitCode }] = await Promise.all([
      caught("first.json", "-o", "json", "--now"),
      (async () => {
        await isFollowed();
        say(0, "one", "two");
        simulator.logs.end("containerd://0");
        const exit = ended(0);
        simulator.put(podWith(1, running(), exit));
        say(1, "of the next run");
      })(),
    ]);
    expect(exitCode).toBe(0);
    expect(linesIn(inFolder("first.json"))).toEqual(["one", "two"]);
  });

  it("loses no line and doubles none when the connection breaks", async () => {
    simulator.put(podWith(6, running(), ended(5)));
    const all = Array.from({ length: 200 }, (_, index) => `line ${index}`);
    const [{ exitCode }] = await Promise.all([
      caught("broken.json", "-o", "json", "--now"),
      (async () => {
        await isFollowed();
        for (const [index, line] of all.entries()) {
          say(6, line);
          if (index % 50 === 25) {
            await sleep(20);
            simulator.logs.drop();
          }
        }
        await sleep(300);
        simulator.logs.end("containerd://6");
        simulator.put(podWith(6, ended(6), ended(5)));
      })(),
    ]);
    expect(exitCode).toBe(0);
    expect(linesIn(inFolder("broken.json"))).toEqual(all);
  });

  it("keeps the end of a log that is too long", async () => {
    const [{ exitCode, stderr }] = await Promise.all([caught("end.json", "-o", "json", "--limit-bytes=20"), crash()]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining("1 log line, the last of 2."),
    });
    expect(linesIn(inFolder("end.json"))).toEqual(["KeyError: 'DB_URL'"]);
  });

  it("writes what there is on ^C, and at --timeout", async () => {
    const [interrupted] = await Promise.all([
      caught("ctrl-c.json", "-o", "json"),
      (async () => {
        await onceWatched();
        say(6, "starting");
        simulator.put(podWith(6, running()));
        await isFollowed();
        await sleep(200);
        process.emit("SIGINT");
      })(),
    ]);
    expect(interrupted).toMatchObject({ exitCode: 130, stderr: expect.stringContaining("still running at ^C") });
    expect(linesIn(inFolder("ctrl-c.json"))).toEqual(["starting"]);
    const timedOut = await caught("timeout.json", "-o", "json", "--now", "--timeout=500ms");
    expect(timedOut).toMatchObject({ exitCode: 124, stderr: expect.stringContaining("still running at --timeout") });
  });

  it("writes what there is when the pod is deleted meanwhile", async () => {
    simulator.put(podWith(6, running(), ended(5)));
    const [{ exitCode, stderr }] = await Promise.all([
      caught("deleted.json", "-o", "json", "--now"),
      (async () => {
        await isFollowed();
        say(6, "so far");
        await sleep(200);
        simulator.remove("prod", "web-0");
      })(),
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining("the pod was deleted") });
    expect(linesIn(inFolder("deleted.json"))).toEqual(["so far"]);
  });

  it("says in one sentence that logs may not be read, and records the rest", async () => {
    await start(aRawPod(), ["pods/log"]);
    const [{ exitCode, stderr }] = await Promise.all([caught("mute.json", "-o", "json"), crashWithoutLog()]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(
        /^No permission to read the log of web-0 [^\n]+\n(.+\n)+Wrote .*no log \(no permission to read it\)\.\n$/,
      ),
    });
  });

  it("writes to stdout with --output-file -", async () => {
    const [{ stdout }] = await Promise.all([run("catch", "web-0", "-o", "json", "--output-file", "-"), crash()]);
    expect(JSON.parse(stdout)).toMatchObject({ kind: "Catch", container: "app", ended: "exited" });
    expect(readdirSync(folder)).toEqual([]);
  });
});

async function crashWithoutLog(): Promise<void> {
  await onceWatched();
  simulator.put(podWith(6, running()));
  await sleep(300);
  simulator.put(podWith(6, ended(6)));
}

describe("an error of catch", () => {
  it.each([
    { argv: [], exitCode: 2, says: "Name one: kubectl backoff catch POD" },
    { argv: ["web-0", "-o", "yaml"], exitCode: 2, says: "Pass html or json" },
    { argv: ["web-0", "--timeout=-1s"], exitCode: 2, says: "0 is no limit" },
    { argv: ["web-0", "--limit-bytes=10Gi"], exitCode: 2, says: "such as 500Ki or 10Mi" },
    { argv: ["web-0", "-c", "ap"], exitCode: 1, says: "Pass -c with app." },
    { argv: ["web-1"], exitCode: 1, says: "Did you mean web-0?" },
    { argv: ["web-0", "--output-file", "/nowhere/crash.html"], exitCode: 1, says: "no such file or directory" },
  ] as const)("says: $says", async ({ argv, exitCode, says }) => {
    expect(await stderrOf(["catch", ...argv], exitCode)).toContain(says);
  });

  it("is a pod that never restarts, and one that is gone before it does", async () => {
    simulator.put(podWith(0, ended(0), {}, { spec: { restartPolicy: "Never" } }));
    expect(await stderrOf(["catch", "web-0", "--output-file", inFolder("never.html")], 1)).toBe(
      "Error: pod/web-0 will not restart any more: its container app never starts again, by its restart policy.\n",
    );
    simulator.put(aRawPod());
    const [{ exitCode, stderr, stdout }] = await Promise.all([
      caught("gone.html"),
      onceWatched().then(() => simulator.remove("prod", "web-0")),
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain("Error: pod/web-0 will not restart any more: it has been deleted.\n");
    expect(readdirSync(folder)).toEqual([]);
  });
});
