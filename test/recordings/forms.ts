import { describe, expect, it } from "vitest";
import { faultsOfOutput } from "../../lab/hostile/laws.ts";
import { observationAt } from "../../lab/recordings/recorded-moment.ts";
import { displayWidth } from "../../src/render/page/width.ts";
import { atClock } from "../support/explanations.ts";
import { RENDERERS } from "../support/renderers.ts";
import { explained, type Recorded, recordingNamed } from "./recorded.ts";

/** All pods below exist at these moments. */
const MOMENTS = Array.from({ length: 12 }, (_, index) => atClock("13:38:00") + index * 97_000);

const OPTIONS = { columns: 80, color: false, timeZone: "UTC" };

export function describeForms(recorded: Recorded): void {
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
    const recording = recordingNamed(recorded, path);
    const explanations = MOMENTS.map((atMs) => {
      const observation = observationAt(recording, atMs);
      if (observation === null) throw new Error(`There is no pod at ${new Date(atMs).toISOString()}`);
      return explained(observation);
    });

    it("print as JSON that the published schema describes", () => {
      expect(explanations.flatMap((each) => faultsOfOutput("json", RENDERERS.json(each, OPTIONS)))).toEqual([]);
    });

    it("print as tables of at most 80 columns that show every container", () => {
      for (const each of explanations) {
        const table = RENDERERS.table(each, OPTIONS);
        expect(table.split("\n").filter((line) => displayWidth(line) > 80)).toEqual([]);
        expect(faultsOfOutput("table", table)).toEqual([]);
        for (const { name } of each.pods.flatMap(({ containers }) => containers)) expect(table).toContain(`\n${name}`);
      }
    });

    it("are drawn inside the picture at every moment", () => {
      for (const each of explanations) {
        const picture = RENDERERS.svg(each, OPTIONS);
        expect(faultsOfOutput("svg", picture)).toEqual([]);
        const xs = [...picture.matchAll(/ (?:x|x1|x2)="(?<x>[^"]*)"/g)].map(({ groups }) => Number(groups?.["x"]));
        expect(xs.filter((x) => !(x >= 0 && x <= 960))).toEqual([]);
      }
    });
  });
}
