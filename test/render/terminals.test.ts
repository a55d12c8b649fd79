import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { faultsOfOutput } from "../../lab/hostile/laws.ts";
import { renderEtaTable } from "../../src/render/eta/eta-table.ts";
import type { RenderOptions } from "../../src/render/page/page.ts";
import type { SimulationReport } from "../../src/render/simulation/simulation-report.ts";
import { renderSimulated } from "../../src/render/simulation/simulation-table.ts";
import { simulate, startWindows } from "../../src/simulate/simulate.ts";
import { exits, kills, planOf, policyOf } from "../simulate/plans.ts";
import { aHerdEta } from "../support/etas.ts";
import { atClock, container, exit, explanation, pod, runs } from "../support/explanations.ts";
import { inferredOwner, stuckRollout } from "../support/group-situations.ts";
import { RENDERERS, STRATEGIES_RENDERERS } from "../support/renderers.ts";
import { contentionOf } from "../support/simulations.ts";
import { SITUATIONS } from "../support/situations.ts";
import { expectToFit } from "../support/too-wide.ts";

const LONG = container({
  name: "a-name-of-sixty-three-characters-which-is-the-most-that-is-allowed",
  type: "sidecar",
  state: "starting",
  reported: "CreateContainerError",
  restartCount: 123_456,
  delayMs: 3_605_000,
  image: `registry.example/${"very-long-".repeat(20)}name:latest`,
  imagePull: {
    image: `registry.example/${"very-long-".repeat(20)}name:latest`,
    cause: "",
    delayMs: 300_000,
    nextPull: null,
  },
  why: `No blank in it: ${"/".repeat(300)}`,
  lastExit: exit("13:30:00", "13:30:05", { message: "no-blank-in-it-either".repeat(20) }),
  history: runs(137, ["13:30:00", "13:30:05"], ["13:31:00", "13:31:05"]).flatMap((run) => [
    {
      ...run,
      start: 1_234_567,
      startedAtMs: null,
      startedBetweenMs: [atClock("13:30:00") - 86_400_000, atClock("13:31:00")],
    },
    run,
  ]),
  logs: {
    instance: "last-exit",
    lines: ["/".repeat(300), `${" ".repeat(40)}データベース ${"🚨".repeat(60)}`, "", "\tat x.js"],
    isTruncated: true,
  },
});

const MUCH = {
  nextSteps: [
    {
      what: "catch the restart",
      command: `kubectl logs ${"x".repeat(90)} '--context=${"a b ".repeat(30)}' && kubectl logs -f`,
      changesCluster: true,
      note: "データベース ".repeat(9),
    },
  ],
  events: [
    {
      regarding: "Pod" as const,
      reason: "Unhealthy",
      message: "/".repeat(300),
      container: "app",
      count: 7,
      firstAtMs: null,
      lastAtMs: atClock("13:39:48"),
    },
  ],
};

const EXPLANATIONS = {
  ...SITUATIONS,
  "long names": explanation("13:40:00", [pod([LONG], MUCH)]),
  "stuck rollout": stuckRollout(),
  "inferred owner": inferredOwner(),
};

function reportOf(changes: Partial<SimulationReport> = {}, runs = exits(42)): SimulationReport {
  const policy = policyOf("v1.37.1");
  const simulation = simulate(planOf(policy, runs), { forMs: 1_800_000 });
  const { retry, ...curve } = policy;
  return {
    name: "default",
    container: null,
    runs: { kind: "observed", runs },
    restartPolicy: "Always",
    policy: { ...curve, retry: retry.kind, kubeletVersion: "v1.37.1", basis: "version" },
    seed: null,
    simulation,
    windows: startWindows(simulation.starts, retry),
    ...changes,
  };
}

const [EXITS, KILLS] = [reportOf(), reportOf({}, kills(42))];
const NASTY = reportOf({ container: `prod/${"web-".repeat(60)}0\u001b[31m\u202e, container app` });
const COMPARED = Array.from({ length: 9 }, (_, index) => reportOf({ name: `configuration-${index}` }));
const [HERD_ETA, CONTENTION] = [aHerdEta(atClock("13:40:00")), contentionOf()];

type Form = (options: RenderOptions) => string;

const FORMS: readonly (readonly [name: string, fewestColumns: number, form: Form])[] = [
  ...Object.entries(EXPLANATIONS).flatMap(([name, situation]) =>
    (["table", "wide"] as const).map(
      (form) => [`${form} of ${name}`, 20, (options: RenderOptions) => RENDERERS[form](situation, options)] as const,
    ),
  ),
  ["contention", 20, (options) => STRATEGIES_RENDERERS.table(CONTENTION, options)],
  ["estimate", 20, (options) => renderEtaTable(HERD_ETA, options)],
  ["simulation of exits", 20, (options) => renderSimulated({ kind: "simulation", report: EXITS }, options)],
  ["simulation of kills", 20, (options) => renderSimulated({ kind: "simulation", report: KILLS }, options)],
  [
    "simulation of a container with a nasty name",
    20,
    (options) => renderSimulated({ kind: "simulation", report: NASTY }, options),
  ],
  ["comparison", 45, (options) => renderSimulated({ kind: "comparison", reports: COMPARED }, options)],
];

describe.each(FORMS)("the %s", (_, fewestColumns, form) => {
  it(`fits terminals of ${fewestColumns} to 200 columns, and ends no line with a blank`, () => {
    expectToFit((columns) => {
      const text = form({ columns, color: false, timeZone: "UTC" });
      expect(text.split("\n").filter((line) => /\s$/.test(line))).toEqual([]);
      return text;
    }, fewestColumns);
  });

  it("is the same below 20 columns as at 20 columns", () => {
    for (const columns of [3, Number.NaN])
      expect(form({ columns, color: false })).toBe(form({ columns: 20, color: false }));
  });

  it("says the same in colours, and has no control characters without them", () => {
    const plain = form({ columns: 80, color: false });
    const coloured = form({ columns: 80, color: true });
    expect(coloured).toContain("\u001b[");
    expect(stripVTControlCharacters(coloured)).toBe(plain);
    expect(faultsOfOutput("text", plain)).toEqual([]);
  });
});
