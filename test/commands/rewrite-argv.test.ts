import { describe, expect, it } from "vitest";
import { rewriteArgv } from "../../src/commands/argv/read-argv.ts";
import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";

describe("rewriteArgv()", () => {
  it.each([
    { line: "explain web-0 -n prod", becomes: "explain web-0 -n prod", why: "as oclif wants it" },
    { line: "-n prod explain web-0", becomes: "explain -n prod web-0", why: "flags before the command" },
    { line: "-nprod explain web-0", becomes: "explain -nprod web-0", why: "the value right behind the letter" },
    { line: "--exit-code explain web-0", becomes: "explain --exit-code web-0", why: "a switch takes no word" },
    { line: "-n explain explain web-0", becomes: "explain -n explain web-0", why: "a value like a command" },
    { line: "-o json demo", becomes: "demo -o json", why: "any command" },
    { line: "web-0", becomes: "explain web-0", why: "a pod" },
    { line: "-n prod web-0 -o json", becomes: "explain -n prod web-0 -o json", why: "a pod after flags" },
    { line: "web-0 demo", becomes: "explain web-0 demo", why: "only the first word names a command" },
    { line: "-- demo", becomes: "explain -- demo", why: "a pod that is named like a command" },
    { line: "constructor", becomes: "explain constructor", why: "no command, though every object has one" },
    { line: "-f pod.json", becomes: "explain -f pod.json", why: "no pod, but a file" },
    { line: "-n prod", becomes: "list -n prod", why: "no pod, so all of the namespace" },
    { line: "-n", becomes: "list -n", why: "list says that the value is missing" },
    { line: "-A -o=json", becomes: "list -A -o=json", why: "flags of list only" },
    { line: "-nprod -Aw", becomes: "list -nprod -Aw", why: "the same behind one dash" },
    { line: "-A -l app=web", becomes: "explain -A -l app=web", why: "labels choose pods to explain" },
    { line: "-n prod --logs", becomes: "explain -n prod --logs", why: "a flag that list does not have" },
    { line: "--bogus web-0", becomes: "explain --bogus web-0", why: "oclif says that it does not know it" },
    { line: "", becomes: "list", why: "nothing at all" },
    { line: "--help", becomes: "--help", why: "help" },
    { line: "-n prod --help", becomes: "--help", why: "help with a flag" },
    { line: "help", becomes: "--help", why: "help as a word" },
    { line: "help demo", becomes: "demo --help", why: "of a command" },
    { line: "help web-0", becomes: "--help", why: "of no command" },
    { line: "web-0 --help", becomes: "explain web-0 --help", why: "of what a pod is given to" },
    { line: "--version", becomes: "version", why: "a flag elsewhere, a command here" },
  ])("makes '$becomes' of '$line': $why", ({ line, becomes }) => {
    const words = (text: string): string[] => (text === "" ? [] : text.split(" "));
    expect(rewriteArgv(words(line), COMMAND_TABLE)).toEqual(words(becomes));
  });
});
