import { describe, expect, it } from "vitest";
import type { ListItem } from "../../src/explain/answer/backoff-list.ts";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import { atOneTime, whoElse, workloadsOf } from "../../src/explain/common.ts";
import { aNotReadyPod, LISTED_AT_MS, itemOf as of } from "../support/list-items.ts";

const REFUSED = "connect ECONNREFUSED 10.0.0.7:5432";

function sentences(items: readonly ListItem[]): string[] {
  return whoElse(workloadsOf(items)).map(({ sentence }) => textInUtc(sentence));
}

describe("whoElse()", () => {
  it("names the workloads that began to fail together and log the same error", () => {
    const users = of("users", 291, { lastLogLine: REFUSED, node: "node-c" });
    const items = [
      of("payments", 295, { lastLogLine: REFUSED, node: "node-b" }),
      of("orders", 300, { lastLogLine: REFUSED }),
      users,
      { ...users, pod: "users-6d5b7c9f4d-x2x4r" },
      of("web", 300, { lastLogLine: "panic: no such table: sessions" }),
    ];
    expect(sentences(items)).toEqual([
      `orders, payments and users (4 pods on 3 nodes) began within 9s of 2026-11-21T12:05:00Z; all say: ${REFUSED}`,
    ]);
    expect(whoElse(workloadsOf(items))[0]).toMatchObject({
      what: ["log", "host"],
      pods: [{ name: "payments-6d5b7c9f4d-x2x4q" }, {}, {}, {}],
    });
  });

  it("says that the time is inferred if one of the workloads has an inferred time", () => {
    const failingSince = { atMs: LISTED_AT_MS - 300_000, basis: "inferred" as const };
    const inferred = of("orders", 300, { lastLogLine: REFUSED, failingSince });
    expect(sentences([inferred, of("users", 291, { lastLogLine: REFUSED })])).toEqual([
      `orders and users (2 pods on node-a) began within 9s of 2026-11-21T12:05:00Z (inferred); both say: ${REFUSED}`,
    ]);
  });

  it.each([
    ["db:5432", "shop", " (db fails, too)"],
    ["db.shop.svc:5432", "shop", " (db fails, too)"],
    ["db.shop", "data", ""],
    ["db.data.svc.cluster.local:5432", "data", " (db fails, too)"],
    ["db:5432", "data", ""],
    ["10.0.0.7:5432", "shop", ""],
  ])("looks for a failing workload with the name of host %s, here in namespace %s", (host, namespace, says) => {
    const line = { lastLogLine: `connect ECONNREFUSED ${host}` };
    const db = of("db", 100, { namespace, lastLogLine: "PANIC: no valid checkpoint record" });
    const [sentence] = sentences([
      of("users", 300, { namespace: "shop", ...line }),
      of("orders", 300, { namespace: "shop", ...line }),
      db,
    ]);
    expect(sentence?.endsWith(`both say: connect ECONNREFUSED ${host}${says}`)).toBe(true);
  });

  it("says that a workload with the name of the host is not Ready", () => {
    const says = "ERROR dial tcp: connect to db:5432: connection refused";
    const items = ["orders", "users"].map((name) => of(name, 300, { namespace: "shop", lastLogLine: says }));
    const db = aNotReadyPod({ namespace: "shop", pod: "db-0", workload: { kind: "StatefulSet", name: "db" } });
    const [found] = whoElse(workloadsOf(items), [db, { ...db, namespace: "data" }]);
    expect(textInUtc(found?.sentence ?? "")).toMatch(/ \(db is not Ready\)$/);
  });

  const code = (exitCode: number) => ({ lastExit: { exitCode, signal: null } });
  const config = (name: string) => ({ ...code(78), sources: [{ kind: "ConfigMap" as const, name }] });
  it.each<[string, readonly [Partial<ListItem>, Partial<ListItem>], string]>([
    [
      "the same log line except for numbers, ids and times",
      [
        { lastLogLine: "12:01 request 77: no such table: sessions" },
        { lastLogLine: "12:04 request 9: no such table: sessions" },
      ],
      "both say the same but for numbers: 12:01 request 77: no such table: sessions",
    ],
    [
      "a host",
      [
        { lastLogLine: "Error: getaddrinfo ENOTFOUND db.prod" },
        { lastLogLine: "panic: dial tcp: lookup db.prod: no such host" },
      ],
      "both name db.prod in their logs",
    ],
    [
      "an address with a port",
      [
        { lastLogLine: "Error: connect ECONNREFUSED db:5432" },
        { lastLogLine: "fatal: could not reach postgres://app@db:5432/shop" },
      ],
      "both name db:5432 in their logs",
    ],
    ["a ConfigMap, if both exit with the same code", [config("app"), config("app")], "both use configmap/app"],
    [
      "an image, if both exit with the same code",
      [
        { ...code(78), image: "ghcr.io/me/app:1" },
        { ...code(78), image: "ghcr.io/me/app:1" },
      ],
      "both run the image ghcr.io/me/app:1",
    ],
    [
      "the reason why they cannot start",
      [
        { cause: "start-failure", message: 'configmap "app" not found' },
        { cause: "start-failure", message: 'configmap "app" not found' },
      ],
      'both say: configmap "app" not found',
    ],
  ])("links two workloads by %s", (_, [first, second], expected) => {
    expect(sentences([of("a", 300, first), of("b", 300, second)])).toEqual([
      `a and b (2 pods on node-a) began at 2026-11-21T12:05:00Z; ${expected}`,
    ]);
  });

  it.each<[string, readonly [Partial<ListItem>, Partial<ListItem>]]>([
    ["the exit code", [{}, {}]],
    ["the exit code and the node", [{ node: "node-a" }, { node: "node-a" }]],
    [
      "a log line of many programs",
      [
        { lastLogLine: "panic: runtime error: invalid memory address or nil pointer dereference" },
        { lastLogLine: "panic: runtime error: invalid memory address or nil pointer dereference" },
      ],
    ],
    [
      "a log line that reports no failure",
      [
        { lastLogLine: "listening on http://0.0.0.0:8080/api" },
        { lastLogLine: "listening on http://0.0.0.0:8080/api" },
      ],
    ],
    ["a single word", [{ lastLogLine: "Error" }, { lastLogLine: "Error" }]],
    [
      "the same words about two hosts",
      [{ lastLogLine: "connect ECONNREFUSED 10.0.0.7:5432" }, { lastLogLine: "connect ECONNREFUSED 10.0.0.9:6379" }],
    ],
    [
      "their own localhost",
      [
        { lastLogLine: "Error: connect ECONNREFUSED 127.0.0.1:8080" },
        { lastLogLine: "failed to reach localhost:8080" },
      ],
    ],
    [
      "an image for programs of many kinds",
      [
        { ...code(78), image: "docker.io/library/busybox:1.36" },
        { ...code(78), image: "docker.io/library/busybox:1.36" },
      ],
    ],
    [
      "an image name without a registry or organization",
      [
        { ...code(78), image: "app:1" },
        { ...code(78), image: "app:1" },
      ],
    ],
    ["a ConfigMap with different exit codes", [config("app"), { ...config("app"), ...code(3) }]],
    [
      "a ConfigMap and the usual exit code 1",
      [
        { ...config("app"), ...code(1) },
        { ...config("app"), ...code(1) },
      ],
    ],
    [
      "a ConfigMap with different log lines",
      [
        { ...config("app"), lastLogLine: "panic: no such table: sessions" },
        { ...config("app"), lastLogLine: "fatal: cannot parse LIMIT" },
      ],
    ],
    ["the same name of a ConfigMap in two namespaces", [config("app"), { ...config("app"), namespace: "shop" }]],
    [
      "the last log line before an OOM kill",
      [
        { cause: "oom", lastLogLine: REFUSED },
        { cause: "oom", lastLogLine: REFUSED },
      ],
    ],
  ])("does not link two workloads by %s", (_, [first, second]) => {
    expect(sentences([of("a", 300, first), of("b", 300, second)])).toEqual([]);
  });

  it("names the namespaces if the workloads are in several", () => {
    const items = [of("a", 300, { lastLogLine: REFUSED }), of("a", 300, { lastLogLine: REFUSED, namespace: "shop" })];
    expect(sentences(items)[0]).toMatch(/^prod\/a and shop\/a \(2 pods on node-a\) began /);
  });

  it("does not link workloads that began to fail at different times, nor the pods of one workload", () => {
    expect(sentences([of("a", 3_000, { lastLogLine: REFUSED }), of("b", 300, { lastLogLine: REFUSED })])).toEqual([]);
    const own = of("a", 300, { lastLogLine: REFUSED });
    expect(sentences([own, { ...own, pod: "a-6d5b7c9f4d-x2x4r" }])).toEqual([]);
  });

  it("gives no time if the time of one workload is unknown, and then does not link workloads by their image", () => {
    const [known, unknown] = [of("a", 300, { lastLogLine: REFUSED }), of("b", null, { lastLogLine: REFUSED })];
    expect(sentences([known, unknown])).toEqual([`a and b (2 pods on node-a) both say: ${REFUSED}`]);
    expect(
      sentences([of("a", 300, { ...code(78), image: "me/app:1" }), of("b", null, { ...code(78), image: "me/app:1" })]),
    ).toEqual([]);
  });

  it("has one sentence for all links of the same workloads, and names three of many", () => {
    const items = ["a", "b", "c", "d", "e", "f"].map((name) =>
      of(name, 300, { ...config("app"), lastLogLine: REFUSED }),
    );
    expect(sentences(items)).toEqual([
      `a, b, c and 3 more (6 pods on node-a) began at 2026-11-21T12:05:00Z; all say: ${REFUSED}`,
    ]);
    expect(whoElse(workloadsOf(items))[0]?.what).toEqual(["log", "host", "configmap"]);
  });
});

describe("atOneTime()", () => {
  const at = (...agesS: readonly number[]) => agesS.map((ageS, index) => of(`w-${index}`, ageS));
  const sentence = (items: readonly ListItem[], causes = whoElse(workloadsOf(items))) =>
    atOneTime(workloadsOf(items), causes).map((one) => textInUtc(one.sentence))[0];

  it("says that most of the failing workloads began to fail within two minutes of each other", () => {
    expect(sentence(at(3_000, 300, 270, 250, 185, 900))).toBe(
      "w-1, w-2, w-3 and w-4 (4 pods on node-a) began within 1m55s of 2026-11-21T12:05:00Z; " +
        "look for what was released or changed then",
    );
  });

  it.each([
    { why: "three are too few", items: at(300, 300, 300) },
    { why: "half of them are too few", items: at(300, 300, 300, 300, 900, 1_200, 1_500, 1_800) },
    { why: "they began over more than two minutes", items: at(300, 270, 250, 179) },
    {
      why: "another sentence already links all of them",
      items: at(300, 300, 300, 300).map((one) => ({ ...one, lastLogLine: REFUSED })),
    },
  ])("says nothing: $why", ({ items }) => expect(sentence(items)).toBeUndefined());
});
