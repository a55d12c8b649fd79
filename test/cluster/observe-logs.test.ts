import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { ALL_LINES, type LogsRequest, MOST_LOG_BYTES, observeLogs } from "../../src/cluster/pods/observe-logs.ts";
import type { ContainerLog, ContainerSpec, ContainerStatus } from "../../src/explain/observed/observation.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { apiServer, useFakeApiServer } from "../support/api-server.ts";
import { aContainer, aPod, aStatus, T0_MS, terminated } from "../support/builders.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { status } from "../support/raw-objects.ts";

useFakeApiServer();

const PATH = "/api/v1/namespaces/prod/pods/web-0/log";
const ENDED = terminated(T0_MS, T0_MS + 5_000);
const WAITING = { kind: "waiting", reason: "CrashLoopBackOff", message: null } as const;
const RUNNING = { kind: "running", startedAtMs: T0_MS } as const;

function query(more: Readonly<Record<string, string>>): string {
  return `${PATH}?${new URLSearchParams({ container: "app", ...more })}`;
}

const LIMITS = { limitBytes: `${MOST_LOG_BYTES}`, tailLines: "50" };
const PREVIOUS = { previous: "true", ...LIMITS };

function answerTail(tailLines: string, body: string): void {
  const path = query({ ...LIMITS, tailLines });
  apiServer().get(path).reply(200, body);
}

function logsOf(
  own: Partial<ContainerStatus>,
  request: Partial<LogsRequest> = {},
  atMs = T0_MS + MINUTE_MS,
  type: ContainerSpec["type"] = "app",
) {
  const connection = connect({ kubeconfig: writeKubeconfig(), env: {} });
  const statuses = [aStatus({ name: "app", restartCount: 3, ...own })];
  const pod = aPod({ namespace: "prod", name: "web-0", containers: [aContainer({ type })], statuses });
  return observeLogs(connection, pod, { tail: 10, isAsked: false, isPrevious: false, ...request }, atMs);
}

describe("the instance whose log observeLogs() reads", () => {
  const later = T0_MS + 11 * MINUTE_MS;
  const asked = { isAsked: true, container: "app" };
  const previous = { ...asked, isPrevious: true };
  const UP = { state: RUNNING, lastState: ENDED };
  const REMOVED = { state: RUNNING, lastState: { ...ENDED, reason: "RestartingAllContainers" } };

  it.each([
    { why: "waits is the previous instance", own: { state: WAITING, lastState: ENDED }, asks: PREVIOUS },
    {
      why: "has ended and does not wait yet is the present instance",
      own: { state: ENDED, lastState: ENDED },
      asks: LIMITS,
    },
    { why: "runs again after a crash", own: UP, asks: PREVIOUS },
    { why: "has failed for good", own: { state: ENDED, lastState: null, restartCount: 0 }, asks: LIMITS },
    { why: "is not Ready", own: { ...UP, ready: false }, atMs: later, asks: LIMITS, is: "running" },
    {
      why: "is fine and that the user asked for by name",
      own: UP,
      request: asked,
      atMs: later,
      asks: LIMITS,
      is: "running",
    },
    { why: "is fine, if the user asks for its last exit", own: UP, request: previous, atMs: later, asks: PREVIOUS },
    { why: "runs after a RestartAllContainers, which removes the log", own: REMOVED, asks: LIMITS, is: "running" },
  ])("of a container that $why", async ({ own, request = {}, atMs, asks, is = "last-exit" }) => {
    apiServer().get(query(asks)).reply(200, "one\n  two\n\n");
    const text = { lines: ["one", "  two", ""], isTruncated: false };
    expect(await logsOf(own, request, atMs)).toEqual([{ container: "app", instance: is, text, shownLines: 10 }]);
  });

  it.each([
    { why: "never ran", own: { state: { ...WAITING, reason: "ErrImagePull" }, lastState: null } },
    { why: "runs, out of its crash loop", own: UP, atMs: later },
    { why: "is not the one that was named", own: { state: WAITING, lastState: ENDED }, request: { container: "db" } },
    { why: "is fine and only named", own: UP, atMs: later, request: { container: "app" } },
    {
      why: "has no last exit, although the user asks for it",
      own: { state: RUNNING, lastState: null },
      request: previous,
    },
  ])("is none of a container that $why", async ({ own, request = {}, atMs }) => {
    expect(await logsOf(own, request, atMs)).toEqual([]);
  });
});

