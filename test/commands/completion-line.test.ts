import * as Flags from "@oclif/core/flags";
import { describe, expect, it } from "vitest";
import { COMMAND_TABLE as TABLE, tableOf } from "../../src/commands/completion/command-table.ts";
import { readLine } from "../../src/commands/completion/line.ts";

describe("tableOf()", () => {
  it.each([
    { definition: { helpValue: "table|json" }, values: ["table", "json"], why: "a help value that names them" },
    { definition: { helpValue: "FILE" }, values: [], why: "a help value that is a placeholder" },
    { definition: {}, values: [], why: "no help value" },
  ])("knows the values $values from $why", ({ definition, values }) => {
    const [flag] = tableOf({ it: { summary: "", flags: { flag: Flags.string(definition) } } })["it"]?.flags ?? [];
    expect(flag).toMatchObject({ name: "flag", type: "option", values });
  });

  it("marks hidden flags as hidden, and readLine() reads their values", () => {
    const table = tableOf({ it: { summary: "", flags: { level: Flags.string({ char: "v", hidden: true }) } } });
    expect(table["it"]?.flags.map(({ name, hidden }) => `${name} ${hidden}`)).toEqual(["level true", "help false"]);
    expect(readLine(["it", "-v", "6", "x", ""], table).words).toEqual(["x"]);
  });
});

describe("readLine()", () => {
  const read = (...argv: string[]) => {
    const { command, words, flags, completing, text } = readLine(argv, TABLE);
    const kind = typeof completing === "object" ? { kind: "value", flag: completing.name } : { kind: completing };
    return { command, words, flags: Object.fromEntries(flags), text, ...kind };
  };
  const AT_START = { command: null, words: [], flags: {}, kind: "word", text: "" };

  it.each([
    { line: "", is: {}, why: "an empty line" },
    { line: "exp", is: { text: "exp" }, why: "the beginning of a word" },
    { line: "list ", is: { command: "list" }, why: "a command" },
    { line: "help l", is: { command: "help", text: "l" }, why: "help is one too" },
    { line: "web-0 ", is: { words: ["web-0"] }, why: "a pod, explain left out" },
    { line: "-n a list w", is: { command: "list", flags: { namespace: ["a"] }, text: "w" }, why: "flags first" },
    { line: "--sort-by age list ", is: { command: "list", flags: { "sort-by": ["age"] } }, why: "a flag of list only" },
    {
      line: "-n=a -nb --namespace=c a ",
      is: { words: ["a"], flags: { namespace: ["a", "b", "c"] } },
      why: "every form",
    },
    { line: "-Aw -l a=b ", is: { flags: { "all-namespaces": [], watch: [], selector: ["a=b"] } }, why: "switches" },
    { line: "list -n ", is: { command: "list", kind: "value", flag: "namespace" }, why: "the value after a letter" },
    { line: "--output=js", is: { kind: "value", flag: "output", text: "js" }, why: "the value after =" },
    { line: "list --ou", is: { command: "list", kind: "flag", text: "--ou" }, why: "a flag" },
    { line: "list -", is: { command: "list", kind: "flag", text: "-" }, why: "any flag" },
    { line: "list --watch=t", is: { command: "list", kind: "flag", text: "--watch=t" }, why: "a switch has no value" },
    { line: "-- demo -x", is: { words: ["demo"], text: "-x" }, why: "after -- nothing is a command or a flag" },
    { line: "-f - --bogus -Z ", is: { flags: { filename: ["-"] } }, why: "stdin, and unknown flags" },
  ])("reads '$line': $why", ({ line, is }) => expect(read(...line.split(" "))).toEqual({ ...AT_START, ...is }));

  it("reads a line without even an empty word", () => expect(read()).toEqual(AT_START));
});
