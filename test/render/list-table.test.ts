import { describe, expect, it } from "vitest";
import type { BackoffList } from "../../src/explain/list.ts";
import { renderListJson, renderListNames } from "../../src/render/json/json.ts";
import { type ListLook, renderListTable } from "../../src/render/list/list-table.ts";
import { displayWidth } from "../../src/render/page/width.ts";
import { anItem, LISTED_AT_MS } from "../support/list-items.ts";

const LOOK: ListLook = { columns: null, isWide: false, hasNamespaces: true, hasHeaders: true };

const LIST: BackoffList = {
  atMs: LISTED_AT_MS,
  gaps: [],
  items: [
    anItem({
      state: "restarting",
      reported: "Error",
      nextRestart: { notBeforeMs: LISTED_AT_MS, likelyByMs: LISTED_AT_MS + 27_500, confidence: 0.95 },
    }),
    anItem({
      pod: "worker-6d5b7c9f4d-x2x4q",
      container: "queue",
      cause: "oom",
      lastExit: { exitCode: 137, signal: null },
    }),
    anItem({ pod: "api-7f9d-9xk2v", container: "proxy", cause: "signal", lastExit: { exitCode: 139, signal: 11 } }),
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
    anItem({ pod: "web-2", state: "running", reported: "Running", nextRestart: null, cause: "liveness-probe" }),
  ],
};

describe("renderListTable()", () => {
  it.each<[string, ListLook]>([
    ["pipe", LOOK],
    ["80", { ...LOOK, columns: 80 }],
    ["120", { ...LOOK, columns: 120 }],
    ["wide", { ...LOOK, columns: 80, isWide: true }],
    ["one-namespace.80", { ...LOOK, columns: 80, hasNamespaces: false }],
  ])("looks like its picture: %s", async (name, look) => {
    await expect(renderListTable(LIST, look)).toMatchFileSnapshot(`../golden/list.${name}.txt`);
  });

  it.each([120, 100, 80])("keeps within %i columns", (columns) => {
    const lines = renderListTable(LIST, { ...LOOK, columns }).split("\n");
    expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns);
  });

  it("shortens no name where nobody minds long lines", () => {
    expect(renderListTable(LIST, LOOK)).not.toContain("…");
  });

  it("prints neither headings nor totals without headers", () => {
    const text = renderListTable(LIST, { ...LOOK, hasHeaders: false });
    expect(text.split("\n")).toHaveLength(LIST.items.length + 1);
    expect(text).not.toContain("NAMESPACE");
  });

  it("prints nothing of an empty list", () => expect(renderListTable({ ...LIST, items: [] }, LOOK)).toBe(""));

  it("lets no text of the cluster steer the terminal", () => {
    const items = [anItem({ pod: "web\u001b[2J\n-0", reported: "\u202eError", cause: "start-failure" })];
    const text = renderListTable({ ...LIST, items }, { ...LOOK, isWide: true });
    expect(text).toContain("web -0");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
    expect(text).not.toMatch(/[\u001b\u202e]/);
  });

  it.each([
    [0, 0, "now"],
    [-5_000, 20_100, "<21s"],
    [20_000, 20_000, "20s"],
    [20_900, 62_100, "20s-1m3s"],
  ])("never narrows the time to the next restart: %i to %i ms is %s", (from, to, words) => {
    const nextRestart = { notBeforeMs: LISTED_AT_MS + from, likelyByMs: LISTED_AT_MS + to, confidence: 0.95 };
    const text = renderListTable({ ...LIST, items: [anItem({ nextRestart })] }, { ...LOOK, hasHeaders: false });
    expect(text).toContain(`2m40s   ${words}   exit 1`);
  });
});

describe("renderListJson()", () => {
  it("looks like its picture", async () => {
    await expect(renderListJson(LIST, false)).toMatchFileSnapshot("../golden/list.json");
  });

  it("says that it is incomplete only if it is", () => {
    expect(JSON.parse(renderListJson(LIST, true))).toMatchObject({ kind: "BackoffList", incomplete: true });
    expect(JSON.parse(renderListJson(LIST, false))).not.toHaveProperty("incomplete");
  });
});

describe("renderListNames()", () => {
  it("names each pod once", () => {
    const items = [anItem(), anItem({ container: "proxy" }), anItem({ pod: "web-1" })];
    expect(renderListNames({ ...LIST, items })).toBe("pod/web-0\npod/web-1\n");
  });
});
