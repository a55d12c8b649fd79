import { describe, expect, it } from "vitest";
import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";
import { completed, wordsOf } from "../support/completed.ts";
import { writeDocument } from "../support/kubeconfig.ts";
import { aRawPod } from "../support/raw-objects.ts";

describe("complete(), without a cluster", () => {
  it("names the commands, each with its summary", async () => {
    const lines = await completed("");
    expect(wordsOf(lines)).toEqual([...Object.keys(COMMAND_TABLE), "help", ":4"]);
    expect(lines).toContain(`demo\t${COMMAND_TABLE["demo"]?.summary}`);
  });

  it.each([
    { line: "help de", prints: [expect.stringMatching(/^demo\t/), ":4"], why: "a command to read about" },
    { line: "explain -o js", prints: ["json", ":36"], why: "one of several values" },
    { line: "explain --color=", prints: ["auto", "always", "never", ":36"], why: "values in their order" },
    { line: "explain --node-config ", prints: ["auto", "never", ":36"], why: "values of another flag" },
    { line: "wait --for=re", prints: ["restart", "reset", "recovered", ":36"], why: "the values that begin so" },
    { line: "list --sort-by d", prints: ["delay", ":36"], why: "a key" },
    { line: "simulate --restart-policy On", prints: ["OnFailure", ":36"], why: "a policy" },
    { line: "explain --kubelet-version v1.3", prints: expect.arrayContaining(["v1.37", "v1.30"]), why: "versions" },
    {
      line: "strategies --strategy full,eq",
      prints: ["full,equal", ":38"],
      why: "one more strategy, and no blank follows",
    },
    { line: "strategies --strategy full,fu", prints: [":38"], why: "no strategy is offered twice" },
    { line: "explain --all-n", prints: [expect.stringMatching(/^--all-namespaces\t/), ":4"], why: "a flag" },
    { line: "explain -A --all-n", prints: [":4"], why: "no flag is offered twice" },
    {
      line: "explain -f a --filen",
      prints: [expect.stringMatching(/^--filename\t/), ":4"],
      why: "a flag that may be repeated",
    },
    { line: "explain -f ", prints: [":0"], why: "a file" },
    { line: "explain --kubeconfig ~/.k", prints: [":0"], why: "a file" },
    { line: "explain --at ", prints: [":4"], why: "no candidates for a time" },
    { line: "version ", prints: [":4"], why: "the command takes no words" },
    { line: "demo sidecar ", prints: [":4"], why: "the command takes one word" },
    { line: "help demo ", prints: [":4"], why: "the command takes one word" },
    { line: "demo sidecar -c ", prints: ["proxy", "app", ":36"], why: "containers of a recording" },
    { line: "explain web", prints: [":4"], why: "nothing is printed without a kubeconfig" },
    { line: "explain -f /no/such/file ", prints: [":4"], why: "the file does not exist" },
    { line: "explain -f - ", prints: [":4"], why: "standard input is not read" },
    { line: "explain nonsense/x", prints: [":4"], why: "an unknown type" },
  ])("prints $prints for '$line': $why", async ({ line, prints }) => expect(await completed(line)).toEqual(prints));

  it("names flags by letter and by name", async () => {
    const words = wordsOf(await completed("explain -"));
    expect(words).toEqual(expect.arrayContaining(["--namespace", "-n", "--help", "-h"]));
    expect(wordsOf(await completed("-"))).toEqual(words);
  });

  it("names the examples of demo, bad-release first", async () => {
    const lines = await completed("demo ");
    expect(lines[0]).toMatch(/^bad-release\t.+/);
    expect(lines.at(-1)).toBe(":36");
  });

  it("names the contexts of a kubeconfig, but none that is empty or has blanks", async () => {
    const contexts = ["prod", "dev", "two words", "tab\tbed", ""].map((name) => ({ name, context: {} }));
    const document = { contexts, clusters: [{ name: "eu", cluster: {} }], users: [{ name: "me", user: {} }] };
    const file = writeDocument(document);
    expect(await completed("explain --context ", { KUBECONFIG: file })).toEqual(["dev", "prod", ":36"]);
    expect(await completed(`explain --kubeconfig ${file} --context p`)).toEqual(["prod", ":36"]);
  });

  it("names pods and containers of files", async () => {
    const file = writeDocument(aRawPod());
    expect(await completed(`explain -f ${file} `)).toEqual(["web-0", ":36"]);
    expect(await completed(`-f ${file} web-0 -c `)).toEqual(["app", ":36"]);
  });
});
