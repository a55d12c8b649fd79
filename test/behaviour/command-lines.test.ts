import { beforeEach, describe, expect, it, vi } from "vitest";
import { requirePossibleName, requirePossibleNamespace } from "../../src/cluster/api/target-words.ts";
import { answerEverything, useFakeApiServer } from "../support/api-server.ts";
import { run, stderrOf } from "../support/command.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";

const wordsOf = (line: string): string[] => line.split(" ").map((word) => word.replaceAll("''", ""));

describe("names of objects", () => {
  it.each([
    { name: "WEB-0", says: '"WEB-0" cannot be the name of a pod: names are lowercase letters', nearest: "web-0" },
    { name: "web_0", says: '"web_0" cannot', nearest: "web-0" },
    { name: "web-0 ", says: '"web-0 " cannot', nearest: "web-0" },
    { name: "web/0", says: '"web/0" cannot' },
    { name: "-web", says: '"-web" cannot' },
    { name: "web..0", says: '"web..0" cannot' },
    { name: "", says: '"" cannot be the name of a pod: it is empty.' },
    { name: "a".repeat(254), says: `${"a".repeat(50)}…" cannot be the name of a pod: it has 254 characters` },
  ])("are rejected if no object can have them: $name", ({ name, says, nearest }) => {
    const hint = nearest === undefined ? "Pass a name as kubectl get pod prints it." : `Did you mean ${nearest}?`;
    const refused = (): void => requirePossibleName({ kind: "Pod", name });
    expect(refused).toThrow(says);
    expect(refused).toThrow(`\n${hint}`);
  });

  it.each(["web-0", "a", "0", "a.b-c.d", "a".repeat(253)])("are accepted if an object can have them: %s", (name) => {
    expect(() => requirePossibleName({ kind: "Deployment", name })).not.toThrow();
  });

  it("are checked by stricter rules if they are namespaces", () => {
    expect(() => requirePossibleNamespace("prod")).not.toThrow();
    for (const name of ["Prod", "a/b", "a.b", "a".repeat(64)])
      expect(() => requirePossibleNamespace(name)).toThrow("cannot be the name of a namespace");
  });
});

describe("a command line", () => {
  useFakeApiServer();
  beforeEach(() => void vi.stubEnv("KUBECONFIG", writeKubeconfig()));

  it.each([
    { argv: [""], says: '"" cannot be the name of a pod' },
    { argv: ["WEB-0"], says: "Did you mean web-0?" },
    { argv: ["deploy/Web"], says: '"Web" cannot be the name of a deployment' },
    { argv: ["web-0", "web/0/x"], says: "Can't explain type" },
    { argv: ["web-0", "-n", "Prod"], says: '"Prod" cannot be the name of a namespace' },
    { argv: ["list", "-n", "a/b"], says: '"a/b" cannot be the name of a namespace' },
    { argv: ["wait", "WEB", "--for=reset"], says: "Did you mean web?" },
    { argv: ["-l", ""], says: "Name a pod" },
    { argv: ["web-0", "-wZ"], says: "Unknown flag: -Z" },
    { argv: ["web-0", "-web"], says: "Unknown flag: -e" },
  ])("fails before any request: $argv", async ({ argv, says }) => {
    expect(await stderrOf(argv, 2)).toContain(says);
  });

  it.each([
    "-n dev web-0 --namespace=prod -o name",
    "pods web-0 -n '' -c '' -o name --request-timeout=",
    "explain -oname -- po/web-0",
  ])("is read as kubectl reads it: %s", async (line) => {
    answerEverything();
    expect(await run(...wordsOf(line))).toEqual({ exitCode: 0, stdout: "pod/web-0\n", stderr: "" });
  });
});
