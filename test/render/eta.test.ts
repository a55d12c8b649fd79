import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import { faultsOfOutput } from "../../lab/hostile/laws.ts";
import type { Eta } from "../../src/explain/answer/eta.ts";
import { ETA_FORMS, renderEta } from "../../src/render/eta/eta-forms.ts";
import { renderEtaTable } from "../../src/render/eta/eta-table.ts";
import { displayWidth } from "../../src/render/page/width.ts";
import { aPod, aStatus, waiting } from "../support/builders.ts";
import { repositoryFile } from "../support/command.ts";
import { aHerdEta, aLoopingPod, etaOfPods } from "../support/etas.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const S = 1_000;
const HERD = aHerdEta(NOW_MS);
const LOOK = { columns: 80, color: false, timeZone: "UTC" };
const EVIL = "a\u001b[31m<b>|*\u202e";

const ready = new Ajv2020({ allErrors: true }).compile(
  JSON.parse(readFileSync(repositoryFile("docs/eta.schema.json"), "utf8")),
);

/** Pods of two namespaces: overdue, waiting, starting, and running without being Ready. */
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
  ])("is as reviewed: %s", async (name, eta, columns) => {
    await expect(renderEtaTable(eta, { ...LOOK, columns })).toMatchFileSnapshot(`../golden/${name}.txt`);
  });

  it("has a curve in ASCII", () => {
    expect(renderEtaTable(HERD, { ...LOOK, unicode: false })).not.toMatch(/[▁-█]/);
  });
});

describe("renderEta()", () => {
  it.each(CASES)("keeps to its laws and its schema in every form: %s", async (_, eta) => {
    for (const columns of [20, 40, 80, 200]) {
      const lines = renderEtaTable(eta, { ...LOOK, columns }).split("\n");
      expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
    }
    for (const form of ETA_FORMS) {
      const text = await renderEta(eta, form, false, LOOK);
      expect(faultsOfOutput(form === "json" ? "eta json" : form, text)).toEqual([]);
      expect(text.endsWith("\n")).toBe(true);
    }
    const document: unknown = JSON.parse(await renderEta(eta, "json", true, LOOK));
    ready(document);
    expect(ready.errors ?? []).toEqual([]);
    expect(load(await renderEta(eta, "yaml", true, LOOK))).toEqual(document);
  });

  it("writes no command with a name that a shell would obey", async () => {
    const evil = { namespace: "shop", owner: { kind: "DaemonSet", name: "a" } };
    const slow = (name: string) => aLoopingPod(name, NOW_MS - 20 * S, 300 * S, evil);
    const quick = Array.from({ length: 9 }, (_, index) => aLoopingPod(`q-${index}`, NOW_MS - 20 * S, 40 * S, evil));
    const late = (name: string) => aLoopingPod(name, NOW_MS - 3_600 * S, 40 * S);
    const textOf = (name: string, other: string) =>
      renderEtaTable(etaOfPods([slow(name), late(other), ...quick], NOW_MS), { ...LOOK, columns: 120 });
    expect(textOf("slow", "late").replaceAll("\n", " ")).toMatch(
      /explain late -n default .*kubectl delete pod slow -n shop\./,
    );
    const text = textOf("$(reboot)", "a; reboot");
    expect(text).toMatch(/faster: [\s\S]*-o\s+json names the pods/);
    expect(text).toContain("kubectl backoff explain POD\n");
    expect(text).not.toContain("kubectl delete");
  });

  it("writes Markdown that no name of a cluster can change", async () => {
    const text = await renderEta(HOSTILE, "md", false, LOOK);
    expect(text).not.toMatch(/(?<!\\)<b>/);
    expect(text).toContain("\\<b\\>\\|\\*");
  });
});
