import { mutants, QUICK_CASES, QUICK_MUTANTS, WAY_CASES } from "../../test/support/two-ways/catalogue.ts";
import { tryWays, type WayResult } from "../../test/support/two-ways/try-ways.ts";
import { type Effort, markdownTable, type Section } from "./section.ts";

const MUTANTS = 10_000;
const FIRST_SEED = 1_000_000;

/** Whether whoever asks straight over TLS is told what Node's client tells. Throws if anything differs that is not meant to. */
export async function twoWaysSection({ isExtended }: Effort): Promise<Section> {
  const known = await tryWays(isExtended ? WAY_CASES : QUICK_CASES);
  const mutated = await tryWays(isExtended ? mutants(FIRST_SEED, MUTANTS) : mutants(1, QUICK_MUTANTS));
  const wrong = [...known, ...mutated].filter(({ problems }) => problems.length > 0);
  if (wrong.length > 0) throw new Error(`${wrong.length} differ:\n${wrong.map(told).join("\n")}`);
  return {
    title: "Two ways to ask",
    lines: [...introduction(), "", ...table(known, mutated), "", ...exceptions(known)],
  };
}

function introduction(): string[] {
  return [
    "API servers are asked straight over TLS, without Node's HTTP client, which would be a tenth of a start. Whatever is not written as API",
    "servers write it is asked for once more by that client. Each of these answers, byte for byte from a server that speaks TLS and nothing else,",
    "was asked for in both ways: what the user is told, the server's clock and what is tried again are the same, nothing waited longer, and every",
    "connection was closed in the end. `test/cluster/direct-differential.test.ts` tries some of them in every run of the tests.",
  ];
}

function table(known: readonly WayResult[], mutated: readonly WayResult[]): string[] {
  const usual = known.filter(({ wayCase }) => wayCase.isUsual === true).length;
  return markdownTable(
    ["what the server sends", "answers", "told otherwise"],
    [
      ["as API servers write it: each asked for once", String(usual), "0"],
      [
        "anything else, from another way to write it to what is no answer",
        String(known.length - usual),
        String(differing(known).length),
      ],
      ["answers changed at random", mutated.length.toLocaleString("en-US"), "0"],
    ],
  );
}

function differing(known: readonly WayResult[]): readonly WayResult[] {
  return known.filter(({ wayCase }) => wayCase.differs !== undefined);
}

function exceptions(known: readonly WayResult[]): string[] {
  return differing(known).map(({ wayCase: { name, differs } }) => `- Told otherwise: ${name}. ${differs}.`);
}

function told({ wayCase, problems }: WayResult): string {
  return `${wayCase.name}: ${problems.join("; ")}`;
}
