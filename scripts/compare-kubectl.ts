import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Case, flagCases, kubeconfigOf } from "./compare-kubectl/cases.ts";
import { documentOf, isSame } from "./compare-kubectl/document.ts";
import { kubeconfigCases, proxyCases } from "./compare-kubectl/environment-cases.ts";
import { makeLab } from "./compare-kubectl/lab.ts";
import { oidcCases } from "./compare-kubectl/oidc-cases.ts";
import { Recorder } from "./compare-kubectl/recorder.ts";
import { type Comparison, type Program, programOf, runCase } from "./compare-kubectl/run-case.ts";
import { makeServiceAccount, podCases } from "./compare-kubectl/service-account.ts";
import { trustCases } from "./compare-kubectl/trust-cases.ts";

const PAGE = "docs/kubectl-flags.md";
const USAGE = `Usage: node scripts/compare-kubectl.ts [--output FILE] KUBECTL VERSION [PROGRAM...]; needs openssl.
PROGRAM: the executable or the built JavaScript file, bin/run.js without any. FILE: ${PAGE} without the flag.`;

/**
 * Runs kubectl and this program against the same servers, and compares what they send. Returns 1 if they differ in a
 * case that gives no reason for a difference.
 */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: { output: { type: "string" } }, allowPositionals: true });
  const [kubectl, version, ...paths] = positionals;
  if (kubectl === undefined || version === undefined) {
    console.error(USAGE);
    return 2;
  }
  const file = values.output ?? PAGE;
  const programs: readonly Program[] = (paths.length > 0 ? paths : ["bin/run.js"]).map(programOf);
  const recorder = new Recorder();
  const lab = makeLab(await recorder.start());
  lab.write("home/relative-config", kubeconfigOf(lab, { user: { token: "of-relative-file" } }));
  let undo: (() => void) | null = null;
  const compareAll = async (cases: readonly Case[]): Promise<Comparison[]> => {
    const comparisons: Comparison[] = [];
    for (const asked of cases) comparisons.push(report(await runCase({ lab, recorder, kubectl, programs }, asked)));
    return comparisons;
  };
  try {
    const sections: Comparison[][] = [];
    for (const cases of [flagCases(lab), kubeconfigCases(lab), oidcCases(lab), trustCases(lab), proxyCases(lab)])
      sections.push(await compareAll(cases));
    undo = makeServiceAccount(lab);
    if (undo === null) console.log("No cases of a pod: they need root, and a machine that is none.");
    else sections.push(await compareAll(podCases(lab)));
    writeFileSync(file, documentOf(readFileSync(PAGE, "utf8"), sections, version));
    const all = sections.flat();
    for (const { name } of programs)
      console.log(
        `${name}: ${all.filter((comparison) => isSame(comparison, name)).length} of ${all.length} are the same`,
      );
    const different = all.filter((comparison) => programs.some(({ name }) => !isSame(comparison, name)));
    return different.some((comparison) => comparison.case.different === undefined) ? 1 : 0;
  } finally {
    undo?.();
    recorder.stop();
    rmSync(lab.folder, { recursive: true });
  }
}

function report(comparison: Comparison): Comparison {
  const { case: asked, kubectl, deeds } = comparison;
  const different = [...deeds].filter(([name]) => !isSame(comparison, name));
  console.log(`${different.length === 0 ? "same     " : "DIFFERENT"} ${asked.name}`);
  for (const [name, deed] of different) console.log(JSON.stringify({ kubectl, [name]: deed }, null, 2));
  return comparison;
}

process.exitCode = await main(process.argv.slice(2));
