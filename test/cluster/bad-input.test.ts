import { symlinkSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { UserError } from "../../src/errors.ts";
import { folderOf, ndjson, observe, observeInput, rawEvent, rawPod } from "../support/input.ts";

const POD = JSON.stringify(rawPod());

/** The text of the UserError that it fails with; fails the test if it is anything else. */
async function complaint(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UserError);
  return (error as UserError).text;
}

const BAD_CONTENT: readonly { content: string | Uint8Array; says: RegExp; why: string }[] = [
  { content: `${POD}\n\n{"kind": Pod}`, says: /line 3: /, why: "a malformed line of NDJSON" },
  { content: '{\n "kind": "Pod",\n "metadata" {}\n}', says: /line 3: /, why: "malformed JSON" },
  { content: `${POD}\nError from server\n`, says: /line 2/, why: "an error message after JSON" },
  { content: `${POD}]`, says: /line 1/, why: "one bracket too many" },
  { content: '{"kind": "Pod"', says: /line 1/, why: "JSON that is cut off, and nothing before it" },
  { content: "kind: Pod\nmetadata:\n\tname: web\n", says: /line 3: /, why: "YAML with a tab" },
  { content: 'kind: Pod\nname: "web\n', says: /line \d: /, why: "YAML with an open quote" },
  { content: "a: *nobody\n", says: /line 1: /, why: "YAML with an unknown alias" },
  { content: `${"[".repeat(5000)}\n---\n`, says: /nesting/, why: "YAML that is nested too deeply" },
  { content: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), says: /it is not text/, why: "a program" },
  { content: Buffer.from([0xff, 0xd8, 0xff, 0xe0]), says: /it is not text/, why: "a picture" },
  { content: gzipSync(Buffer.alloc(512)), says: /it is not text/, why: "something else in gzip" },
  { content: gzipSync(POD).subarray(0, 60), says: /gzip data is damaged/, why: "gzip that is cut off" },
];

describe("observeFiles() complains with the name of the file and the line about", () => {
  it.each(BAD_CONTENT)("$why", async ({ content, says }) => {
    const file = `${folderOf({ "dump.yaml": content })}/dump.yaml`;
    const text = await complaint(observe([file]));
    expect(text).toMatch(says);
    expect(text).toContain(`Can't read ${file}: `);
    expect(text.split("\n")).toHaveLength(2);
    expect(await complaint(observeInput(content))).toContain("Can't read standard input: ");
  });

  it("a file that is not there", async () => {
    expect(await complaint(observe(["/no/such/file.json"]))).toMatch(
      /^Can't read \/no\/such\/file\.json: no such file/,
    );
  });

  it("a symbolic link that leads nowhere", async () => {
    const folder = folderOf({});
    symlinkSync(`${folder}/loop.json`, `${folder}/loop.json`);
    expect(await complaint(observe([`${folder}/loop.json`]))).toMatch(/loop\.json: too many symbolic links/);
    expect(await complaint(observe([folder]))).toMatch(/this folder has no/);
  });

  it("a folder without JSON or YAML", async () => {
    expect(await complaint(observe([folderOf({ "notes.txt": "" })]))).toMatch(/this folder has no \.json/);
  });

  it("standard input that breaks off", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(POD);
      throw new Error("EIO: i/o error, read");
    }
    expect(await complaint(observe(["-"], { stdin: broken() }))).toMatch(/^Can't read standard input: i\/o error/);
  });
});

describe("observeFiles() without a pod", () => {
  it.each([
    { content: "", why: "nothing" },
    { content: "\n  \n", why: "white space" },
    { content: "null", why: "null" },
    { content: "Error from server (NotFound)", why: "a sentence" },
    { content: ndjson([rawEvent()]), why: "only events" },
    { content: '{"kind":"PodList","items":null}', why: "an empty list" },
  ])("says so: $why", async ({ content }) => {
    const file = `${folderOf({ "dump.json": content })}/dump.json`;
    expect(await complaint(observe([file]))).toContain(`There is no Pod in ${file}.`);
  });
});

describe("observeFiles() does not hang on", () => {
  it("YAML whose aliases multiply", async () => {
    const levels = Array.from({ length: 20 }, (_, level) => {
      const items = Array.from({ length: 4 }, () => `*l${level}`).join(", ");
      return `l${level + 1}: &l${level + 1} { kind: List, items: [${items}] }`;
    });
    const bomb = `l0: &l0 ${POD}\n${levels.join("\n")}\nkind: List\nitems: [*l20]\n`;
    const { observation } = await observeInput(bomb);
    expect(observation.pods).toHaveLength(1);
  });

  it("YAML with more aliases than anybody writes", async () => {
    const bomb = `kind: List\nitems:\n- &pod ${POD}\n${"- *pod\n".repeat(101)}`;
    expect(await complaint(observeInput(bomb))).toMatch(/aliases exceeded/);
  });

  it("YAML that contains itself", async () => {
    const { observation } = await observeInput(`--- &a\nkind: List\nitems: [*a, ${POD}]\n`);
    expect(observation.pods).toHaveLength(1);
  });

  it("JSON that is nested deeply", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect((await observeInput(`${POD}\n${deep}`)).observation.pods).toHaveLength(1);
  });

  it("gzip that grows without end", async () => {
    const member = gzipSync(Buffer.alloc(2 ** 26, " "), { level: 9 });
    const bomb = Buffer.concat(Array.from({ length: 9 }, () => member));
    expect(await complaint(observeInput(bomb))).toMatch(/longer than 511 MiB/);
  });
});
