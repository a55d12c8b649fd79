import { describe, expect, it } from "vitest";
import type { BackoffList, ListItem } from "../../src/explain/answer/backoff-list.ts";
import { renderListNames } from "../../src/render/json/list-json.ts";
import { type ListLook, renderListTable } from "../../src/render/list/list-table.ts";
import { displayWidth } from "../../src/render/page/width.ts";
import { A_GROUPED_LOOK, aFailedJob, ahead, anItem, exited, LISTED_AT_MS, overdue } from "../support/list-items.ts";
import { FLEET } from "../support/listed-fleet.ts";
import { LIST_RENDERERS } from "../support/renderers.ts";

const LIST: BackoffList = {
  atMs: LISTED_AT_MS,
  atBasis: "server-clock",
  gaps: [],
  notReady: [],
  items: [
    anItem({
      ...{ state: "restarting", reported: "Error", nextRestart: ahead(0, 27.5) },
      lastLogLine: "panic: dial tcp: lookup db.prod.svc.cluster.local: no such host",
    }),
    anItem({ pod: "worker-6d5b7c9f4d-x2x4q", container: "queue", cause: "oom", lastExit: exited(137) }),
    anItem({
      pod: "api-7f9d-9xk2v",
      container: "proxy",
      cause: "signal",
      lastExit: exited(139, 11),
      isOnlyApp: false,
    }),
    anItem({
      namespace: "payments-staging",
      pod: "checkout-worker-with-a-long-name-6d5b7c9f4d-b2jkq",
      container: "reconcile-outstanding-invoices",
      state: "starting",
      reported: "CreateContainerConfigError",
      restartCount: 0,
      delayMs: 0,
      cause: "start-failure",
      lastExit: null,
      owner: { kind: "ReplicaSet", name: "checkout-worker-with-a-long-name-6d5b7c9f4d" },
    }),
    anItem({
      pod: "web-1",
      state: "starting",
      reported: "ImagePullBackOff",
      delayMs: null,
      nextRestart: null,
      cause: "image-pull",
      lastExit: null,
      owner: null,
      node: null,
    }),
    anItem({
      ...{ pod: "web-2", state: "running", reported: "Running", nextRestart: null, cause: "liveness-probe" },
      ...{ lastExit: exited(143), startedAtMs: LISTED_AT_MS - 42_000, createdAtMs: null },
    }),
    anItem({
      ...{ pod: "web-3", cause: "signal", lastExit: exited(143), nextRestart: null },
      ...{ isNodeReady: false, createdAtMs: LISTED_AT_MS + 60_000, failingSince: null },
    }),
    anItem({ pod: "web-4", cause: "restart-all", lastExit: exited(137), nextRestart: null, overdue }),
    anItem({
      pod: "web-5",
      cause: "start-error",
      lastExit: exited(128),
      failingSince: { atMs: LISTED_AT_MS - 366 * 86_400_000, basis: "observed" },
    }),
  ],
};

const asKind =
  (kind: string) =>
  (item: ListItem): ListItem => ({ ...item, workload: item.workload && { ...item.workload, kind } });

