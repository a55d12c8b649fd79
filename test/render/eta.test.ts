import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { faultsOfOutput } from "../../lab/hostile/laws.ts";
import type { Eta } from "../../src/explain/answer/eta.ts";
import { countLine, givenUpLine, lastLine, outcomeLine } from "../../src/render/eta/eta-progress-words.ts";
import { renderEtaTable } from "../../src/render/eta/eta-table.ts";
import { ETA_FORMS } from "../../src/render/forms.ts";
import { inAscii } from "../../src/render/page/paint.ts";
import { timesAround } from "../../src/render/page/times.ts";
import { aPod, aStatus, running, S, terminated, waiting } from "../support/builders.ts";
import { repositoryFile } from "../support/command.ts";
import { aHerdEta, aLoopingPod, etaOfPods } from "../support/etas.ts";
import { loaded } from "../support/renderers.ts";
import { expectToFit } from "../support/too-wide.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const HERD = aHerdEta(NOW_MS);
const LOOK = { columns: 80, color: false, timeZone: "UTC" };
const EVIL = "a\u001b[31m<b>|*\u202e";

const ready = new Ajv2020({ allErrors: true }).compile(
  JSON.parse(readFileSync(repositoryFile("docs/eta.schema.json"), "utf8")),
);

const MIXED = etaOfPods(
  [
    aLoopingPod("late", NOW_MS - 3_600 * S, 40 * S),
    aLoopingPod("slow", NOW_MS - 20 * S, 300 * S, { namespace: "shop", owner: { kind: "DaemonSet", name: "agent" } }),
    ...[1, 2, 3].map((index) => aLoopingPod(`quick-${index}`, NOW_MS - 20 * S, 40 * S)),
    aPod({ name: "new", phase: "Pending", statuses: [aStatus({ state: waiting("ContainerCreating") })] }),
    aPod({ name: "deaf", statuses: [aStatus({ ready: false })] }),
  ],
  NOW_MS,
);
const ALONE = etaOfPods([aLoopingPod("web-0", NOW_MS - 20 * S, 160 * S)], NOW_MS);
const HOSTILE = etaOfPods(
  [EVIL, `${EVIL}2`].map((name) =>
    aLoopingPod(name, NOW_MS - 20 * S, 300 * S, { namespace: EVIL, owner: { kind: EVIL, name: EVIL }, nodeName: EVIL }),
  ),
  NOW_MS,
);
const CASES: readonly (readonly [string, Eta])[] = [
  ["herd", HERD],
  ["mixed", MIXED],
  ["alone", ALONE],
  ["hostile", HOSTILE],
  ["all up", etaOfPods([aPod(), aPod({ name: "web-1" })], NOW_MS)],
  ["nothing", etaOfPods([], NOW_MS)],
];

describe("renderEtaTable()", () => {
  it.each<[string, Eta, number]>([
    ["eta.60", HERD, 60],
    ["eta.80", HERD, 80],
    ["eta.200", HERD, 200],
    ["eta-mixed.80", MIXED, 80],
    ["eta-alone.80", ALONE, 80],
  ])("prints the golden file: %s", async (name, eta, columns) => {
    await expect(renderEtaTable(eta, { ...LOOK, columns })).toMatchFileSnapshot(`../golden/${name}.txt`);
  });

  const creating = (name: string) =>
    aPod({ name, phase: "Pending", statuses: [aStatus({ state: waiting("ContainerCreating") })] });
  const crashed = aLoopingPod("web-0", NOW_MS - 20 * S, 160 * S);

  it.each([
    {
      pods: [crashed, creating("web-1")],
      says: "None of 2 pods is up: 1 predictable, 1 unknown. If what keeps them down were fixed now, the predictable one would be up at ",
    },
    {
      pods: [crashed, creating("web-1"), aPod({ name: "web-2" })],
      says: "2 of 3 pods are not up: 1 predictable, 1 unknown. If ",
    },
    { pods: [creating("web-1"), aPod()], says: "1 of 2 pods is not up. No restart can be predicted." },
    {
      pods: [crashed, aPod()],
      says: "1 of 2 pods is not up. If what keeps it down were fixed now, it would be up at ",
    },
  ])("counts the pods that are not up: $says", ({ pods, says }) => {
    const text = renderEtaTable(etaOfPods(pods, NOW_MS), { ...LOOK, columns: 120 });
    expect(text.replaceAll("\n", " ")).toContain(says);
  });

  it("names a container that is up but crash-looping, because it may exit again", () => {
    const run = { state: running(NOW_MS), lastState: terminated(NOW_MS - 25 * S, NOW_MS - 20 * S), restartCount: 4 };
    const eta = etaOfPods([aPod({ statuses: [aStatus(run)] })], NOW_MS);
    expect(eta).toMatchObject({ up: 1, crashLooping: [{ pod: "web", container: "app" }] });
    expect(renderEtaTable(eta, LOOK)).toContain("Counted as up, but crash-looping");
  });

  it("leaves out the curve on a terminal of 24 rows, where it would scroll the headline away", () => {
    const lines = (rows: number) => renderEtaTable(HERD, { ...LOOK, rows }).split("\n").length;
    expect(lines(24)).toBeLessThan(24);
    expect(lines(60)).toBeGreaterThan(24);
  });

  it("lists each container that is down or overdue with -o wide", async () => {
    const text = ETA.wide(MIXED, { ...LOOK, isWide: true });
    expect(text).toMatch(/^NAMESPACE +POD +CONTAINER +NODE +OWNER +DELAY +NEXT +WAITS FOR$/m);
    expect(text).toMatch(/^shop +slow +app +node-a +DaemonSet\/agent +5m +4m40s-5m\ds +-$/m);
    expect(text).toMatch(/^default +late +app .+ since 11:01:15 UTC +-$/m);
  });

  it("has no block characters without Unicode", () => {
    expect(inAscii(renderEtaTable(HERD, LOOK))).not.toMatch(/[▁-█]/);
  });
});

