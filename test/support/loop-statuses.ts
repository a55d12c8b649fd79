import type { ContainerStatus } from "../../src/explain/observed/observation.ts";
import { aStatus, T0_MS, terminated } from "./builders.ts";

export const AN_HOUR_ON_MS = T0_MS + 3_600_000;

export function exited(exitCode: number, secondsAgo: number): NonNullable<ContainerStatus["lastState"]> {
  const finishedAtMs = AN_HOUR_ON_MS - secondsAgo * 1000;
  return terminated(finishedAtMs - 4_000, finishedAtMs, { exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
}

export function down(overrides: Partial<ContainerStatus>): { statuses: ContainerStatus[] } {
  return { statuses: [aStatus({ ready: false, started: false, ...overrides })] };
}

export const LOOPING = down({ state: exited(1, 60), lastState: exited(1, 60), restartCount: 6 });
