import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cutExample } from "../../scripts/cut-example/cut.ts";
import { recordingOf } from "../support/recording.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);
const INDEX = JSON.parse(readFileSync(new URL("index.json", EXAMPLES), "utf8")) as {
  readonly at: string;
  readonly file: string;
  readonly recording?: string;
}[];
const CUT = INDEX.flatMap(({ recording, ...entry }) => (recording === undefined ? [] : { ...entry, recording }));

describe("cutExample()", () => {
  it.each(CUT)("makes $file of $recording, as it is committed", ({ at, file, recording }) => {
    const committed: unknown = JSON.parse(gunzipSync(readFileSync(new URL(file, EXAMPLES))).toString("utf8"));
    const cut: unknown = JSON.parse(JSON.stringify(cutExample(recordingOf(recording), Date.parse(at))));
    expect(cut).toEqual(committed);
  });

  it("refuses a moment at which there was no pod", () => {
    expect(() => cutExample(recordingOf("node-a/oom"), 0)).toThrow("No pod oom at 1970-01-01T00:00:00.000Z");
  });
});
