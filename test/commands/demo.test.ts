import { describe, expect, it } from "vitest";
import { listExamples } from "../../src/cluster/files/examples.ts";
import { stderrOf, stdoutOf } from "../support/command.ts";
import { validExplanation } from "../support/schema.ts";

const EXAMPLES = listExamples();

describe("kubectl backoff demo", () => {
  it("explains the first example", async () => {
    const first = EXAMPLES[0]?.name ?? "";
    expect(await stdoutOf(["demo", "-o", "json"])).toBe(await stdoutOf(["demo", first, "-o", "json"]));
  });

  it.each(EXAMPLES.map(({ name }) => name))("explains %s at its moment", async (name) => {
    const explanation = validExplanation(await stdoutOf(["demo", name, "-o", "json"]));
    const example = EXAMPLES.find((candidate) => candidate.name === name);
    expect(Date.parse(explanation.at)).toBe(example?.atMs);
    expect(explanation.pods).toHaveLength(1);
    expect(explanation.pods[0].verdict).not.toBe("unknown");
  });

  it("names all examples with --list", async () => {
    const lines = (await stdoutOf(["demo", "--list"])).trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ", 1)[0])).toEqual(EXAMPLES.map(({ name }) => name));
    for (const { title } of EXAMPLES) expect(lines.filter((line) => line.endsWith(`  ${title}`))).toHaveLength(1);
  });

  it.each(["-o json", "sidecar"])("rejects --list with %s", async (other) => {
    const error = `Error: Use either --list or ${other}.\nThey can't be combined.\n`;
    expect(await stderrOf(["demo", "--list", ...other.split(" ")], 2)).toBe(error);
  });

  it.each([
    { name: "nope", says: "" },
    { name: "oom", says: "Did you mean out-of-memory? " },
    { name: "liveness", says: "Did you mean liveness-probe? " },
    { name: "helthy", says: "Did you mean healthy? " },
  ])("says how to list the names if there is no example $name", async ({ name, says }) => {
    const error = `Error: There is no example "${name}".\n${says}kubectl backoff demo --list names all of them.\n`;
    expect(await stderrOf(["demo", name], 2)).toBe(error);
  });

  it("explains only the container of -c", async () => {
    const [{ containers }] = validExplanation(await stdoutOf(["demo", "sidecar", "-c", "proxy", "-o", "json"])).pods;
    expect(containers).toMatchObject([{ name: "proxy" }]);
    expect(await stderrOf(["demo", "-c", "nope"], 1)).toContain('has no container "nope"');
  });
});
