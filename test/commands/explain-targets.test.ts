import { beforeEach, describe, expect, it, vi } from "vitest";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { run, stderrOf, stdoutOf } from "../support/command.ts";
import { writeDocument, writeKubeconfig } from "../support/kubeconfig.ts";
import { answer, answerList, inProd, refuseTheRest } from "../support/observe-targets.ts";
import { status } from "../support/raw-objects.ts";
import { aFineRawPod, aRawOwnedPod, aRawReplicaSet, aRawWorkload } from "../support/raw-workloads.ts";
import { validExplanation } from "../support/schema.ts";

useFakeApiServer();
beforeEach(() => {
  vi.stubEnv("KUBECONFIG", writeKubeconfig());
});

const SET = { kind: "ReplicaSet", name: "api-5d8c9f6b7" };
const LABELS = { app: "api", "pod-template-hash": "5d8c9f6b7" };
const PODS = ["a", "b", "c"].map((name) => aRawOwnedPod(SET, name, LABELS));

describe("kubectl backoff explain deploy/NAME", () => {
  it("explains pods that fail alike together, with the change since which they fail, and sends each request once", async () => {
    answer(inProd("deployments", "api"), aRawWorkload("Deployment", "api"));
    const fine = aFineRawPod({ ...SET, name: "api-old" }, "d", LABELS);
    const sets = [aRawReplicaSet("api", "5d8c9f6b7", 2, "web:2"), aRawReplicaSet("api", "old", 1, "web:1")];
    answerList("pods", [...PODS, fine], "app=api");
    answerList("replicasets", sets, "app=api");
    refuseTheRest();
    const table = await run("explain", "deploy", "api");
    expect(table).toMatchObject({ exitCode: 0, stderr: "" });
    expect(table.stdout).toMatch(
      /\n\nprod\/api \(3 pods\): app is in CrashLoopBackOff.*\nNext restart .*the\s+last\s+of\s+the\s+3\s+by /s,
    );
    expect(table.stdout).toMatch(
      /^Since {6}13:00:00 GMT\+1 \(10m ago\), with revision 2: image web:1 → web:2;\s+revision 1 does not crash$/m,
    );
    expect(table.stdout).toMatch(/\nAlso {7}b \(.*\), c \(.*\): same exit\n/);
    expect(table.stdout).toMatch(/\n\n1 healthy pod: prod\/d\.\n/);
  });

  it("has the log of one of the pods that fail alike, and requests no other log", async () => {
    answer(inProd("deployments", "api"), aRawWorkload("Deployment", "api"));
    answerList("pods", PODS, "app=api");
    answerList("replicasets", [aRawReplicaSet("api", "5d8c9f6b7", 1, "web:1")], "app=api");
    const log = apiServer()
      .get(`${inProd("pods", "a")}/log`)
      .query(true)
      .reply(200, "panic: no such host\n");
    refuseTheRest();
    const table = await stdoutOf(["deploy/api"]);
    expect(log.isDone()).toBe(true);
    expect(table).toMatch(/^Crash {6}Exit code 1 after 4s: panic: no such host$/m);
    expect(table).toMatch(/^Log {8}panic: no such host {2}\(last log line of a\)\nAlso {7}b /m);
    expect(table.match(/No permission to read the log/g)).toBeNull();
  });

  it("has the gap owner-forbidden without the right to read the owners", async () => {
    answer(inProd("deployments", "api"), 403);
    answerList("replicasets", 403);
    answerList("pods", PODS);
    answer(inProd("replicasets", SET.name), 403);
    refuseTheRest();
    const { exitCode, stdout, stderr } = await run("explain", "deploy/api", "-o", "json");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("inferred from the names of their ReplicaSets");
    const { pods, groups } = validExplanation(stdout);
    expect(pods[0].gaps.map(({ code }: { code: string }) => code)).toContain("owner-forbidden");
    expect(pods[0].owners).toEqual([
      { ...SET, basis: "observed" },
      { kind: "Deployment", name: "api", basis: "inferred" },
    ]);
    expect(groups).toMatchObject([{ kind: "alike", pods: [{ name: "a" }, { name: "b" }, { name: "c" }] }]);
  });
});

