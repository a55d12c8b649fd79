import { existsSync } from "node:fs";
import { startBehaviourLab } from "../../test/support/behaviour-lab.ts";
import { BEHAVIOURS, type Behaviour, type BehaviourLab, outcomeOf } from "../../test/support/behaviours.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

export async function behaviourSection({ isExtended, program }: Effort): Promise<Section> {
  const possible = BEHAVIOURS.filter(({ stdout, stderr }) =>
    [stdout, stderr].every((to) => to !== "full" || hasFull()),
  );
  const tried = isExtended ? possible : possible.filter((_, index) => index % 3 === 0);
  const lab = await startBehaviourLab();
  try {
    const rows: string[][] = [];
    for (const behaviour of tried) rows.push(await rowOf(behaviour, lab, program));
    const asIntended = rows.filter(([, , verdict]) => verdict === "yes").length;
    return {
      title: "How it behaves",
      lines: [
        "A process ended by a signal has 128 and the signal's number as exit code in a shell: 130 for SIGINT, 143 for SIGTERM,",
        "129 for SIGHUP.",
        "",
        ...markdownTable(["situation", "what happened", "as intended"], rows),
        "",
        `${rows.length} situations: ${asIntended} as intended.`,
      ],
    };
  } finally {
    await lab.stop();
  }
}

async function rowOf(behaviour: Behaviour, lab: BehaviourLab, program: string): Promise<string[]> {
  const outcome = await outcomeOf(behaviour, lab, program);
  return [behaviour.situation, outcome, outcome === behaviour.outcome ? "yes" : `**no**: ${behaviour.outcome}`];
}

function hasFull(): boolean {
  return existsSync("/dev/full");
}
