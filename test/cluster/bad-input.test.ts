import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { observeTargetsInFiles } from "../../src/cluster/files/target-input.ts";
import { UserError } from "../../src/errors.ts";
import { folderOf, NOON_MS, ndjson, observeInput, observePaths, rawEvent, rawPod, streamOf } from "../support/input.ts";

const POD = JSON.stringify(rawPod());

async function complaint(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UserError);
  return (error as UserError).text;
}

const BAD_CONTENT: readonly { content: string | Uint8Array; says: RegExp; why: string }[] = [
  { content: `${POD}\n\n{"kind": Pod}`, says: /line 3: /, why: "a malformed line of NDJSON" },
  { content: '{\n "kind": "Pod",\n "metadata" {}\n}', says: /line 3: /, why: "malformed JSON" },
  { content: `${POD}\nError from server\n`, says: /line 2/, why: "an error message after JSON" },
  { content: `${POD}]`, says: /line 1/, why: "one bracket too many" },
  { content: '{"kind": "Pod"', says: /line 1/, why: "JSON that is cut off in its first object" },
  { content: "kind: Pod\nmetadata:\n\tname: web\n", says: /line 3: /, why: "YAML with a tab" },
  { content: 'kind: Pod\nname: "web\n', says: /line \d: /, why: "YAML with an open quote" },
  { content: "a: *nobody\n", says: /line 1: /, why: "YAML with an unknown alias" },
  { content: `${"[".repeat(5000)}\n---\n`, says: /nesting/, why: "YAML that is nested too deeply" },
  { content: Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]), says: /it is not text/, why: "an executable file" },
  { content: Buffer.from([0xff, 0xd8, 0xff, 0xe0]), says: /it is not text/, why: "a picture" },
  { content: gzipSync(Buffer.alloc(512)), says: /it is not text/, why: "gzip that contains neither JSON nor YAML" },
  { content: gzipSync(POD).subarray(0, 60), says: /gzip data is damaged/, why: "gzip that is cut off" },
];

describe("observeFiles() names the file and what is wrong with", () => {
  it.each(BAD_CONTENT)("$why", async ({ content, says }) => {
    const file = `${folderOf({ "dump.yaml": content })}/dump.yaml`;
    const text = await complaint(observePaths([file]));
    expect(text).toMatch(says);
    expect(text).toContain(`Can't read ${file}: `);
    expect(text.split("\n")).toHaveLength(2);
    expect(await complaint(observeInput(content))).toContain("Can't read standard input: ");
  });

  it("a file that is not there", async () => {
    expect(await complaint(observePaths(["/no/file.json"]))).toMatch(/^Can't read \/no\/file\.json: no such file/);
  });

  it("a symbolic link to itself", async () => {
    const folder = folderOf({});
    symlinkSync(`${folder}/loop.json`, `${folder}/loop.json`);
    expect(await complaint(observePaths([`${folder}/loop.json`]))).toMatch(/loop\.json: too many symbolic links/);
    expect(await complaint(observePaths([folder]))).toMatch(/this folder has no/);
  });

  it.each([
    { command: "describe", text: "Name:             web-0\nNamespace:        prod\nPriority:         0\n" },
    { command: "describe", text: "Name:               node-a\nRoles:              <none>\n" },
    { command: "get", text: "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          3d\n" },
    { command: "get", text: "NAMESPACE   NAME    READY   STATUS\nprod        web-0   0/1     Error\n" },
    { command: "get", text: "LAST SEEN   TYPE      REASON    OBJECT\n3m          Warning   BackOff   pod/web-0\n" },
    { command: "get", text: "prod   web-0   0/1     CrashLoopBackOff   5 (3m ago)   10m\n" },
  ])("the text of kubectl $command: $text", async ({ command, text }) => {
    const file = `${folderOf({ "web.txt": text })}/web.txt`;
    expect(await complaint(observePaths([file]))).toBe(
      `Can't read ${file}: it is the text of kubectl ${command}, made for people.\n` +
        "Save the pod with -o yaml or -o json, and pass that: kubectl get pod NAME -o yaml > pod.yaml.",
    );
  });

  it("a folder without JSON or YAML", async () => {
    expect(await complaint(observePaths([folderOf({ "notes.txt": "" })]))).toMatch(/this folder has no \.json/);
  });

  it("standard input that breaks off", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(POD);
      throw new Error("EIO: i/o error, read");
    }
    const text = await complaint(observePaths(["-"], { stdin: broken() }));
    expect(text).toMatch(/^Can't read standard input: i\/o error/);
  });
});

