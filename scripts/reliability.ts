import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bunFile } from "../lab/terminal/bun-file.ts";
import { compile } from "./compile/compile.ts";
import type { Effort, Section } from "./reliability/section.ts";

const TRIALS: Readonly<Record<string, () => Promise<(effort: Effort) => Promise<Section>>>> = {
  faults: async () => (await import("./reliability/faults.ts")).faultsSection,
  withheld: async () => (await import("./reliability/withheld.ts")).withheldSection,
  reports: async () => (await import("./reliability/reports.ts")).reportsSection,
  "long-haul": async () => inBun("long-haul"),
  output: async () => (await import("./reliability/output.ts")).outputSection,
  links: async () => (await import("./reliability/links.ts")).linksSection,
  behaviour: async () => (await import("./reliability/behaviour.ts")).behaviourSection,
  secrets: async () => (await import("./reliability/secrets.ts")).secretsSection,
  fuzz: async () => inBun("fuzz"),
  "supply-chain": async () => (await import("./reliability/supply-chain.ts")).supplyChainSection,
};

const USAGE = `Usage: npm run reliability -- [--quick] [NAME...]
Without names: tries everything (${Object.keys(TRIALS).join(", ")}) and writes docs/reliability.md.
With names, or with --quick: prints those sections and writes nothing.`;

const PAGE = fileURLToPath(new URL("../docs/reliability.md", import.meta.url));

/** Runs a long trial in Bun, the runtime of the executable. */
function inBun(name: string): (effort: Effort) => Promise<Section> {
  return async ({ isExtended }) => {
    const args = ["scripts/reliability/in-bun.ts", name, String(isExtended)];
    return JSON.parse(execFileSync(bunFile(), args, { encoding: "utf8" }));
  };
}

function introduction(): string {
  return readFileSync(PAGE, "utf8").split(/^## /m)[0] ?? "";
}

function sectionText({ title, lines }: Section): string {
  return `## ${title}\n\n${lines.join("\n")}\n`;
}

async function main(args: string[]): Promise<number> {
  const settings = settingsFrom(args);
  if (settings === null) {
    console.error(USAGE);
    return 2;
  }
  const { names, isQuick } = settings;
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-reliability-"));
  try {
    const program = join(folder, "kubectl-backoff");
    compile(program);
    const texts: string[] = [];
    for (const [name, load] of Object.entries(TRIALS)) {
      if (names.length > 0 && !names.includes(name)) continue;
      const text = sectionText(await (await load())({ isExtended: !isQuick, program }));
      console.log(text);
      texts.push(text);
    }
    if (names.length === 0 && !isQuick) writeFileSync(PAGE, introduction() + texts.join("\n"));
    return 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function settingsFrom(args: string[]): { names: string[]; isQuick: boolean } | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { quick: { type: "boolean" } },
      allowPositionals: true,
    });
    const isKnown = positionals.every((name) => Object.hasOwn(TRIALS, name));
    return isKnown ? { names: positionals, isQuick: values.quick ?? false } : null;
  } catch {
    return null;
  }
}

process.exitCode = await main(process.argv.slice(2));
