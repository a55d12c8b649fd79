import { describe, expect, it } from "vitest";
import type { BackoffList, ListItem } from "../../src/explain/answer/backoff-list.ts";
import { jsonLine } from "../../src/render/json/json.ts";
import { listToJson } from "../../src/render/json/list-json.ts";
import { displayWidth } from "../../src/render/page/width.ts";
import { listKey, listNews, renderLiveList, stampedNews } from "../../src/render/watch/live-list.ts";
import { A_LOOK, aNotReadyPod, anItem, LISTED_AT_MS } from "../support/list-items.ts";

const LOOK = { ...A_LOOK, columns: 80 };

const listOf = (...items: ListItem[]): BackoffList => ({
  ...{ atMs: LISTED_AT_MS, atBasis: "server-clock", notReady: [], gaps: [] },
  items,
});
const frameOf = (list: BackoffList) => ({ list, nowMs: list.atMs, connectionLoss: null, isLast: false });

describe("renderLiveList()", () => {
  it("has no line that is wider than the terminal, with characters of two columns, too", () => {
    const wide = listOf(anItem({ pod: "網路服務網路服務" }));
    const lines = renderLiveList(frameOf(wide), { ...LOOK, columns: 20, rows: 24 }).split("\n");
    expect(lines.filter((line) => displayWidth(line) > 20)).toEqual([]);
  });

  it("prints the table, with the time and how to stop below it", () => {
    expect(renderLiveList(frameOf(listOf(anItem({ pod: "web-0" }))), { ...LOOK, columns: 90, rows: 24 })).toBe(
      [
        "NAME    READY   STATE         RESTARTS   NEXT          SINCE   CAUSE",
        "web-0   0/1     backing off   5          1m27s-1m57s   13:02   exit 1",
        "",
        "1 container in 1 pod is down: exit 1.",
        "",
        "13:10:00 GMT+1. Ctrl-C to stop.",
        "",
      ].join("\n"),
    );
  });

  it("says that nothing is down, that it was the last list, and that the connection is lost", () => {
    const empty = renderLiveList({ ...frameOf(listOf()), isLast: true }, { ...LOOK, rows: 24 });
    expect(empty).toBe("No containers are crash-looping or failing to start.\n\nStopped at 13:10:00 GMT+1.\n");
    const noneDown = renderLiveList(frameOf(listOf()), { ...LOOK, isDownOnly: true, rows: 24 });
    expect(noneDown).toMatch(/^No containers are down\.\n\n13:10:00 GMT\+1\. Ctrl-C/);
    const some = renderLiveList(frameOf(listOf()), { ...LOOK, selector: "app=web", isDownOnly: true, rows: 24 });
    expect(some).toMatch(/^No containers of pods that match "app=web" are down\.\n/);
    const connectionLoss = { sinceMs: LISTED_AT_MS - 60_000, because: "connect ECONNREFUSED\u001b[2J" };
    const old = renderLiveList({ ...frameOf(listOf()), connectionLoss }, { ...LOOK, columns: 200, rows: 24 });
    expect(old).toContain(
      "Ctrl-C to stop. Disconnected since 13:09:00 GMT+1 (connect ECONNREFUSED), retrying. Showing the last known state.\n",
    );
  });

  it("prints the notes below the time", () => {
    const text = renderLiveList(frameOf(listOf()), { ...LOOK, rows: 24 }, ["No permission to read the log of app."]);
    expect(text).toMatch(/\nNo permission to read the log of app\.\n$/);
  });

  it.each([1, 6, 10, 24])("has fewer lines than a terminal of %d rows, if four lines fit", (rows) => {
    const many = listOf(...Array.from({ length: 50 }, (_, index) => anItem({ pod: `web-${index}` })));
    const lines = renderLiveList(frameOf(many), { ...LOOK, rows }, rows === 10 ? ["One.", "Two.", "Three."] : [])
      .trimEnd()
      .split("\n");
    expect(lines.length).toBeLessThanOrEqual(Math.max(4, rows - 1));
    expect(lines.at(rows === 10 ? -5 : -3)).toMatch(/^… and \d+ more lines$/);
  });
});

