import type { BackoffList, ListItem } from "../../src/explain/answer/backoff-list.ts";
import { ahead, anItem, exited, LISTED_AT_MS, overdue } from "./list-items.ts";

const DEPLOYMENT = { kind: "Deployment", name: "web" };

function ofFleet(index: number, overrides: Partial<ListItem> = {}): ListItem {
  return anItem({
    pod: `web-6d5b7c9f4d-x2x4${"bcdfghjklmnp"[index]}`,
    restartCount: index,
    delayMs: Math.min(300_000, 10_000 * 2 ** index),
    nextRestart: ahead(20 + 10 * index, 35 + 20 * index),
    failingSince: { atMs: LISTED_AT_MS - 3_600_000 + index, basis: "observed" },
    workload: DEPLOYMENT,
    ...overrides,
  });
}

export const FLEET: BackoffList = {
  atMs: LISTED_AT_MS,
  atBasis: "server-clock",
  gaps: [],
  notReady: [],
  allPods: [
    ...Array.from("bcdfghjklmnp", (letter) => `web-6d5b7c9f4d-x2x4${letter}`),
    ...["web-6d5b7c9f4d-debug", "web-0", "web-api-6d5b7c9f4d-x2x4b", "queue-0", "queue-1", "queue-extra"],
  ].map((name) => ({ name, isReady: /[np]$/.test(name) })),
  items: [
    ...[1, 2, 3, 4, 5].map((index) => ofFleet(index)),
    ofFleet(6, { state: "restarting" }),
    ofFleet(7, { nextRestart: null, isNodeReady: false }),
    ofFleet(8, { nextRestart: null, overdue, state: "restarting" }),
    ofFleet(9, { cause: "oom", lastExit: exited(137) }),
    ...[0, 1].map((index) =>
      anItem({
        pod: `queue-${index}`,
        container: "queue",
        nextRestart: null,
        overdue,
        failingSince: { atMs: LISTED_AT_MS - 86_400_000, basis: "observed" },
        workload: { kind: "StatefulSet", name: "queue" },
      }),
    ),
    ...["a", "b"].map((name) => anItem({ pod: `bare-${name}`, owner: null, workload: null })),
    ...[10, 11].map((index) =>
      ofFleet(index, {
        state: "running",
        nextRestart: null,
        startedAtMs: LISTED_AT_MS - index * 10_000,
        isReady: true,
      }),
    ),
  ],
};
