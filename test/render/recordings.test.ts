import { describe, expect, it } from "vitest";
import { explain } from "../../src/explain/explain.ts";
import { explanationToJson } from "../../src/render/json/json.ts";
import { displayWidth } from "../../src/render/page/width.ts";
import { RENDERERS } from "../../src/render/renderers.ts";
import { at } from "../support/explanations.ts";
import { observationAt, recordingOf } from "../support/recording.ts";
import { schemaErrors } from "../support/schema.ts";

/** From when all of these pods exist, in steps that meet every phase of a wait. */
const MOMENTS = Array.from({ length: 30 }, (_, index) => at("13:38:00") + index * 37_000);

describe.each([
  "node-a/command-not-found",
  "node-a/exit1-after-42s",
  "node-a/image-unreachable",
  "node-a/init-crashes",
  "node-a/liveness-ignores-term",
  "node-a/no-node",
  "node-a/sidecar-crashes",
  "node-d/config-missing",
  "node-d/grow-then-dropped",
  "node-d/held-while-deleted",
  "node-d/two-crashers",
])("explanations of the recording %s", (path) => {
  const recording = recordingOf(path);
  const explanations = MOMENTS.map((atMs) => explain(observationAt(recording.lines, recording, atMs), {}));

  it("print as JSON that the published schema describes", () => {
    expect(explanations.flatMap((each) => schemaErrors(explanationToJson(each)))).toEqual([]);
  });

  it("print as tables that fit and tell every container", () => {
    for (const each of explanations) {
      const table = RENDERERS.table(each, { columns: 80, color: false, timeZone: "UTC" });
      expect(table.split("\n").filter((line) => displayWidth(line) > 80)).toEqual([]);
      expect(table).not.toMatch(/undefined|NaN|null|<invalid>/);
      for (const { name } of each.pods.flatMap(({ containers }) => containers)) expect(table).toContain(`\n${name}`);
    }
  });
});
