import { describe, expect, it } from "vitest";
import { recordingOf } from "../../lab/recordings/recordings.ts";
import { readTextFile } from "../../lab/recordings/text-file.ts";
import { cutExample } from "../../scripts/cut-example/cut.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);
const INDEX = JSON.parse(readTextFile(new URL("index.json", EXAMPLES))) as {
  readonly at: string;
  readonly file: string;
  readonly recording?: string;
}[];
const CUT = INDEX.flatMap(({ recording, ...entry }) => (recording === undefined ? [] : { ...entry, recording }));

describe("cutExample()", () => {
  it.each(CUT)("makes $file of $recording, as it is committed", ({ at, file, recording }) => {
    const committed: unknown = JSON.parse(readTextFile(new URL(file, EXAMPLES)));
    const cut: unknown = JSON.parse(JSON.stringify(cutExample(recordingOf(recording), Date.parse(at))));
    expect(cut).toEqual(committed);
  });

  it("refuses a moment at which there was no pod", () => {
    expect(() => cutExample(recordingOf("node-a/oom"), 0)).toThrow("No pod oom at 1970-01-01T00:00:00.000Z");
  });
});
