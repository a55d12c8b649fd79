import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { bundledParts, toolsOf } from "./audit/bundled.ts";
import { differencesOf, readPage, renewedPage } from "./audit/dependencies-page.ts";
import { type Finding, findingsIn } from "./audit/findings.ts";
import { BUNDLED_LICENCES, isAllowed } from "./audit/licences.ts";
import { completionProgram, mainProgram } from "./build/programs.ts";

const PAGE = "docs/dependencies.md";
const USAGE = `Usage: npm run audit [-- --write]
Checks package-lock.json, what is installed, and what is built, without asking anybody. --write renews the tables of ${PAGE}.`;

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== "--write")) {
    console.error(USAGE);
    return 2;
  }
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  const parts = bundledParts([(await mainProgram()).metafile, (await completionProgram()).metafile]);
  const tools = toolsOf(manifest, parts);
  if (args.length > 0) writeFileSync(PAGE, renewedPage(readFileSync(PAGE, "utf8"), parts, tools));
  const findings = [
    ...findingsIn(JSON.parse(readFileSync("package-lock.json", "utf8")), manifest),
    { rule: "installed", says: "what is installed is what is locked (npm ls)", violations: notAsLocked() },
    {
      rule: "bundled",
      says: `every licence in the built file is one of ${BUNDLED_LICENCES.join(", ")}`,
      violations: parts.filter(({ licence }) => !isAllowed(licence, BUNDLED_LICENCES)).map(({ name }) => name),
    },
    {
      rule: "page",
      says: `${PAGE} names what is in the built file`,
      violations: differencesOf(readPage(readFileSync(PAGE, "utf8")), parts, tools),
    },
  ];
  for (const finding of findings) print(finding);
  return findings.every(({ violations }) => violations.length === 0) ? 0 : 1;
}

function print({ rule, says, violations }: Finding): void {
  console.log(`${rule.padEnd(10)} ${violations.length === 0 ? "ok  " : "FAIL"} ${says}`);
  for (const violation of violations) console.log(`           - ${violation}`);
}

function notAsLocked(): string[] {
  try {
    execFileSync("npm", ["ls", "--all"], { encoding: "utf8", stdio: "pipe" });
    return [];
  } catch (error) {
    const lines = error instanceof Error && "stderr" in error ? String(error.stderr).split("\n") : [String(error)];
    return lines.filter((line) => /^npm (ERR|error)/i.test(line) && !/log of this run|\.log$/.test(line));
  }
}

process.exitCode = await main(process.argv.slice(2));