describe("the lines of a watched estimate", () => {
  const all = ALONE.quantilesOfDown.at(-1);
  const times = timesAround(NOW_MS, "UTC");
  const instant = (all?.likelyByMs ?? 0) + 61 * S;

  it("say when to give up that all crashed again and none is up", () => {
    const count = { awaited: 3, up: 0, downAgain: 3, expectedUp: 3, reached: [], lastUpAtMs: NOW_MS };
    expect(givenUpLine(ALONE, count, instant)).toMatch(
      /^Gave up after \S+: 3 of 3 crashed again, and 0 of 3 are up\. .+ the cause is not fixed\.$/,
    );
    expect(countLine(ALONE, count, instant - 60 * S)).toMatch(
      /^0 of 3 are up after .+ 3 crashed again; waiting until they/,
    );
    expect(lastLine(ALONE, count, instant - 60 * S)).toMatch(/^0 of 3 are up after .+ 3 crashed again\. Nothing that /);
  });

  it("say how far off an announced time was, between the printed instants", () => {
    const announced = { share: 1, count: 1, atMs: NOW_MS + 3_000, likelyByMs: NOW_MS + 9_000 };
    expect(outcomeLine({ announced, cameAtMs: NOW_MS + 900 }, times)).toContain(
      "at 12:00:00 UTC, 3s before the announced 12:00:03 UTC",
    );
  });
});

const ETA = await loaded(ETA_FORMS);

describe("the forms of an estimate", () => {
  it.each(CASES)("fit the terminal, obey no text of the cluster and match the schema: %s", async (_, eta) => {
    expectToFit((columns) => renderEtaTable(eta, { ...LOOK, columns }));
    for (const [form, render] of Object.entries(ETA)) {
      const text = render(eta, LOOK);
      expect(faultsOfOutput(form === "json" ? "eta json" : form, text)).toEqual([]);
      expect(text.endsWith("\n")).toBe(true);
    }
    const document: unknown = JSON.parse(ETA.json(eta, { ...LOOK, isIncomplete: true }));
    ready(document);
    expect(ready.errors ?? []).toEqual([]);
    expect(load(ETA.yaml(eta, { ...LOOK, isIncomplete: true }))).toEqual(document);
  });

  it("have no command with a name that a shell would interpret", async () => {
    const evil = { namespace: "shop", owner: { kind: "DaemonSet", name: "a" } };
    const slow = (name: string) => aLoopingPod(name, NOW_MS - 20 * S, 300 * S, evil);
    const quick = Array.from({ length: 9 }, (_, index) => aLoopingPod(`q-${index}`, NOW_MS - 20 * S, 40 * S, evil));
    const late = (name: string) => aLoopingPod(name, NOW_MS - 3_600 * S, 40 * S);
    const textOf = (name: string, other: string) =>
      renderEtaTable(etaOfPods([slow(name), late(other), ...quick], NOW_MS), { ...LOOK, columns: 120 });
    expect(textOf("slow", "late").replaceAll("\n", " ")).toMatch(
      /explain late -n default .*kubectl delete pod slow -n shop /,
    );
    const lines = renderEtaTable(etaOfPods([late("a-pod-with-a-long-name")], NOW_MS), { ...LOOK, columns: 50 }).split(
      "\n",
    );
    expect(lines.slice(lines.indexOf("To see why:"))).toEqual([
      "To see why:",
      "  kubectl backoff explain a-pod-with-a-long-name \\",
      "  -n default",
      "",
    ]);
    const text = textOf("$(reboot)", "a; reboot");
    expect(text).toMatch(/faster\s+than\s+waiting: [\s\S]*-o\s+json\s+names\s+the\s+pods/);
    expect(text).toContain("kubectl backoff explain POD\n");
    expect(text).not.toContain("kubectl delete");
  });

  it("are Markdown that no name of a cluster can change", async () => {
    const text = ETA.md(HOSTILE, LOOK);
    expect(text).not.toMatch(/(?<!\\)<b>/);
    expect(text).toContain("\\<b\\>\\|\\*");
  });
});
