import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { loadCommands } from "../../src/main.ts";
import { stdoutOf } from "../support/command.ts";

const COMMANDS = await loadCommands();

describe("kubectl backoff version", () => {
  it.each(["version", "--version"])("is also %s: the program and its model", async (word) => {
    expect(await stdoutOf([word])).toBe(`kubectl-backoff v${manifest.version}\nModel: kubelet v1.19 to v1.37\n`);
  });
});

describe("the help", () => {
  it.each([[[]], [["--help"]], [["help"]]])("of %j names every command", async (argv) => {
    const help = await stdoutOf(argv);
    for (const [name, { summary }] of Object.entries(COMMANDS)) {
      expect(help).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 30).replace(/[()]/g, "\\$&")}`, "m"));
    }
    expect(help).toContain("kubectl backoff web-0 -n prod\n");
  });

  it.each(Object.entries(COMMANDS))("of %s names every flag, and says kubectl backoff", async (name, command) => {
    const help = await stdoutOf([name, "--help"]);
    expect(help).toContain(`$ kubectl backoff ${name}`);
    for (const flag of Object.keys(command.flags)) expect(help).toContain(`--${flag}`);
    expect(await stdoutOf(["help", name])).toBe(help);
    expect(await stdoutOf([name, "-h"])).toBe(help);
  });
});
