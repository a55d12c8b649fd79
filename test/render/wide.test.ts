import { describe, expect, it } from "vitest";
import type { Explanation, Run } from "../../src/explain/answer/explanation.ts";
import { atClock, container, DOWN, exit, explanation, pod, policy, runs } from "../support/explanations.ts";
import { RENDERERS } from "../support/renderers.ts";
import { SITUATIONS } from "../support/situations.ts";

const OPTIONS = { columns: 120, color: false, timeZone: "Europe/Berlin" };

function wide(situation: Explanation, columns = 120): string {
  return RENDERERS.wide(situation, { ...OPTIONS, columns });
}

function said(label: string, situation: Explanation): string {
  const lines = wide(situation).split("\n");
  const first = lines.findIndex((line) => line.startsWith(`${label} `));
  const rest = lines.slice(first + 1).findIndex((line) => !line.startsWith(" "));
  return lines
    .slice(first, first + 1 + rest)
    .map((line) => line.slice(11))
    .join(" ");
}

describe("the wide form", () => {
  it.each(Object.entries(SITUATIONS).filter(([, { pods }]) => pods.length === 1))(
    "of %s begins with the table",
    (_, it) => {
      const table = RENDERERS.table(it, OPTIONS).replace(/\n(Based on .* )?Details: -o wide\n$/, "");
      expect(wide(it).startsWith(table)).toBe(true);
      expect(wide(it).length).toBeGreaterThan(table.length);
    },
  );

  it("has the back-off also if the next restart is immediate, as after the kill by a probe", () => {
    const reset = { atMs: atClock("13:50:00"), how: "if-it-keeps-running" } as const;
    const afterKill = container({ state: "running", delayMs: 0, nextRestart: null, reset });
    expect(said("back-off", explanation("13:40:00", [pod([afterKill])]))).toMatch(
      /^10s, doubling to 5m; resets after 10m/,
    );
  });

  it("has the warnings with their count and age", () => {
    const event = { reason: "Unhealthy", message: "no", container: "app", count: 7, firstAtMs: null };
    const events = [
      { ...event, regarding: "Pod" as const, lastAtMs: atClock("13:39:48") },
      { ...event, regarding: "Node" as const, reason: "SystemOOM", count: 1, lastAtMs: null, message: "" },
    ];
    expect(wide(explanation("13:40:00", [pod([container()], { events })]))).toContain(
      "\nevents     Unhealthy (app, 7 times, 12s ago): no\n           SystemOOM (node)\n",
    );
  });

  it("puts warnings together that differ only in identifiers, with the whole message of the newest", () => {
    const sandbox = (second: number, hash: string) => ({
      ...{ regarding: "Pod" as const, reason: "FailedCreatePodSandBox", container: null, count: 1, firstAtMs: null },
      lastAtMs: atClock(`13:39:${second}`),
      message: `failed to set up sandbox ${hash.repeat(8)}: ${"no ".repeat(200)}address`,
    });
    const probe = (code: number) => ({ ...sandbox(30, "a"), reason: "Unhealthy", message: `statuscode: ${code}` });
    const of = (events: readonly ReturnType<typeof sandbox>[]) =>
      said("events", explanation("13:40:00", [pod([container()], { events })]));
    const few = of([sandbox(57, "a1b2"), sandbox(44, "c3d4"), probe(500), probe(503)]);
    expect(few).toMatch(/^FailedCreatePodSandBox \(2 times, 3s ago\): failed to set up sandbox a1b2/);
    expect(few).toContain(`${"no ".repeat(200)}address Unhealthy`);
    expect(few).toMatch(/statuscode: 500 .*statuscode: 503$/);
    const ten = of(Array.from({ length: 10 }, (_, index) => sandbox(57 - index, `${index}f0e`)));
    expect(ten).toMatch(/^FailedCreatePodSandBox \(at least 10 times, last reported 3s ago\): .+/);
    expect(ten.match(/FailedCreatePodSandBox/g)).toHaveLength(1);
  });

  it("names the node of each of several pods", () => {
    const pods = [
      pod([container()], { name: "a", node: "node-a" }),
      pod([container({ reported: null })], { name: "b", node: null }),
    ];
    const nodes = wide(explanation("13:40:00", pods)).match(/^node .*$/gm);
    expect(nodes).toEqual(["node       node-a (kubelet v1.37.1)", "node       none yet"]);
  });

  it.each([
    {
      kubeletVersion: "v1.37.1",
      key: /image web:1, its resources$/,
      resetBy: /^a new image, changed resources or a new pod;/,
    },
    {
      kubeletVersion: "v1.33.2",
      key: /, a hash of its spec$/,
      resetBy: /^a new image, changed resources or a new pod;/,
    },
    { kubeletVersion: "v1.28.0", key: /, a hash of its spec$/, resetBy: /^a new image or a new pod;/ },
    { kubeletVersion: null, key: /its resources$/, resetBy: /a kubelet restart resets every container on the node$/ },
  ])(
    "names the key of the back-off on kubelet $kubeletVersion, and what resets it",
    ({ kubeletVersion, key, resetBy }) => {
      const situation = explanation("13:40:00", [
        pod([container({ ...DOWN, image: "web:1" })], { policy: policy({ kubeletVersion }) }),
      ]);
      expect(said("key", situation)).toMatch(key);
      expect(said("reset by", situation)).toMatch(resetBy);
    },
  );

  it("names what resets the back-off of a pull, and nothing without a back-off", () => {
    expect(said("reset by", SITUATIONS["image-pull-back-off"] as Explanation)).toMatch(/^a new image or a new pod;/);
    for (const calm of ["healthy", "start-failing"])
      expect(wide(SITUATIONS[calm] as Explanation)).not.toContain("reset by");
  });

  it("gives the settings of a container, and the pace of its restarts", () => {
    const probe = {
      initialDelayMs: 5_000,
      periodMs: 3_000,
      timeoutMs: 1_000,
      failureThreshold: 1,
      gracePeriodMs: 60_000,
    };
    const [none, more] = [null, { ...probe, initialDelayMs: 0, failureThreshold: 3, gracePeriodMs: null }];
    const settings = { imagePullPolicy: "Always", memoryLimit: "64Mi", livenessProbe: probe, readinessProbe: more };
    const app = container({ isReady: false, restartCount: 6, settings: { ...settings, startupProbe: none } });
    const rows = (createdAt: string) => explanation("13:40:00", [pod([app], { createdAtMs: atClock(createdAt) })]);
    const told = Object.fromEntries(
      ["image", "ready", "memory", "liveness", "readiness", "restarts"].map((label) => [
        label,
        said(label, rows("13:20:00")),
      ]),
    );
    expect(told).toEqual({
      image: `${app.image} (imagePullPolicy Always, asked for before each start)`,
      ready: "no",
      memory: "limit 64Mi",
      liveness: "every 3s, from 5s after the start, timeout 1s, fails after 1 failure in a row, 1m of grace",
      readiness: "every 3s, timeout 1s, fails after 3 failures in a row",
      restarts: "6 in 20m, one every 3m20s on average",
    });
    expect(said("restarts", rows("01:40:00"))).toBe("6 in 12h, one every 120m on average");
  });

  it("gives the whole termination message, without control characters", () => {
    const message = `\u001b[31m${"long ".repeat(100)}\u0007end`;
    const app = container({ restartCount: 1, lastExit: exit(null, "13:39:00", { message, signal: 9, reason: null }) });
    const situation = explanation("13:40:00", [pod([app])]);
    expect(said("message", situation)).toBe(`${"long ".repeat(100)}end`);
    expect(said("exit", situation)).toBe("code 1, signal 9, no reason given");
    expect(said("started", situation)).toBe("unknown");
  });
});