describe("renderListTable()", () => {
  it.each<[string, BackoffList, ListLook]>([
    ["pipe", LIST, A_GROUPED_LOOK],
    ["80", LIST, { ...A_GROUPED_LOOK, columns: 80 }],
    ["120", LIST, { ...A_GROUPED_LOOK, columns: 120 }],
    ["wide", LIST, { ...A_GROUPED_LOOK, columns: 80, isWide: true }],
    ["one-namespace.80", LIST, { ...A_GROUPED_LOOK, columns: 80, hasNamespaces: false }],
    ["fleet.pipe", FLEET, A_GROUPED_LOOK],
    ["fleet.80", FLEET, { ...A_GROUPED_LOOK, columns: 80, hasNamespaces: false }],
  ])("prints the golden file: %s", async (name, list, look) => {
    await expect(renderListTable(list, look)).toMatchFileSnapshot(`../golden/list.${name}.txt`);
  });

  it("keeps names that look like cells with a brief form on a narrow terminal", () => {
    const more = { message: "no such host ".repeat(20), failingSince: null, workload: null, isOnlyApp: false };
    const items = [{ namespace: "unknown", pod: "unknown" }, { container: "unknown" }].map((names) =>
      anItem({ ...more, ...names }),
    );
    const text = renderListTable({ ...LIST, items }, { ...A_GROUPED_LOOK, columns: 100, hasHeaders: false });
    expect(text.split("\n")).toEqual([
      expect.stringMatching(/^unknown unknown app .* \? no such host/),
      expect.stringMatching(/^prod +web-0 +unknown .* \? no such host/),
      "",
    ]);
  });

  it.each<[string, Partial<ListLook>]>([
    ["if the list is not grouped", { isGrouped: false }],
    ["in the wide table", { isWide: true }],
  ])("has a line for each container %s", (_, look) => {
    const lines = renderListTable(FLEET, { ...A_GROUPED_LOOK, hasHeaders: false, ...look })
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(FLEET.items.length);
  });

  it.each<[string, Partial<BackoffList>, string]>([
    ["the pods of the workload are unknown", { allPods: [] }, "deploy/web 8 -"],
    ["only pods with names that the controller gives count", {}, "deploy/web 8 2/12"],
    ["controllers of other kinds give other names", { items: FLEET.items.map(asKind("Rollout")) }, "rollout/web 8 -"],
  ])("says how many pods a row stands for, and how many of the workload's are ready: %s", (_, overrides, expected) => {
    const cells = renderListTable({ ...FLEET, ...overrides }, A_GROUPED_LOOK).replaceAll(/ +/g, " ");
    expect(cells).toContain(`prod ${expected} down `);
  });

  it("has no READY column if a row needs pods that are unknown, and counts the pods of each namespace apart", () => {
    const { allPods = [], ...unknown } = FLEET;
    const heading = (list: BackoffList) => renderListTable(list, A_GROUPED_LOOK).split("\n", 1)[0];
    expect(heading(unknown)).not.toContain("READY");
    expect(heading({ ...unknown, items: FLEET.items.slice(0, 1) })).toContain("READY");
    const elsewhere = allPods.map((pod) => ({ ...pod, namespace: "test", isReady: true }));
    const here = allPods.map((pod) => ({ ...pod, namespace: "prod" }));
    const cells = renderListTable({ ...FLEET, allPods: [...elsewhere, ...here] }, A_GROUPED_LOOK).replaceAll(
      / +/g,
      " ",
    );
    expect(cells).toContain("prod deploy/web 8 2/12 down ");
  });

  it.each([
    ["cause", ["exit 1: 14 containers in 14 pods", "OOMKilled (137): 1 container in 1 pod"]],
    ["node", ["node-a: 15 containers in 15 pods"]],
    [
      "owner",
      [
        "prod: Deployment web: 11 containers in 11 pods",
        "prod: StatefulSet queue: 2 containers in 2 pods",
        "prod: pod bare-a: 1 container in 1 pod",
        "prod: pod bare-b: 1 container in 1 pod",
      ],
    ],
  ] as const)("puts rows together by %s, the most containers first, and failed Jobs last", (by, titles) => {
    const text = renderListTable(
      { ...FLEET, failedJobs: [aFailedJob()] },
      { ...A_GROUPED_LOOK, columns: 80, hasNamespaces: false, by },
    );
    const blocks = text.trimEnd().split("\n\n").slice(1, -1);
    expect(blocks.map((block) => block.split("\n")[0])).toEqual([...titles, "failed Jobs"]);
    expect(blocks.at(-1)).toMatch(/^failed Jobs\njob\/migrate /);
    expect(text.split("\n").every((line) => displayWidth(line) <= 80)).toBe(true);
  });

  it("has two rows for the pods of one workload on two nodes if the list is by node", () => {
    const items = [anItem({ pod: "web-0" }), anItem({ pod: "web-1", node: "node-b" })];
    expect(renderListTable({ ...FLEET, items }, A_GROUPED_LOOK)).toContain("sts/web");
    expect(renderListTable({ ...FLEET, items }, { ...A_GROUPED_LOOK, by: "node" })).toMatch(
      /node-a: .*\nprod +web-0 .*\n\nnode-b: .*\nprod +web-1 /,
    );
    expect(renderListTable({ ...FLEET, items }, { ...A_GROUPED_LOOK, by: "node", hasHeaders: false })).toMatch(
      /^prod +web-0 .*\nprod +web-1 .*\n$/,
    );
  });

  it("has a row for each Job that has failed", () => {
    const because = { reason: "BackoffLimitExceeded", message: "Job has reached the limit" };
    const job = aFailedJob({ failedAtMs: LISTED_AT_MS - 300_000, ...because });
    const text = renderListTable({ ...LIST, items: [], failedJobs: [job] }, A_GROUPED_LOOK);
    expect(text.replaceAll(/ +/g, " ")).toMatch(
      /^NAMESPACE NAME READY STATE .*\nprod job\/migrate - failed - - 13:05 BackoffLimitExceeded: Job has reached the limit\n\n1 Job has failed\.\n$/,
    );
  });

  it("prints neither headings nor totals if hasHeaders is false", () => {
    const text = renderListTable(LIST, { ...A_GROUPED_LOOK, hasHeaders: false });
    expect(text.split("\n")).toHaveLength(LIST.items.length + 1);
    expect(text).not.toContain("NAMESPACE");
  });

  it("prints nothing for an empty list", () =>
    expect(renderListTable({ ...LIST, items: [] }, A_GROUPED_LOOK)).toBe(""));

  it("prints no control characters of the cluster's texts", () => {
    const hostile = {
      reported: "\u202eError",
      cause: "start-failure",
      workload: { kind: "\u202eA", name: "b\u001b[2J" },
    } as const;
    const items = ["0", "1"].map((index) => anItem({ ...hostile, pod: `web\u001b[2J\n-${index}` }));
    const [wide = "", grouped = ""] = [true, false].map((isWide) =>
      renderListTable({ ...LIST, items }, { ...A_GROUPED_LOOK, isWide }),
    );
    const text = wide + grouped;
    expect(wide).toContain("web -0");
    expect(grouped).toMatch(/ a\/b +2 +backing off /);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });
});

describe("the JSON of a list", () => {
  it("equals its golden file", async () => {
    await expect(LIST_RENDERERS.json(LIST, A_GROUPED_LOOK)).toMatchFileSnapshot("../golden/list.json");
  });

  it("says that it is incomplete only if it is", () => {
    expect(JSON.parse(LIST_RENDERERS.json(LIST, { ...A_GROUPED_LOOK, isIncomplete: true }))).toMatchObject({
      kind: "BackoffList",
      incomplete: true,
    });
    expect(JSON.parse(LIST_RENDERERS.json(LIST, A_GROUPED_LOOK))).not.toHaveProperty("incomplete");
  });
});

describe("renderListNames()", () => {
  it("names each pod once", () => {
    const items = [anItem(), anItem({ container: "proxy" }), anItem({ pod: "web-1" })];
    expect(renderListNames({ ...LIST, items })).toBe("pod/web-0\npod/web-1\n");
  });
});
