import { parseArgs } from "node:util";
import { CONDITIONS, type Outcome, outcomeOfPods, outcomeUnder } from "./calibration/ablation.ts";
import { explainWithout } from "./calibration/explain-without.ts";
import { RULES } from "./calibration/rules.ts";
import { markdownRow, markdownTable } from "./markdown-table.ts";

/** Prints how predictions change without each rule of the model. `--pods FOLDER` adds the pods in a folder. */
async function main(): Promise<void> {
  const options = { pods: { type: "string", multiple: true } } as const;
  const { values, positionals: names } = parseArgs({ allowPositionals: true, options });
  const { pods: folders = [] } = values;
  const columns = ["rule", ...CONDITIONS.map(({ name }) => name), ...folders.map(() => "published pods"), "stays for"];
  console.log(markdownTable(columns, []).join("\n"));
  const all = await outcomesWithout([], folders);
  for (const { name, what, stays = "" } of RULES.filter((rule) => names.length === 0 || names.includes(rule.name))) {
    const outcomes = await outcomesWithout([name], folders);
    const cells = outcomes.map((outcome, index) => differenceOf(all[index], outcome));
    console.log(markdownRow([`${what} (\`${name}\`)`, ...cells, stays]));
  }
}

async function outcomesWithout(names: readonly string[], folders: readonly string[]): Promise<Outcome[]> {
  const explain = await explainWithout(names);
  const known = CONDITIONS.map((condition) => outcomeUnder(condition, (seen) => explain(seen, {})));
  const ofPods = folders.map((folder) => outcomeOfPods(folder, (seen) => explain(seen, {})));
  return [...known, ...(await Promise.all(ofPods))];
}

/**
 * Returns e.g. "3.10 %, right −1.20 %": without the rule, 3.10 % of the answers change, and the share of right answers
 * falls by 1.20 percentage points.
 */
function differenceOf(all: Outcome | undefined, one: Outcome): string {
  const total = one.answers.length;
  const changed = one.answers.filter((answer, index) => answer !== all?.answers[index]).length;
  if (all === undefined || changed === 0) return "–";
  const difference = (word: string, before: number | null, after: number | null, unit: string, scale: number) =>
    before === null || after === null || before === after
      ? []
      : [`${word} ${signed((after - before) / scale)} ${unit}`];
  const changes = [
    ...difference("right", all.right, one.right, "%", total / 100),
    ...difference("inside", all.inside, one.inside, "%", total / 100),
    ...difference("score", all.scoreMs, one.scoreMs, "s", 1_000),
  ];
  const share = one.right === null ? `${changed} of ${total}` : `${((changed / total) * 100).toFixed(2)} %`;
  return [share, ...changes].join(", ");
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;
}

await main();
