import { beforeEach, describe, expect, it } from "vitest";
import { LAB_PATHS } from "../../lab/watch/api.ts";
import { ListLab } from "../../lab/watch/list-lab.ts";
import type { Connection } from "../../src/cluster/connection/connection.ts";
import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";
import { UserError } from "../../src/errors.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import { type ListFrame, listNews } from "../../src/render/watch/live-list.ts";
import { S } from "../support/builders.ts";
import { A_LOOK } from "../support/list-items.ts";
import { aRawConfig, aRawPod, READY_NODE } from "../support/raw-objects.ts";
import { aRawWorkload } from "../support/raw-workloads.ts";

const JOBS = "/apis/batch/v1/namespaces/prod/jobs";

let lab: ListLab;

beforeEach(() => {
  lab = new ListLab();
});

const lastItems = () => lab.frames.at(-1)?.list.items ?? [];
const askedFor = (path: string): number => lab.api.asked.filter((asked) => asked.path === path).length;

describe("ListSession, beside the pods,", () => {
  it("reads a kubelet's configuration once, and again after three minutes, when a pod changes", async () => {
    lab.api.on(LAB_PATHS.config, aRawConfig());
    lab.api.put(LAB_PATHS.nodes, READY_NODE);
    lab.down("web-0", 8);
    void lab.follow();
    await lab.timers.pass(2 * S);
    expect(lastItems()).toMatchObject([{ isByDefaults: false }]);
    lab.down("web-0", 9);
    lab.down("web-1", 9);
    await lab.timers.pass(2 * S);
    expect(lastItems()).toMatchObject([{ isByDefaults: false }, { isByDefaults: false }]);
    expect(askedFor(LAB_PATHS.config)).toBe(1);
    await lab.timers.pass(3 * MINUTE_MS);
    lab.down("web-0", 10);
    await lab.timers.pass(2 * S);
    expect(askedFor(LAB_PATHS.config)).toBe(2);
  });

  it("shows a change that came while there were no credentials to read the node", async () => {
    lab.down("web-0", 5);
    void lab.follow();
    await lab.timers.pass(4 * MINUTE_MS);
    lab.api.refusal = new UserError("badCredentials", "test", "the login has expired");
    lab.down("web-0", 6);
    await lab.timers.pass(2 * S);
    lab.api.refusal = null;
    await lab.timers.pass(1 * MINUTE_MS);
    expect(lastItems()).toMatchObject([{ restartCount: 6 }]);
  });

  it("assumes the defaults of kubelets, without a request to them, if the pods are on nine nodes", async () => {
    for (let index = 0; index < 9; index++) {
      const conditions = [{ type: "Ready", status: "True" }];
      lab.api.put(LAB_PATHS.nodes, { metadata: { name: `node-${index}` }, status: { conditions } });
      lab.down(`web-${index}`, 5, `node-${index}`);
    }
    void lab.follow();
    await lab.timers.pass(2 * S);
    lab.down("web-0", 6, "node-0");
    await lab.timers.pass(2 * S);
    expect(lastItems()).toHaveLength(9);
    expect(lastItems().every(({ isByDefaults }) => isByDefaults)).toBe(true);
    expect(lab.api.asked.filter(({ path }) => path.endsWith("/configz"))).toEqual([]);
  });

  it("shows within a minute that a Job has failed, and prints it once into a pipe", async () => {
    void lab.follow();
    await lab.timers.pass(2 * S);
    const conditions = [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }];
    lab.api.put(JOBS, aRawWorkload("Job", "migrate", { spec: { backoffLimit: 2 }, status: { failed: 3, conditions } }));
    await lab.timers.pass(MINUTE_MS);
    const [first, last] = [lab.frames[0]?.list, lab.frames.at(-1)?.list];
    if (first === undefined || last === undefined) throw new Error("There are no frames");
    expect(last.failedJobs).toMatchObject([{ name: "migrate", reason: "BackoffLimitExceeded" }]);
    expect(listNews(first, last, A_LOOK)).toBe("prod/job/migrate has failed: BackoffLimitExceeded.\n");
    expect(listNews(last, last, A_LOOK)).toBe("");
    lab.api.refusal = new Error("refused");
    await lab.timers.pass(2 * MINUTE_MS);
    expect(lab.frames.at(-1)?.list.failedJobs).toHaveLength(1);
  });

  it("lists a pod that does not start, although it does not change, with the cause from its events", async () => {
    const creationTimestamp = new Date(lab.timers.nowMs()).toISOString();
    const containerStatuses = [
      { name: "app", ready: false, restartCount: 0, state: { waiting: { reason: "ContainerCreating" } } },
    ];
    const raw = aRawPod({ metadata: { name: "slow-0", uid: "uid-of-slow-0", creationTimestamp } });
    lab.api.put(LAB_PATHS.pods, {
      ...raw,
      status: { phase: "Pending", startTime: creationTimestamp, containerStatuses },
    });
    void lab.follow();
    await lab.timers.pass(MINUTE_MS);
    expect(lastItems()).toEqual([]);
    lab.api.put(LAB_PATHS.events, {
      metadata: { name: "slow-0.1", namespace: "prod" },
      involvedObject: { kind: "Pod", namespace: "prod", name: "slow-0", uid: "uid-of-slow-0" },
      ...{ type: "Warning", reason: "FailedMount", message: 'configmap "shop-config" not found', count: 2 },
      ...{ firstTimestamp: creationTimestamp, lastTimestamp: new Date(lab.timers.nowMs()).toISOString() },
    });
    await lab.timers.pass(3 * MINUTE_MS);
    expect(lastItems()).toMatchObject([
      { pod: "slow-0", state: "starting", message: expect.stringContaining("shop-config") },
    ]);
  });

  it("reads the log of a crashed container once, and again after the next crash", async () => {
    lab.down("web-0");
    lab.api.on(`${LAB_PATHS.pods}/web-0/log`, "Error: connect ECONNREFUSED 10.0.0.7:5432\n");
    void lab.follow();
    await lab.timers.pass(4 * MINUTE_MS);
    expect(lastItems()).toMatchObject([{ lastLogLine: expect.stringContaining("ECONNREFUSED 10.0.0.7:5432") }]);
    expect(askedFor(`${LAB_PATHS.pods}/web-0/log`)).toBe(1);
    lab.down("web-0", 6);
    await lab.timers.pass(2 * MINUTE_MS);
    expect(askedFor(`${LAB_PATHS.pods}/web-0/log`)).toBe(2);
  });

  it("reads the log again when the run crashes that followed the crash in it", async () => {
    const log = (text: string) => lab.api.on(`${LAB_PATHS.pods}/web-0/log`, text);
    lab.up("web-0", 5, "2026-11-21T12:09:50Z");
    log("Error: connect ECONNREFUSED 10.0.0.7:5432\n");
    void lab.follow();
    await lab.timers.pass(2 * MINUTE_MS);
    expect(lastItems()).toMatchObject([{ state: "running", lastLogLine: expect.stringContaining("ECONNREFUSED") }]);
    log("Error: no space left on device\n");
    lab.down("web-0", 5);
    await lab.timers.pass(2 * MINUTE_MS);
    expect(lastItems()).toMatchObject([{ restartCount: 5, lastLogLine: expect.stringContaining("no space left") }]);
  });

  it("says that the user may not read logs, until the end of the watch", async () => {
    lab.down("web-0");
    const inner = lab.api.connection();
    const refused = new RequestFailure("forbidden", { message: "no", status: 403 });
    const get: Connection["get"] = async (path, options) => {
      if (path.endsWith("/log")) throw refused;
      return inner.get(path, options);
    };
    void lab.follow({ ...inner, get });
    await lab.timers.pass(3 * MINUTE_MS);
    for (const { list } of [lab.frames[0], lab.frames.at(-1)] as ListFrame[])
      expect(list.gaps).toContainEqual({
        code: "logs-forbidden",
        message: "No permission to read the log of app (get pods/log); nothing else depends on it.",
      });
  });
});
