import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Calibration } from "../../scripts/calibration/calibration.ts";
import { reportLines } from "../../scripts/calibration/report.ts";
import { judgeRunning } from "../../scripts/calibration/running.ts";
import { repositoryFile } from "../support/command.ts";
import { withBlock } from "../support/page-blocks.ts";
import { withCalibration, withNodeTable } from "./calibration-tables.ts";
import { explained, type Recorded } from "./recorded.ts";

export function describeDocumentedFigures({ recordings, known, calibration, others }: Recorded): void {
  const totals = totalsOf(calibration);

  describe("docs/predictions.md", () => {
    it("contains the figures of this calibration (if only this test fails, vitest --update writes them)", async () => {
      const file = repositoryFile("docs/predictions.md");
      const running = judgeRunning(recordings, known, explained);
      const page = withCalibration(readFileSync(file, "utf8"), recordings, calibration, running);
      const withOthers = [...others].reduce(
        (text, [name, other]) => withNodeTable(text, name, other.recordings, other.calibration),
        page,
      );
      await expect(withBlock(withOthers, "answered ", totals)).toMatchFileSnapshot(file);
    }, 120_000);
  });

  describe("README.md", () => {
    it("contains the share of predictions that hold", () => {
      const [, percent, counts] = /^inside +([\d.]+) %, (\d+ of \d+)$/m.exec(totals) ?? [];
      expect(readFileSync(repositoryFile("README.md"), "utf8")).toContain(`${percent}% (${counts})`);
    });
  });
}

function totalsOf(calibration: Calibration): string {
  const lines = reportLines(calibration).filter((line) => /^(answered|delay right|inside|early|median)/.test(line));
  return lines.map((line) => `${line.replace(/ \(.*\)$/, "")}\n`).join("");
}
