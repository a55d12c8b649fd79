import { addedUp, byShare, totalOf, type Weighed } from "../replay/beliefs.ts";
import { isDoubtful } from "../replay/current-wait.ts";

export interface DelayChance extends Weighed {
  readonly delayMs: number;
}

export interface PossibleDelays {
  readonly delayMs: number;
  readonly otherDelaysMs?: readonly number[];
}

export function possibleDelays(chances: readonly DelayChance[], delayMs?: number): PossibleDelays {
  const byDelay = addedUp(chances, (chance) => chance.delayMs).sort(byShare);
  const named = delayMs ?? byDelay[0]?.delayMs ?? 0;
  const total = totalOf(chances);
  const otherDelaysMs: number[] = [];
  let share = byDelay.find((one) => one.delayMs === named)?.share ?? 0;
  for (const other of byDelay) {
    if (other.delayMs === named) continue;
    if (!isDoubtful(share / total)) break;
    otherDelaysMs.push(other.delayMs);
    share += other.share;
  }
  return { delayMs: named, ...(otherDelaysMs.length > 0 && { otherDelaysMs }) };
}
