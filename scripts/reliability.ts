import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Effort, Section } from "./reliability/section.ts";

/** What is tried, in the order of the page. Each is loaded only when it is asked for. */
const TRIALS: Readonly<Record<string, () => Promise<(effort: Effort) => Promise<Section>>>> = {
  faults: async () => (await import("./reliability/faults.ts")).faultsSection,
  withheld: async () => (await import("./reliability/withheld.ts")).withheldSection,
  reports: async () => (await import("./reliability/reports.ts")).reportsSection,
  "long-haul": async () => (await import("./reliability/long-haul.ts")).longHaulSection,
  behaviour: async () => (await import("./reliability/behaviour.ts")).behaviourSection,
  secrets: async () => (await import("./reliability/secrets.ts")).secretsSection,
  fuzz: async () => (await import("./reliability/fuzz.ts")).fuzzSection,
  "supply-chain": async () => (await import("./reliability/supply-chain.ts")).supplyChainSection,
};

const USAGE = `Usage: npm run reliability -- [--quick] [NAME...]
Without names: tries everything (${Object.keys(TRIALS).join(", ")}) and writes docs/reliability.md.
With names, or with --quick: prints those sections and writes nothing.`;

const PAGE = fileURLToPath(new URL("../docs/reliability.md", import.meta.url));

/** Everything before the first section stays as it was written. */
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
  const texts: string[] = [];
  for (const [name, load] of Object.entries(TRIALS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    const text = sectionText(await (await load())({ isExtended: !isQuick }));
    console.log(text);
    texts.push(text);
  }
  if (names.length === 0 && !isQuick) writeFileSync(PAGE, introduction() + texts.join("\n"));
  return 0;
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
