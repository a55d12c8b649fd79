import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/explain/answer/explanation.ts";
import { explanationToJson, jsonLine } from "../../src/render/json/json.ts";
import { atClock, container, exit, explanation, pod } from "../support/explanations.ts";
import { RENDER_OPTIONS } from "../support/page.ts";
import { RENDERERS } from "../support/renderers.ts";
import { schemaErrors, undocumentedFields } from "../support/schema.ts";
import { SITUATIONS } from "../support/situations.ts";

const NASTY = "\u001b[31m\u009bred\u202e\u{e0041}\u2028 'quoted' \"twice\": - #\nsecond line\n";

describe.each(Object.entries(SITUATIONS))("the machine forms of %s", (_, situation: Explanation) => {
  const printed = RENDERERS.json(situation, RENDER_OPTIONS);

  it("are JSON that the published schema describes, field by field", () => {
    expect(printed.endsWith("}\n")).toBe(true);
    expect(schemaErrors(JSON.parse(printed))).toEqual([]);
    expect(undocumentedFields(JSON.parse(printed))).toEqual([]);
  });

  it("are YAML that says the same, without aliases, and JSON on one line", () => {
    const yaml = RENDERERS.yaml(situation, RENDER_OPTIONS);
    expect(load(yaml)).toEqual(JSON.parse(printed));
    expect(yaml).not.toMatch(/^[^'"]*: [&*]/m);
    expect(yaml.endsWith("\n")).toBe(true);
    const line = jsonLine(explanationToJson(situation));
    expect(line.split("\n")).toEqual([expect.stringMatching(/^\{.*\}$/), ""]);
    expect(JSON.parse(line)).toEqual(JSON.parse(printed));
  });
});

describe("the JSON form", () => {
  it("gives seconds for milliseconds and UTC for instants", () => {
    const app = container({ delayMs: 1_500, reset: { atMs: atClock("13:48:07.250"), how: "if-it-keeps-running" } });
    const [json] = explanationToJson(explanation("13:43:00", [pod([app])])).pods;
    expect(json?.containers[0]).toMatchObject({ delaySeconds: 1.5, reset: { at: "2026-11-21T13:48:07.250Z" } });
    expect(json?.policy).toMatchObject({ initialSeconds: 10, maxSeconds: 300, resetAfterSeconds: 600 });
  });

  it("keeps the text of a message, as YAML does, with all that a terminal obeys escaped", () => {
    const app = container({ lastExit: exit("13:36:53", "13:36:54", { message: NASTY }) });
    const situation = explanation("13:37:00", [pod([app])]);
    for (const [form, read] of [["json", JSON.parse] as const, ["yaml", load] as const]) {
      const printed = RENDERERS[form](situation, RENDER_OPTIONS);
      const json = read(printed) as ReturnType<typeof explanationToJson>;
      expect(json.pods[0]?.containers[0]?.lastExit?.message).toBe(NASTY);
      expect(printed).toMatch(/^[\n\x20-\x7e]*$/);
    }
  });

  it("has the logs that were read, unchanged, and null without a log", () => {
    const logs = { instance: "last-exit" as const, lines: [NASTY, ""], isTruncated: false };
    const situation = explanation("13:37:00", [pod([container({ logs }), container({ name: "b" })])]);
    const printed = RENDERERS.json(situation, RENDER_OPTIONS);
    const [app, other] = (JSON.parse(printed) as ReturnType<typeof explanationToJson>).pods[0]?.containers ?? [];
    expect(app).toHaveProperty("logs", logs);
    expect(other).toHaveProperty("logs", null);
    expect(schemaErrors(JSON.parse(printed))).toEqual([]);
    expect(undocumentedFields(JSON.parse(printed))).toEqual([]);
    expect(printed).toMatch(/^[\n\x20-\x7e]*$/);
  });

  it("has a schema that refuses what is not in it", () => {
    const good = explanationToJson(SITUATIONS["shown-as-error"] as Explanation);
    expect(schemaErrors({ ...good, apiVersion: "backoff/v2" })).not.toEqual([]);
    expect(schemaErrors({ ...good, at: 1_700_000_000 })).not.toEqual([]);
    expect(undocumentedFields({ ...good, more: 1 })).not.toEqual([]);
    const running = good.pods.map((each) => ({
      ...each,
      containers: each.containers.map((inner) => ({ ...inner, state: "running" })),
    }));
    expect(schemaErrors({ ...good, pods: running })).toEqual([
      "/pods/0/containers/0/nextRestart must be null",
      expect.any(String),
    ]);
  });
});

describe("the name form", () => {
  it("is kubectl's: one pod per line", () => {
    expect(RENDERERS.name(SITUATIONS["many-pods"] as Explanation, RENDER_OPTIONS).split("\n")).toEqual([
      "pod/cart-6649d49b6c-x2x7p",
      "pod/search-0",
      "pod/web-7c9f5d5b8-kq6zl",
      "pod/nightly-29921140-zt66s",
      "",
    ]);
  });
});
