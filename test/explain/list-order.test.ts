import { describe, expect, it } from "vitest";
import { type SortKey, sorted } from "../../src/explain/list-order.ts";
import { aNotReadyPod, anItem, LISTED_AT_MS } from "../support/list-items.ts";

const CREATED_AT_MS = LISTED_AT_MS - 3_600_000;

describe("sorted()", () => {
  const window = (seconds: number) => ({
    notBeforeMs: LISTED_AT_MS + seconds * 1000,
    likelyByMs: LISTED_AT_MS + seconds * 1000,
  });
  const rows = [
    { pod: "d", nextRestart: null, delayMs: null, restartCount: 4, createdAtMs: null },
    { pod: "c", nextRestart: window(30), delayMs: 10_000, restartCount: 2, createdAtMs: CREATED_AT_MS },
    { pod: "a", nextRestart: window(90), delayMs: 300_000, restartCount: 2, createdAtMs: CREATED_AT_MS + 2 },
    { pod: "b", nextRestart: window(30), delayMs: 0, restartCount: 8, createdAtMs: CREATED_AT_MS + 1 },
    {
      ...{ pod: "e", nextRestart: null, delayMs: 5_000, restartCount: 1, createdAtMs: CREATED_AT_MS - 1 },
      overdue: { expectedByMs: LISTED_AT_MS - 60_000, check: "" },
    },
    {
      pod: "Z",
      state: "running" as const,
      nextRestart: null,
      delayMs: 900_000,
      restartCount: 9,
      createdAtMs: CREATED_AT_MS + 9,
    },
  ];
  const list = {
    atMs: LISTED_AT_MS,
    atBasis: "server-clock" as const,
    notReady: [],
    gaps: [],
    items: rows.map((row) => anItem(row)),
  };

  it.each<[SortKey, string]>([
    ["next", "ebcadZ"],
    ["delay", "acebdZ"],
    ["restarts", "bdaceZ"],
    ["name", "abcdeZ"],
    ["age", "abcedZ"],
  ])("by %s: %s, with unknown values after the known ones, and running containers last", (key, order) => {
    expect(
      sorted(list, key)
        .items.map(({ pod }) => pod)
        .join(""),
    ).toBe(order);
  });

  it.each<[SortKey, string]>([
    ["next", "abc"],
    ["restarts", "bac"],
    ["age", "cab"],
  ])("by %s the pods that are not Ready: %s", (key, order) => {
    const pods = [
      { pod: "c", createdAtMs: LISTED_AT_MS, container: null },
      { pod: "b", createdAtMs: null },
      { pod: "a" },
    ].map((pod) => aNotReadyPod(pod));
    const container = { name: "app", isOnlyApp: true, restartCount: 4, reported: "Running" };
    const notReady = pods.map((pod) => (pod.pod === "b" ? { ...pod, container } : pod));
    expect(
      sorted({ ...list, notReady }, key)
        .notReady.map(({ pod }) => pod)
        .join(""),
    ).toBe(order);
  });
});
