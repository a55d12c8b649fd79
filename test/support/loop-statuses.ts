import type { ContainerStatus } from "../../src/explain/observed/observation.ts";
import { aStatus, T0_MS, terminated } from "./builders.ts";

/** The moment of the explanation, an hour after the builders' pod was made. */
export const AN_HOUR_ON_MS = T0_MS + 3_600_000;

/** The state of a container that ended some time before {@link AN_HOUR_ON_MS}, after 4 seconds. */
export function exited(exitCode: number, secondsAgo: number): NonNullable<ContainerStatus["lastState"]> {
  const finishedAtMs = AN_HOUR_ON_MS - secondsAgo * 1000;
  return terminated(finishedAtMs - 4_000, finishedAtMs, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
}

export function down(overrides: Partial<ContainerStatus>): { statuses: ContainerStatus[] } {
  return { statuses: [aStatus({ ready: false, started: false, ...overrides })] };
}

/** The last run ended a minute ago; there were six restarts. */
export const LOOPING = down({ state: exited(1, 60), lastState: exited(1, 60), restartCount: 6 });