describe("the runs of the wide form", () => {
  const listed = (history: readonly Run[], columns = 120): string[] => {
    const lines = wide(explanation("13:40:00", [pod([container({ history })])]), columns)
      .trimEnd()
      .split("\n");
    return lines.slice(lines.lastIndexOf("") + 1);
  };
  const many = (count: number): Run[] =>
    runs(1, ...Array.from({ length: count }, (_, run) => [`13:0${Math.floor(run / 60)}:00`, "13:39:00"] as const));

  it("are the last 20, with the number of those that were left out", () => {
    expect(listed(many(20))).toHaveLength(1 + 20);
    expect(listed(many(21)).slice(1)).toEqual([
      ...Array.from({ length: 20 }, (_, run) => expect.stringMatching(new RegExp(`^${run + 1} `))),
      "1 earlier run not shown.",
    ]);
    expect(listed(many(50)).at(-1)).toBe("30 earlier runs not shown.");
  });

  it("distinguish a run that goes on from unknown values", () => {
    const [ended, up] = runs(3, ["13:30:00", "13:30:05"], ["13:39:00", null]) as [Run, Run];
    const unknown = { ...ended, start: 0, startedAtMs: null, exitCode: null, waitedMs: null } as const;
    const history = [unknown, { ...ended, start: 1 }, { ...up, start: 2 }];
    expect(listed(history).map((line) => line.split(/ {2,}/))).toEqual([
      ["RUN", "STARTED", "RAN", "EXIT", "WAITED", "BASIS"],
      ["0", "?", "?", "?", "?", "observed"],
      ["1", "14:30:00 GMT+1", "5s", "3", "8m55s", "observed"],
      ["2", "14:39:00 GMT+1", "1m so far", "-", "-", "observed"],
    ]);
  });

  it("are in words on a page too narrow for a table", () => {
    expect(listed(runs(3, ["13:30:00", "13:30:05"], ["13:39:00", null]), 46)).toEqual([
      "run 0      started 14:30:00 GMT+1, ran 5s,",
      "           exit 3, waited 8m55s, observed",
      "run 1      started 14:39:00 GMT+1, ran 1m so",
      "           far, observed",
    ]);
  });
});
