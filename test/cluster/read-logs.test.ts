import { describe, expect, it } from "vitest";
import { connect } from "../../src/cluster/api/connect.ts";
import { ALL_LINES, type InstanceLog, MOST_LOG_BYTES, readLogs } from "../../src/cluster/api/read-logs.ts";
import type { ContainerStatus } from "../../src/explain/observed/observation.ts";
import { apiServer, status, useFakeApiServer } from "../support/api-server.ts";
import { aPod, aStatus, T0_MS, terminated } from "../support/builders.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";

useFakeApiServer();

const PATH = "/api/v1/namespaces/prod/pods/web-0/log";
const ENDED = terminated(T0_MS, T0_MS + 5_000);
const WAITING = { kind: "waiting", reason: "CrashLoopBackOff", message: null } as const;
const RUNNING = { kind: "running", startedAtMs: T0_MS } as const;

function query(more: Readonly<Record<string, string>>): string {
  return `${PATH}?${new URLSearchParams({ container: "app", ...more })}`;
}

const LIMITS = { limitBytes: `${MOST_LOG_BYTES}`, tailLines: "10" };

/** The logs of web-0's container "app", whose status is this. */
function logsOf(own: Partial<ContainerStatus>, tail = 10): Promise<InstanceLog[]> {
  const connection = connect({ kubeconfig: writeKubeconfig(), env: {} });
  const pod = aPod({ namespace: "prod", name: "web-0", statuses: [aStatus({ name: "app", ...own })] });
  return readLogs(connection, pod, ["app"], tail);
}

describe("readLogs()", () => {
  it("reads the previous instance of one that waits", async () => {
    apiServer()
      .get(query({ previous: "true", ...LIMITS }))
      .reply(200, "one\n  two\n\n");
    const text = { lines: ["one", "  two", ""], isCut: false };
    expect(await logsOf({ state: WAITING, lastState: ENDED })).toEqual([
      { container: "app", instance: "previous", text },
    ]);
  });

  it("reads the present instance of one that has ended and does not wait yet: the one before has another exit", async () => {
    apiServer().get(query(LIMITS)).reply(200, "no end of line");
    expect(await logsOf({ state: ENDED, lastState: ENDED })).toMatchObject([
      { instance: "previous", text: { lines: ["no end of line"] } },
    ]);
  });

  it("reads both of one that runs again, and no other of one that never ended", async () => {
    apiServer()
      .get(query({ previous: "true", ...LIMITS }))
      .reply(200, "");
    apiServer().get(query(LIMITS)).twice().reply(200, "up\n");
    expect(await logsOf({ state: RUNNING, lastState: ENDED })).toMatchObject([
      { instance: "previous", text: { lines: [] } },
      { instance: "current", text: { lines: ["up"] } },
    ]);
    expect(await logsOf({ state: RUNNING, lastState: null })).toMatchObject([{ instance: "current" }]);
  });

  it("asks for nothing where nothing ever ran", async () => {
    expect(await logsOf({ state: { ...WAITING, reason: "ErrImagePull" }, lastState: null })).toEqual([]);
  });

  it.each([
    { code: 403, message: "no", why: "forbidden" },
    { code: 404, message: 'pods "web-0" not found', why: "not-found" },
    { code: 400, message: 'previous terminated container "app" in pod "web-0" not found', why: "not-found" },
    { code: 504, message: "late", why: "timeout" },
    { code: 500, message: "dial tcp 10.0.0.7:10250: connection refused", why: "unreachable" },
  ])("says why there is none after $code: $why", async ({ code, message, why }) => {
    apiServer().get(query(LIMITS)).reply(code, status(code, message));
    expect(await logsOf({ state: ENDED, lastState: null })).toMatchObject([{ text: { why, message } }]);
  });

  it("takes the kubelet's notice, which comes as if it were the log, for what it is", async () => {
    const notice = "unable to retrieve container logs for containerd://0123abcd";
    apiServer().get(query(LIMITS)).reply(200, notice);
    const [log] = await logsOf({ state: ENDED, lastState: null });
    expect(log?.text).toEqual({ why: "not-found", message: notice });
  });

  it("asks for fewer lines where the limit has cut off the last ones", async () => {
    const full = "x".repeat(MOST_LOG_BYTES);
    apiServer().get(query(LIMITS)).reply(200, full);
    apiServer()
      .get(query({ ...LIMITS, tailLines: "3" }))
      .reply(200, "x\nlast\n");
    const [log] = await logsOf({ state: ENDED, lastState: null });
    expect(log?.text).toEqual({ lines: ["x", "last"], isCut: true });
  });

  it("takes what there is of a single line that is too long", async () => {
    apiServer()
      .get(query({ ...LIMITS, tailLines: "1" }))
      .reply(200, "x".repeat(MOST_LOG_BYTES));
    const [log] = await logsOf({ state: ENDED, lastState: null }, 1);
    expect(log?.text).toMatchObject({ lines: [expect.stringMatching(/^x+$/)], isCut: true });
  });

  it("asks for all lines without a number, and for many if those are too much", async () => {
    const { limitBytes } = LIMITS;
    apiServer()
      .get(query({ limitBytes }))
      .reply(200, "a\n".repeat(MOST_LOG_BYTES / 2));
    apiServer()
      .get(query({ limitBytes, tailLines: "4096" }))
      .reply(200, "a\n".repeat(4096));
    const [log] = await logsOf({ state: ENDED, lastState: null }, ALL_LINES);
    expect(log?.text).toMatchObject({ lines: { length: 4096 }, isCut: true });
  });
});
