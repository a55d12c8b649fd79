import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import type { NextExit } from "../answer/explanation.ts";
import type { ContainerFacts } from "../replay/facts.ts";

const PROBES = { "liveness-probe": "liveness probe", "startup-probe": "startup probe" } as const;

/** What the kubelet does after the next exit of a running container, the likely way to end first; null if that is unknown. */
export function forecastOf(exits: readonly NextExit[] | null, facts: ContainerFacts): string | null {
  const [likely, other] = exits ?? [];
  if (likely === undefined) return null;
  const fails = facts.spec.type === "init" || facts.restartingExits === "failures" ? "fails" : "exits";
  const restarts = `${consequence(likely)}${likely.delayMs === 0 ? "" : " before restarting it"}.`;
  if (other === undefined) {
    return likely.delayMs === 0 ? `No back-off: if it ${fails}, ${restarts}` : `If it ${fails} now, ${restarts}`;
  }
  const [itself, killed] = likely.how === "exits" ? [likely, other] : [other, likely];
  const probe = `its ${PROBES[killed.probe ?? "liveness-probe"]} fails`;
  if (likely.delayMs === other.delayMs) {
    return likely === itself
      ? `If it ${fails} or ${probe}, ${restarts}`
      : `If ${probe} again or it ${fails}, ${restarts}`;
  }
  return likely === itself
    ? `If it ${fails}, ${consequence(itself)}; if ${probe}, ${consequence(killed)}.`
    : `If ${probe} again, ${consequence(killed)}; if it ${fails} by itself, ${consequence(itself)}.`;
}

function consequence({ delayMs }: NextExit): string {
  return delayMs === 0 ? "it restarts immediately" : `the kubelet waits ${formatBriefDuration(delayMs)}`;
}

/** What the kubelet does when the kill that is in progress is done. */
export function afterKill({ delayMs }: NextExit): string {
  return delayMs === 0
    ? "The kubelet restarts it as soon as it has stopped."
    : `When it has stopped, the kubelet waits ${formatBriefDuration(delayMs)} before restarting it.`;
}
