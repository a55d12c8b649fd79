import { load } from "js-yaml";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { loadCommands } from "../../src/commands/commands.ts";
import { jsonOf, stdoutOf } from "../support/command.ts";

const COMMANDS = await loadCommands();

describe("kubectl backoff version", () => {
  it.each(["version", "--version"])("prints the versions of the program and of its model: %s", async (word) => {
    expect(await stdoutOf([word])).toBe(`kubectl-backoff v${manifest.version}\nModel: kubelet v1.19 to v1.37\n`);
  });

  it("ignores --client, and prints -o json and yaml for programs", async () => {
    expect(await stdoutOf(["version", "--client"])).toBe(await stdoutOf(["version"]));
    const model = { oldest: "v1.19", newest: "v1.37" };
    const version = { apiVersion: "backoff/v1", kind: "Version", version: `v${manifest.version}`, model };
    expect(await jsonOf("version")).toEqual(version);
    expect(load(await stdoutOf(["version", "-oyaml"]))).toEqual(version);
  });
});

describe("the help", () => {
  it.each([[["--help"]], [["help"]]])("of %j names every command", async (argv) => {
    const help = await stdoutOf(argv);
    for (const [name, { summary }] of Object.entries(COMMANDS)) {
      expect(help).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 30).replace(/[()]/g, "\\$&")}`, "m"));
    }
    expect(help).toContain("kubectl backoff web-0 -n prod\n");
  });

  it.each(Object.entries(COMMANDS))(
    "of %s names every flag once, and is the same by --help, -h and help",
    async (name, command) => {
      const help = await stdoutOf([name, "--help"]);
      expect(help).toMatch(new RegExp(`\nUsage:\n  kubectl backoff ${name} `));
      const [own = "", global = ""] = help.split("Global flags of kubectl");
      const heads = [...own.matchAll(/^ {4}(?:-\w, )?--([a-z-]+)[^ ]*:$/gm)].map(([, flag]) => flag);
      const folded = [...global.matchAll(/(?<= )--([a-z-]+)(?=,|$)/gm)].map(([, flag]) => flag);
      const shown = Object.entries(command.flags).filter(([, { hidden }]: [string, { hidden?: boolean }]) => !hidden);
      expect([...heads, ...folded].sort()).toEqual(shown.map(([flag]) => flag).sort());
      expect(await stdoutOf(["help", name])).toBe(help);
      expect(await stdoutOf([name, "-h"])).toBe(help);
    },
  );

  it("of explain has its own flags first, and those of kubectl last", async () => {
    const help = await stdoutOf(["explain", "--help"]);
    const places = ["Examples:", "Options:", "--watch", "kubelet:", "--kubelet-version"];
    const found = [...places, "kubectl options", "--kubeconfig", "Usage:"].map((text) => help.indexOf(text));
    expect(found).not.toContain(-1);
    expect(found).toEqual([...found].sort((a, b) => a - b));
  });

  it("of list names the forms that read no logs by default, and those without groups", async () => {
    const help = (await stdoutOf(["list", "--help"])).replace(/\s+/g, " ");
    expect(help).toContain("up to 10 logs are read, for json, yaml and name only with this flag.");
    expect(help).toContain("Print a line for each container, as wide, json and yaml do.");
  });

  it("names defaults and values, and comments its examples", async () => {
    const help = await stdoutOf(["explain", "--help"]);
    expect(help).toMatch(/--color=auto\|always\|never:\n.*\n? *.*Default: auto\./);
    expect(help).toContain("  # Explain a pod of the current namespace\n  kubectl backoff explain web-0\n");
    expect(await stdoutOf(["wait", "--help"])).toMatch(/Default:\s+30s\./);
  });
});
