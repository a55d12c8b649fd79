import { readFileSync, writeFileSync } from "node:fs";
import { builtPackages, renewedPage, unexplained } from "./audit/dependencies-page.ts";
import { BUNDLED_LICENCES, isAllowed } from "./audit/licences.ts";

const PAGE = "docs/dependencies.md";
const USAGE = `Usage: npm run audit [-- --write]
Compares ${PAGE} and the licences in it with what is built. --write renews the tables of the page.`;

async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg !== "--write")) {
    console.error(USAGE);
    return 2;
  }
  const packages = await builtPackages();
  const text = readFileSync(PAGE, "utf8");
  const renewed = renewedPage(text, packages);
  if (args.length > 0) writeFileSync(PAGE, renewed);
  const refused = packages.filter(({ licence }) => !isAllowed(licence, BUNDLED_LICENCES));
  const problems = [
    ...refused.map(({ name, licence }) => `${name} has the licence ${licence}.`),
    ...unexplained(renewed).map((name) => `${PAGE} does not say why ${name} is there.`),
    ...(renewed === text || args.length > 0 ? [] : [`${PAGE} is not what is built: npm run audit -- --write.`]),
  ];
  console.log(problems.length === 0 ? `${PAGE} says what is built.` : problems.join("\n"));
  return problems.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
