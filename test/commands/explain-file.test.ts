import { describe, expect, it, vi } from "vitest";
import { repositoryFile, run, stderrOf, stdoutOf } from "../support/command.ts";
import { writeDocument } from "../support/kubeconfig.ts";
import { aRawConfig, aRawEvent, aRawNode, aRawPod } from "../support/raw-objects.ts";
import { validExplanation } from "../support/schema.ts";

const EVERYTHING = { kind: "List", items: [aRawPod(), aRawEvent("one"), aRawNode(), aRawConfig()] };

describe("--at", () => {
  const files = (): string[] => ["-f", writeDocument(aRawPod())];

  it.each(["explain", "eta"])("before the first pod existed is an error of %s", async (command) => {
    expect(await stderrOf([command, ...files(), "--at", "2010-01-01T00:00:00Z"], 1)).toMatch(
      /^Error: None of the pods existed at Jan 1, 2010, .+ \(--at\): the oldest is of Nov 21, 2026, .+\.\nPass a later time with --at\.\n$/,
    );
  });

  it("before the newest state of the pod is reported as a gap", async () => {
    const { stdout } = await run("explain", ...files(), "-o", "wide", "--at", "2026-11-21T11:59:00Z");
    expect(stdout).toMatch(/Gap +--at is .+ before the newest state/);
    expect(stdout).not.toContain("keep waiting");
    expect(stdout).not.toContain("clocks differ");
  });

  it("in the future is mentioned in a note", async () => {
    const { stderr, exitCode } = await run("explain", ...files(), "--at", "2199-01-01T00:00:00Z");
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^--at is \d+y in the future: the answer assumes that nothing new happens until then\.\n$/);
  });
});

describe("kubectl backoff explain -f FILE", () => {
  it("explains the pod of the file, at the local time while the input is fresh", async () => {
    vi.setSystemTime(Date.UTC(2026, 10, 21, 12, 10, 30));
    const { at, pods } = validExplanation(await stdoutOf(["-f", writeDocument(EVERYTHING), "-o", "json"]));
    vi.useRealTimers();
    expect(at).toBe("2026-11-21T12:10:30Z");
    const policy = { basis: "configz", maxSeconds: 60 };
    expect(pods).toMatchObject([{ namespace: "prod", name: "web-0", verdict: "crash-looping", policy }]);
  });

  it("takes several files and --at", async () => {
    const files = EVERYTHING.items.flatMap((item) => ["-f", writeDocument(item)]);
    const json = await stdoutOf(["explain", ...files, "-o", "json", "--at", "2026-11-21T12:10:00Z"]);
    const pods = [{ policy: { basis: "configz" } }];
    expect(validExplanation(json)).toMatchObject({ at: "2026-11-21T12:10:00Z", pods });
  });

  it("takes the name of a pod and a namespace to choose", async () => {
    const other = aRawPod({ metadata: { name: "web-1", uid: "uid-of-web-1" } });
    const file = writeDocument({ kind: "List", items: [aRawPod(), other] });
    expect(await stdoutOf(["explain", "-f", file, "-o", "NAME"])).toBe("pod/web-0\npod/web-1\n");
    expect(await stdoutOf(["explain", "web-1", "-f", file, "-o", "name", "-n", "prod"])).toBe("pod/web-1\n");
    expect(await stderrOf(["explain", "-f", file, "-n", "other"], 1)).toBe(
      'Error: There is no pod of namespace "other" in the input.\nThe input has prod/web-0 and prod/web-1.\n',
    );
  });

  it("keeps the pods that have the container of -c", async () => {
    const containers = [{ name: "extra", image: "x" }];
    const other = aRawPod({ metadata: { name: "web-1", uid: "u1" }, spec: { containers } });
    const file = writeDocument({ kind: "List", items: [aRawPod(), other] });
    expect(await stdoutOf(["-f", file, "-o", "name", "-c", "extra"])).toBe("pod/web-1\n");
    expect(await stderrOf(["-f", file, "-c", "nope"], 1)).toContain("Pass -c with app or extra.");
  });

  it.each([
    { example: "healthy", plain: 0, any: 0 },
    { example: "error-not-crashloopbackoff", plain: 3, any: 3 },
    { example: "image-pull", plain: 0, any: 4 },
    { example: "config-missing", plain: 0, any: 4 },
  ])(
    "exits with $plain after --exit-code, and $any after --exit-code=any ($example)",
    async ({ example, plain, any }) => {
      const words = ["-f", repositoryFile(`examples/${example}.json.gz`), "-o", "name"];
      expect(await run(...words, "--exit-code")).toMatchObject({ exitCode: plain });
      expect(await run(...words, "--exit-code=any")).toMatchObject({ exitCode: any });
    },
  );

  it("exits with 4 after --exit-code=any if a pod has not started after minutes, although no reason is known", async () => {
    const containerStatuses = [{ name: "app", restartCount: 0, state: { waiting: { reason: "ContainerCreating" } } }];
    const file = writeDocument({ ...aRawPod(), status: { phase: "Pending", containerStatuses } });
    const runAt = (time: string) => run("explain", "-f", file, "--exit-code=any", "--at", `2026-11-21T${time}Z`);
    expect(await runAt("12:00:30")).toMatchObject({ exitCode: 0 });
    expect(await runAt("12:10:00")).toMatchObject({ exitCode: 4 });
  });

  it("takes no other value of --exit-code", async () => {
    expect(await stderrOf(["-f", "x", "--exit-code=all"], 2)).toContain('Invalid value "all" for --exit-code.');
  });

  it("says on stderr what it skipped, and explains the rest", async () => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
    const file = writeDocument({ kind: "List", items: [aRawPod(), secret] });
    const { exitCode, stdout, stderr } = await run("-f", file, "-o", "name");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "pod/web-0\n" });
    expect(stderr).toContain("Secret");
  });

  it("fails on a file that is not there", async () => {
    expect(await stderrOf(["-f", "/none.json"], 1)).toContain("Can't read /none.json: no such file or directory.");
  });

  it("reads further words that are files, as a shell makes them of -f *.json", async () => {
    const other = aRawPod({ metadata: { name: "web-1", uid: "u1" } });
    const files = [aRawPod(), other].map((pod) => writeDocument(pod, "pod.json"));
    expect(await stdoutOf(["-f", ...files, "-o", "name"])).toBe("pod/web-0\npod/web-1\n");
    expect(await stdoutOf(["explain", "-f", ...files, "web-1", "-o", "name"])).toBe("pod/web-1\n");
  });

  it("proposes -f for a file without it", async () => {
    const file = writeDocument(aRawPod(), "pod.json");
    const says = `Error: "${file}" is the name of a file, not of a pod.\nDid you mean `;
    expect(await stderrOf([file], 2)).toBe(`${says}-f ${file}?\n`);
    expect(await stderrOf(["wait", file, "--for=restart"], 2)).toBe(`${says}kubectl backoff explain -f ${file}?\n`);
    expect(await stderrOf(["./pod"], 2)).toContain("Did you mean -f ./pod?");
  });
});
