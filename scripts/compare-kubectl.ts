import { rmSync, writeFileSync } from "node:fs";
import { type Case, flagCases, kubeconfigOf } from "./compare-kubectl/cases.ts";
import { documentOf } from "./compare-kubectl/document.ts";
import { kubeconfigCases, proxyCases } from "./compare-kubectl/environment-cases.ts";
import { makeLab } from "./compare-kubectl/lab.ts";
import { oidcCases } from "./compare-kubectl/oidc-cases.ts";
import { Recorder } from "./compare-kubectl/recorder.ts";
import { type Comparison, runCase } from "./compare-kubectl/run-case.ts";
import { makeServiceAccount, podCases } from "./compare-kubectl/service-account.ts";
import { isSame } from "./compare-kubectl/table.ts";
import { trustCases } from "./compare-kubectl/trust-cases.ts";

const USAGE =
  "Usage: node scripts/compare-kubectl.ts KUBECTL VERSION [FILE]; needs openssl. FILE: docs/kubectl-flags.md";

/** Lets kubectl and this program talk to the same servers, and writes down what they send: 1 if something unexpected differs. */
async function main([kubectl, version, file = "docs/kubectl-flags.md"]: string[]): Promise<number> {
  if (kubectl === undefined || version === undefined) {
    console.error(USAGE);
    return 2;
  }
  const recorder = new Recorder();
  const lab = makeLab(await recorder.start());
  lab.write("home/relative-config", kubeconfigOf(lab, { user: { token: "of-relative-file" } }));
  let undo: (() => void) | null = null;
  const compareAll = async (cases: readonly Case[]): Promise<Comparison[]> => {
    const comparisons: Comparison[] = [];
    for (const asked of cases) comparisons.push(report(await runCase(lab, recorder, kubectl, asked)));
    return comparisons;
  };
  try {
    const sections: Comparison[][] = [];
    for (const cases of [flagCases(lab), kubeconfigCases(lab), oidcCases(lab), trustCases(lab), proxyCases(lab)])
      sections.push(await compareAll(cases));
    undo = makeServiceAccount(lab);
    if (undo === null) console.log("No cases of a pod: they need root, and a machine that is none.");
    else sections.push(await compareAll(podCases(lab)));
    writeFileSync(file, documentOf(sections, version));
    const all = sections.flat();
    const different = all.filter((comparison) => !isSame(comparison));
    console.log(`${all.length} cases, ${different.length} differ; see ${file}`);
    return different.some(({ case: { expected } }) => expected !== "different") ? 1 : 0;
  } finally {
    undo?.();
    recorder.stop();
    rmSync(lab.folder, { recursive: true });
  }
}

function report(comparison: Comparison): Comparison {
  const { case: asked, kubectl, backoff } = comparison;
  console.log(`${isSame(comparison) ? "same     " : "DIFFERENT"} ${asked.name}`);
  if (!isSame(comparison)) console.log(JSON.stringify({ kubectl, backoff }, null, 2));
  return comparison;
}

process.exitCode = await main(process.argv.slice(2));