describe("kubectl backoff explain with several targets", () => {
  it("explains the pods that exist, says what is wrong with the others, and exits with 1", async () => {
    answer(inProd("pods", "a"), aFineRawPod(SET, "a"));
    answer(inProd("pods", "x"), 404);
    answerList("pods", []);
    refuseTheRest();
    expect(await run("explain", "a", "x", "-o", "name")).toEqual({
      exitCode: 1,
      stdout: "pod/a\n",
      stderr: 'Error: Pod "x" not found in namespace "prod".\nPass -n to look elsewhere.\n',
    });
  });

  it("prints nothing on stdout if none exists", async () => {
    for (const name of ["x", "y"]) answer(inProd("pods", name), 404);
    apiServer().persist().get(inProd("pods")).query(true).reply(403, status(403, "no"));
    const { exitCode, stdout, stderr } = await run("explain", "x", "y", "-o", "json");
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr.match(/^Error: Pod "[xy]" not found/gm)).toHaveLength(2);
  });

  it("exits with 3 after --exit-code if one of them is crash-looping", async () => {
    answerList("pods", [...PODS, aFineRawPod(SET, "d")], "app=api");
    answer(inProd("replicasets", SET.name), 403);
    refuseTheRest();
    expect(await stdoutOf(["-l", "app=api", "--exit-code", "-o", "name"], 3)).toBe("pod/a\npod/b\npod/c\npod/d\n");
  });
});

describe("kubectl backoff explain -l", () => {
  it.each([
    { format: "table", prints: "" },
    { format: "name", prints: "" },
    { format: "json", prints: expect.stringContaining('"matched": 0') },
  ])("notes that nothing matches, with exit code 0 (-o $format)", async ({ format, prints }) => {
    answerList("pods", [], "app=nope");
    expect(await run("explain", "-l", "app=nope", "-o", format)).toEqual({
      exitCode: 0,
      stdout: prints,
      stderr: 'No pods match "app=nope" in namespace "prod".\n',
    });
  });

  it("says on stderr how many pods -o name leaves out", async () => {
    const pods = Array.from({ length: 60 }, (_, index) => aFineRawPod(SET, `web-${index}`));
    answerList("pods", pods, "app=web");
    refuseTheRest();
    const { exitCode, stdout, stderr } = await run("explain", "-l", "app=web", "-o", "name");
    expect({ exitCode, lines: stdout.trim().split("\n").length }).toEqual({ exitCode: 0, lines: 50 });
    expect(stderr).toBe("Showing 50 of 60 pods (10 healthy not shown).\n");
  });

  it.each([
    { argv: ["svc/web"], says: 'Can\'t explain type "svc".\nUse pod, deployment,' },
    { argv: ["deploy"], says: '"deploy" is a type and needs a name: deployment/NAME.' },
    { argv: ["-l", "a=b=c"], says: 'Invalid value "a=b=c" for --selector' },
  ])("refuses $argv with exit code 2", async ({ argv, says }) => {
    expect(await stderrOf(["explain", ...argv], 2)).toContain(says);
  });
});

describe("kubectl backoff explain -f FILE TYPE/NAME", () => {
  it("explains the pods of the workload, and says that it is inferred", async () => {
    const file = writeDocument({ kind: "List", items: [...PODS, aFineRawPod({ ...SET, name: "web-1" }, "d")] });
    const { exitCode, stdout, stderr } = await run("-f", file, "deploy/api", "-o", "name");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "pod/a\npod/b\npod/c\n" });
    const says = "deployment/api is not in the input: its pods are inferred from the names of their ReplicaSets.\n";
    expect(stderr).toBe(says);
  });

  it("says which owners the input has instead", async () => {
    const says = 'No pod in the input belongs to the job "x".\nThere are pods of deployment/api.';
    expect(await stderrOf(["-f", writeDocument({ kind: "List", items: PODS }), "job/x"], 1)).toContain(says);
  });
});
