import { describe, expect, it } from "vitest";
import { type CommandLine, readCommandLine } from "../../src/commands/argv/command-line.ts";
import { oclifArguments } from "../../src/commands/argv/oclif-arguments.ts";
import { loadCommands } from "../../src/commands/commands.ts";
import { COMMAND_TABLE } from "../../src/commands/completion/command-table.ts";

const COMMANDS: Readonly<Record<string, { flags: Parameters<typeof oclifArguments>[1] }>> = await loadCommands();

const read = (line: string): CommandLine =>
  readCommandLine(line === "" ? [] : line.split(" ").map((word) => word.replaceAll("''", "")), COMMAND_TABLE);

function argumentsOf(line: string): string {
  const { command, parts } = read(line);
  const written = oclifArguments(parts, COMMANDS[command]?.flags ?? {}, command);
  return written.map((word) => (word === "" ? "''" : word)).join(" ");
}

describe("readCommandLine()", () => {
  it.each([
    { line: "explain web-0 -n prod", command: "explain", words: ["web-0"], why: "it is the first word" },
    { line: "-n prod explain web-0", command: "explain", words: ["web-0"], why: "flags come before the command" },
    { line: "--exit-code explain web-0", command: "explain", words: ["web-0"], why: "a boolean flag takes no word" },
    { line: "-n explain wait web-0", command: "wait", words: ["web-0"], why: "the first explain is the value of -n" },
    { line: "-nprod demo", command: "demo", words: [], why: "the value is right behind the letter" },
    { line: "web-0", command: "explain", words: ["web-0"], why: "explain may be omitted" },
    { line: "-n prod web-0 -o json", command: "explain", words: ["web-0"], why: "explain may be omitted after flags" },
    { line: "web-0 demo", command: "explain", words: ["web-0", "demo"], why: "only the first word names a command" },
    { line: "-- demo", command: "explain", words: [], why: "a pod can have the name of a command" },
    {
      line: "constructor",
      command: "explain",
      words: ["constructor"],
      why: "every object has a property of this name",
    },
    { line: "-f pod.json", command: "explain", words: [], why: "a file is explained" },
    { line: "-A -l app=web", command: "explain", words: [], why: "labels choose pods to explain" },
    { line: "-n prod --logs", command: "explain", words: [], why: "list has no such flag" },
    { line: "--bogus web-0", command: "explain", words: ["web-0"], why: "an unknown flag takes no word" },
    { line: "", command: "list", words: [], why: "the line is empty" },
    { line: "-n prod", command: "list", words: [], why: "list shows the namespace" },
    { line: "-nprod -Aw", command: "list", words: [], why: "list has all of these flags" },
    { line: "--help", command: "help", words: [], why: "the help is about the program" },
    { line: "-n prod -h", command: "help", words: [], why: "no command is named" },
    { line: "help demo", command: "help", words: ["demo"], why: "help is a command, too" },
    { line: "web-0 --help", command: "explain", words: ["web-0"], why: "the help is about explain" },
    { line: "-n prod --version", command: "version", words: [], why: "--version is the command version in any place" },
  ])("finds the command $command in '$line': $why", ({ line, command, words }) => {
    expect(read(line)).toMatchObject({ command, words });
  });

  it.each([
    { line: "list", isNamed: true },
    { line: "-n prod help", isNamed: true },
    { line: "web-0 list", isNamed: false },
    { line: "", isNamed: false },
  ])("tells whether '$line' names a command: $isNamed", ({ line, isNamed }) =>
    expect(read(line).isNamed).toBe(isNamed),
  );
});

describe("oclifArguments()", () => {
  it.each([
    { line: "web-0 -n prod", becomes: "web-0 --namespace=prod", why: "every flag gets the same form" },
    {
      line: "-n=prod web-0 -oname -Aw",
      becomes: "--namespace=prod web-0 --output=name --all-namespaces --watch",
      why: "short flags become long ones",
    },
    { line: "-n web deploy web", becomes: "--namespace=web deploy web", why: "the words keep their order" },
    { line: "web-0 -n dev --namespace=prod", becomes: "web-0 --namespace=prod", why: "the last value counts" },
    { line: "--as-group a --as-group b", becomes: "--as-group=a --as-group=b", why: "this flag may be repeated" },
    { line: "-n '' web-0", becomes: "web-0", why: "an empty value of -n is left out" },
    {
      line: "--namespace= -c= web-0 -l '' -o=",
      becomes: "web-0",
      why: "kubectl ignores these flags if they are empty",
    },
    { line: "-n dev --namespace= web-0", becomes: "web-0", why: "the last value is empty" },
    { line: "-o '' web-0 -o name", becomes: "web-0 --output=name", why: "the first value is ignored" },
    {
      line: "--at= --as-group '' web-0 ''",
      becomes: "--at= --as-group= web-0 ''",
      why: "these empty values are not ignored",
    },
    { line: "web-0 -- -n a -n b", becomes: "web-0 -- -n a -n b", why: "after -- there are only names" },
    { line: "web-0 --watch=true -p=1", becomes: "web-0 --watch --previous", why: "true and 1 mean on" },
    { line: "web-0 --watch=F -o=json", becomes: "web-0 --output=json", why: "F means off" },
    { line: "web-0 --watch -w=false", becomes: "web-0", why: "the last value is false" },
    { line: "web-0 --logs=20", becomes: "web-0 --logs=20", why: "the value is a number of lines" },
    { line: "web-0 --logs=false", becomes: "web-0 --logs=false", why: "the value means no lines" },
    { line: "--exit-code=any web-0", becomes: "--exit-code=any web-0", why: "this flag takes other values, too" },
    {
      line: "--exit-code web-0 --logs",
      becomes: "--exit-code=true web-0 --logs=true",
      why: "true is the default value of these flags",
    },
    { line: "web-0 --logs --logs=5", becomes: "web-0 --logs=5", why: "the last value counts" },
    { line: "web-0 --at -5m --tail -1", becomes: "web-0 --at=-5m --tail=-1", why: "these values are no flags" },
    { line: "--bogus=true -- --watch=true", becomes: "--bogus=true -- --watch=true", why: "oclif rejects the flag" },
    { line: "demo -n prod", becomes: "-n", why: "oclif rejects a flag of another command" },
  ])("makes '$becomes' of '$line': $why", ({ line, becomes }) => expect(argumentsOf(line)).toBe(becomes));

  it.each([
    { line: "web-0 -n", says: "--namespace needs a value" },
    { line: "--context --watch web-0", says: "--context needs a value" },
    { line: "-l=--watch", says: "--selector needs a value" },
    { line: "-n -- web-0", says: "--namespace needs a value" },
    { line: "web-0 -o json -o yaml", says: "--output is given more than once" },
    { line: "web-0 --watch=maybe", says: 'Invalid value "maybe" for --watch' },
  ])("rejects '$line': $says", ({ line, says }) => expect(() => argumentsOf(line)).toThrow(says));
});