describe("stampedNews()", () => {
  it("puts the time before each line, and a heading above the times", () => {
    const stamp = "13:10:00 GMT+1";
    const news = "POD     CONTAINER\nweb-0   app\n";
    expect(stampedNews(news, LISTED_AT_MS, true)).toBe(`TIME            POD     CONTAINER\n${stamp}  web-0   app\n`);
    expect(stampedNews("web-0 app is no longer down.\n", LISTED_AT_MS, false)).toBe(
      `${stamp}  web-0 app is no longer down.\n`,
    );
    expect(stampedNews("", LISTED_AT_MS, false)).toBe("");
  });
});

describe("listNews()", () => {
  const before = listOf(anItem({ pod: "web-0" }), anItem({ pod: "web-1" }));

  it("returns the whole list at first, without totals", () => {
    expect(
      listNews(null, before, LOOK)
        .split("\n")
        .map((line) => line.slice(0, 6)),
    ).toEqual(["NAME  ", "web-0 ", "web-1 ", ""]);
  });

  it("returns nothing while windows get shorter and rows change places", () => {
    const narrower = { notBeforeMs: LISTED_AT_MS + 90_000, likelyByMs: LISTED_AT_MS + 100_000 };
    const later = {
      ...listOf(anItem({ pod: "web-1", nextRestart: narrower }), anItem({ pod: "web-0" })),
      atMs: LISTED_AT_MS + 5_000,
    };
    expect(listNews(before, later, LOOK)).toBe("");
    expect(listKey(later)).toBe(listKey(before));
  });

  it("prints a row once when a restart becomes overdue", () => {
    const overdue = { expectedByMs: LISTED_AT_MS - 300_000, check: "" };
    const late = listOf(anItem({ pod: "web-0", nextRestart: null, overdue }), anItem({ pod: "web-1" }));
    expect(listNews(before, late, LOOK)).toBe("web-0   0/1   backing off   5   overdue 5m   13:02   exit 1\n");
    expect(listNews(late, { ...late, atMs: LISTED_AT_MS + 60_000 }, LOOK)).toBe("");
  });

  it("prints a row for each container that is new or has changed, and a line for each that is no longer down", () => {
    const later = listOf(anItem({ pod: "web-0", restartCount: 6 }), anItem({ pod: "web-2" }));
    expect(listNews(before, later, LOOK)).toBe(
      [
        "web-0   0/1   backing off   6   1m27s-1m57s   13:02   exit 1",
        "web-2   0/1   backing off   5   1m27s-1m57s   13:02   exit 1",
        "prod/web-1 app is no longer down.",
        "",
      ].join("\n"),
    );
    expect(listKey(later)).not.toBe(listKey(before));
  });

  it("says that a container that was up no longer crash-loops", () => {
    const up = listOf(anItem({ state: "running", nextRestart: null }));
    expect(listNews(up, { ...up, items: [] }, LOOK)).toBe("prod/web-0 app no longer crash-loops.\n");
  });

  it("prints a line when a pod is not Ready, when the cause changes, and when the pod is Ready again or gone", () => {
    const unready = { ...listOf(), notReady: [aNotReadyPod()] };
    const starting = { ...listOf(), notReady: [aNotReadyPod({ cause: "starting" })] };
    expect(listNews(null, unready, LOOK)).toBe("prod/core-0 is not Ready: readiness probe does not succeed.\n");
    expect(listNews(unready, unready, LOOK)).toBe("");
    expect(listNews(unready, starting, LOOK)).toBe("prod/core-0 is not Ready: core has not started yet.\n");
    expect(listNews(unready, listOf(), LOOK)).toBe("prod/core-0 is Ready or gone.\n");
    expect(listKey(unready)).not.toBe(listKey(listOf()));
  });

  it("prints only a row for a pod that was not Ready and now crashes", () => {
    const unready = { ...listOf(), notReady: [aNotReadyPod({ pod: "web-0" })] };
    expect(listNews(unready, listOf(anItem({ pod: "web-0" })), { ...LOOK, hasHeaders: false })).toMatch(/^web-0 .*\n$/);
  });

  it("has no headings if hasHeaders is false", () => {
    expect(listNews(null, before, { ...LOOK, hasHeaders: false })).toMatch(/^web-0 /);
  });
});

describe("jsonLine()", () => {
  it("prints the JSON of a list on one line", () => {
    const line = jsonLine(listToJson(listOf(anItem({ pod: "a  b\n c\u202e" })), {}));
    expect(line).toMatch(/^[^\n\u202e]+\n$/);
    expect(JSON.parse(line)).toMatchObject({ kind: "BackoffList", items: [{ pod: "a  b\n c\u202e" }] });
  });
});