describe("observeLogs()", () => {
  it("reads the log of an init container that runs", async () => {
    apiServer().get(query(LIMITS)).reply(200, "waiting for db\n");
    const logs = await logsOf({ state: RUNNING, restartCount: 0 }, {}, T0_MS, "init");
    expect(logs).toMatchObject([{ instance: "running", text: { lines: ["waiting for db"] } }]);
  });

  it.each([
    { code: 400, message: 'previous terminated container "app" in pod "web-0" not found', why: "not-found" },
    { code: 500, message: "dial tcp 10.0.0.7:10250: connection refused", why: "unreachable" },
  ])("says why there is none after $code: $why", async ({ code, message, why }) => {
    apiServer().get(query(LIMITS)).reply(code, status(code, message));
    expect(await logsOf({ state: ENDED, lastState: null })).toMatchObject([{ text: { why, message } }]);
  });

  it.each([
    "unable to retrieve container logs for containerd://0123abcd",
    'failed to try resolving symlinks in path "/var/log/pods/h3_barers_1/app/3.log": lstat /var/log/pods/h3_barers_1/app/3.log: no such file or directory',
  ])("does not take the kubelet's notice that it has no log for the log: %s", async (notice) => {
    apiServer().get(query(LIMITS)).reply(200, notice);
    expect(await logText({})).toEqual({ why: "not-found", message: notice });
  });

  it("requests fewer lines if the limit has cut off the last ones", async () => {
    const full = "x".repeat(MOST_LOG_BYTES);
    apiServer().get(query(LIMITS)).reply(200, full);
    answerTail("13", full);
    answerTail("4", "x\nlast\n");
    expect(await logText({})).toEqual({ lines: ["x", "last"], isTruncated: true });
  });

  it("does not call the log truncated if all the lines to show fit", async () => {
    apiServer().get(query(LIMITS)).reply(200, "x".repeat(MOST_LOG_BYTES));
    answerTail("13", "x\nlast\n");
    expect(await logText({})).toEqual({ lines: ["x", "last"], isTruncated: false });
  });

  it.each([
    { why: "is too long", body: "x".repeat(MOST_LOG_BYTES) },
    { why: "is longer than a server may send", body: `first\n${"x".repeat(2 * MOST_LOG_BYTES)}\n` },
  ])("shows what it can of a single line that $why", async ({ body }) => {
    for (const count of ["50", "13", "4", "1"]) answerTail(count, body);
    expect(await logText({ tail: 1 })).toEqual({ lines: ["x".repeat(MOST_LOG_BYTES)], isTruncated: true });
  });

  it("limits the number of lines if the server does not", async () => {
    answerTail("60", `a\n${"b\n".repeat(60)}`);
    expect(await logText({ tail: 60 })).toMatchObject({ lines: Array(60).fill("b") });
  });

  it("requests all lines for ALL_LINES, and the last 4096 if all are too large", async () => {
    const all = query({ limitBytes: LIMITS.limitBytes });
    apiServer()
      .get(all)
      .reply(200, "a\n".repeat(MOST_LOG_BYTES / 2));
    answerTail("4096", "a\n".repeat(4096));
    expect(await logText({ tail: ALL_LINES })).toMatchObject({ lines: { length: 4096 }, isTruncated: true });
  });
});

async function logText(request: Partial<LogsRequest>): Promise<ContainerLog["text"] | undefined> {
  const [log] = await logsOf({ state: ENDED, lastState: null }, request);
  return log?.text;
}