describe("observeFiles() without a pod", () => {
  it.each([
    { content: "", why: "empty input" },
    { content: "\n  \n", why: "white space" },
    { content: "null", why: "null" },
    { content: "Error from server (NotFound)", why: "a sentence" },
    { content: ndjson([rawEvent()]), why: "only events" },
    { content: '{"kind":"PodList","items":null}', why: "a list whose items are null" },
  ])("says that there is no pod: $why", async ({ content }) => {
    const file = `${folderOf({ "dump.json": content })}/dump.json`;
    expect(await complaint(observePaths([file]))).toContain(`There is no Pod in ${file}.`);
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

  it("YAML with more aliases than a person writes", async () => {
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

  it("gzip that unpacks to more than 511 MiB", async () => {
    const member = gzipSync(Buffer.alloc(2 ** 26, " "), { level: 9 });
    const bomb = Buffer.concat(Array.from({ length: 9 }, () => member));
    expect(await complaint(observeInput(bomb))).toMatch(/longer than 511 MiB/);
  });
});

describe("observeFiles() of a folder", () => {
  const BAD = "a: 1\nb: 2\na: 3\n";

  it("reads the rest and names a file that it cannot read; fails if the user named that file", async () => {
    const folder = folderOf({
      "engines.yaml": BAD,
      "notes.txt": "",
      "values.yaml": "replicas: 3\n",
      "sub/pod.json": POD,
    });
    const { observation, skipped } = await observePaths([folder]);
    expect(observation.pods.map(({ pod }) => pod.name)).toEqual(["web"]);
    expect(skipped).toEqual([
      `Can't read ${folder}/engines.yaml: line 3: duplicated mapping key. Left it out.`,
      expect.stringMatching(/^Skipped 1 object without a kind in .*values\.yaml: /),
    ]);
    expect(await complaint(observePaths([folder, `${folder}/engines.yaml`]))).toContain("engines.yaml: line 3");
    expect(await complaint(observePaths([`${folder}/engines.yaml`, folder]))).toContain("engines.yaml: line 3");
  });

  it("says that there is no pod in it if no file can be read", async () => {
    const folder = folderOf({ "engines.yaml": BAD });
    expect(await complaint(observePaths([folder]))).toContain(`There is no Pod in ${folder}.`);
  });

  it.skipIf(process.getuid?.() === 0)("names a subfolder that cannot be read", async () => {
    const folder = folderOf({ "pod.json": POD, "locked/pod.json": POD });
    chmodSync(`${folder}/locked`, 0);
    const { skipped } = await observePaths([folder]);
    chmodSync(`${folder}/locked`, 0o700);
    expect(skipped).toEqual([`Can't read ${folder}/locked: permission denied. Left it out.`]);
  });
});

describe("observeFiles() of a stranger's folder", () => {
  it.skipIf(process.platform === "win32")(
    "skips pipes, and links to devices, out of the folder and to themselves",
    async () => {
      const other = JSON.stringify(rawPod({ metadata: { name: "other" } }));
      const folder = folderOf({ "inside/pod.json": POD, "outside/other.json": other });
      const inside = `${folder}/inside`;
      execFileSync("mkfifo", [`${inside}/pipe.json`]);
      symlinkSync("pipe.json", `${inside}/to-pipe.json`);
      symlinkSync("/dev/zero", `${inside}/zero.json`);
      symlinkSync("..", `${inside}/up`);
      symlinkSync("../outside", `${inside}/aside.json`);
      symlinkSync("circle.json", `${inside}/circle.json`);
      const { observation } = await observePaths([inside]);
      expect(observation.pods.map(({ pod }) => pod.name)).toEqual(["web"]);
    },
  );

  it("reads 500 files, and a pod in the innermost of 500 nested folders", async () => {
    const folder = folderOf({});
    for (let index = 0; index < 500; index++) writeFileSync(`${folder}/${index}.json`, '{"kind":"Secret"}');
    const deep = `${folder}/${"d/".repeat(500)}`;
    mkdirSync(deep, { recursive: true });
    writeFileSync(`${deep}pod.json`, POD);
    const { observation, skipped } = await observePaths([folder]);
    expect(observation.pods).toHaveLength(1);
    expect(skipped).toEqual([expect.stringMatching(/^Skipped 500 Secret objects in 500 files/)]);
  });

  it.skipIf(process.platform === "win32")("prints the name of a file without its control characters", async () => {
    const name = "a\u001b]0;owned\u0007\nError: \u202eb.json";
    const folder = folderOf({ [name]: '{"kind":"Pod"' });
    const text = await complaint(observePaths([`${folder}/${name}`]));
    expect(text).toContain("/a?]0;owned? Error: ?b.json: line 1: ");
    expect(text.split("\n")).toHaveLength(2);
    const { skipped } = await observePaths([folderOf({ [name]: `{"kind":"Odd"}\n${POD}` })]);
    expect(skipped.join("")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });

  it("prints the name of a pod without its control characters, and shortens it", async () => {
    const pods = [rawPod({ metadata: { name: "\u001b[2Jx".repeat(9_999) } }), rawPod({ metadata: { name: "b" } })];
    const input = { filenames: ["-"], stdin: streamOf(ndjson(pods)), onNote: () => {} };
    const asked = { words: ["c"], selector: undefined, allNamespaces: false, atMs: null, localNowMs: NOON_MS };
    const text = await complaint(observeTargetsInFiles({ ...input, ...asked }));
    expect(text).not.toMatch(/[^\n\P{Cc}]/u);
    expect(text.length).toBeLessThan(2_000);
  });
});

describe("observeFiles() of odd documents", () => {
  it.each<{ content: string | Uint8Array; why: string }>([
    { content: `${"---\nkind: Secret\n".repeat(5_000)}---\n${POD}`, why: "thousands of YAML documents" },
    { content: `${'{"kind":"Secret"}'.repeat(20_000)}${POD}`, why: "thousands of JSON documents on one line" },
    {
      content: `${POD.slice(0, -1)},"__proto__":{"status":{"phase":"Failed"}},"constructor":5}`,
      why: "a pod with the keys __proto__ and constructor",
    },
    {
      content: `--- !!map\n? !!str kind\n: !!str Pod\n? metadata\n: {name: web, "<<": {uid: u}}\n`,
      why: "YAML with explicit tags and keys",
    },
  ])("finds the pod: $why", async ({ content }) => {
    const { observation } = await observeInput(content);
    expect(observation.pods.map(({ pod }) => pod.name)).toEqual(["web"]);
    expect(observation.pods[0]?.pod.phase ?? "Running").toBe("Running");
    expect("status" in {}).toBe(false);
  });

  it.each<{ content: string | Uint8Array; why: string }>([
    { content: gzipSync(gzipSync(POD)), why: "gzip in gzip" },
    { content: Buffer.from(`\ufeff${POD}`, "utf16le").swap16(), why: "UTF-16 in big-endian order" },
    { content: `a: !!js/function 'function () { throw 1 }'\n`, why: "a YAML tag for a function" },
    { content: `${POD}\u0000`, why: "a NUL after the pod" },
    { content: `{"kind":"Pod","a":"${"x".repeat(2 ** 22)}`, why: "a line of 4 MiB that is cut off" },
    { content: `a: ${"[{a: ".repeat(20_000)}`, why: "YAML of forty thousand levels" },
  ])("fails with a message of less than 400 characters: $why", async ({ content }) => {
    expect((await complaint(observeInput(content))).length).toBeLessThan(400);
  });

  it("counts events that name no object as skipped", async () => {
    const nameless = rawEvent({ involvedObject: { kind: "Pod", name: 5 } });
    const { skipped } = await observeInput([rawPod(), nameless, rawEvent({ involvedObject: null })]);
    expect(skipped).toEqual([expect.stringMatching(/^Skipped 2 Event objects about nothing in standard input/)]);
  });
});
