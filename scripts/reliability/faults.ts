import { SLACK_MS } from "../../lab/faults/case.ts";
import { ALL_FAULTS, withOneQuestion } from "../../lab/faults/catalogue.ts";
import { asProcess } from "../../lab/faults/program.ts";
import { type FaultResult, tryFaults } from "../../lab/faults/try-faults.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

export async function faultsSection({ isExtended, program }: Effort): Promise<Section> {
  const cases = isExtended ? ALL_FAULTS : withOneQuestion(ALL_FAULTS);
  const results = await tryFaults(cases, asProcess([program]), 6);
  const wrong = results.filter(({ problems }) => problems.length > 0);
  if (wrong.length > 0)
    throw new Error(`${wrong.length} of ${results.length} went wrong:\n${wrong.map(told).join("\n")}`);
  return { title: "Faults of networks and servers", lines: [...introduction(results), "", ...table(results)] };
}

function introduction(results: readonly FaultResult[]): string[] {
  const cases = new Set(results.map(({ faultCase }) => faultCase)).size;
  return [
    `${cases} ways to fail, in ${results.length} runs of the executable (\`explain\`, \`explain -w\`, \`list\`, \`eta\`, \`wait\` and \`catch\`) against servers and proxies that do it, by HTTP/2 and HTTP/1.1. Every run ended within`,
    `\`--request-timeout\` for each of the requests that follow one another (${SLACK_MS / 1000} s of slack are allowed, for machines that are busy), with what the last column says:`,
    "an error is one sentence and what to do about it, exit code 1 and nothing on stdout. No run printed a stack or half an answer, and none sent",
    "credentials to a server that it had not verified, or to which it was redirected. Answers that are right are compared with those of the same server without",
    "the fault. The same cases run in `test/faults`, with one of the commands and one of the protocols each.",
  ];
}

function table(results: readonly FaultResult[]): string[] {
  const rows = Map.groupBy(results, ({ faultCase }) => faultCase.fault);
  return markdownTable(
    ["fault", "variants", "runs", "what the user gets"],
    [...rows].map(([fault, runs]) => {
      const cases = new Set(runs.map(({ faultCase }) => faultCase));
      const words = new Set([...cases].map(({ outcome }) => outcome.words));
      return [fault, String(cases.size), String(runs.length), [...words].join("; ")];
    }),
  );
}

function told({ faultCase, asked, protocol, problems }: FaultResult): string {
  return `${faultCase.fault} (${faultCase.variant}), ${asked}, ${protocol}: ${problems.join("; ")}`;
}
