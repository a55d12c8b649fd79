import type { ContainerExplanation } from "../answer/explanation.ts";
import type { Look, WaitCondition } from "./wait-for.ts";

/** The container, or each that is there to run, runs without a back-off entry, and the pod is Ready. */
export function recovery(container: string | undefined): WaitCondition {
  return (look) => {
    const meant = look.explained.containers.filter(({ name, type }) => {
      return container === undefined ? type === "app" || type === "sidecar" : name === container;
    });
    const ended = meant.find(({ state }) => state === "completed" || state === "failed");
    if (ended !== undefined) return { kind: "impossible", because: `its container ${ended.name} has ended for good` };
    if (!isReady(look) || !meant.every(isPastItsReset)) return { kind: "waiting" };
    return { kind: "happened", container: container ?? null, start: null, atMs: look.atMs };
  };
}

function isPastItsReset({ state, delayMs }: ContainerExplanation): boolean {
  return state === "running" && delayMs === 0;
}

function isReady({ observed }: Look): boolean {
  return observed.pod.conditions.some(({ type, status }) => type === "Ready" && status === "True");
}
