import { spawn } from "node:child_process";
import { toEventSnapshot } from "../../src/cluster/objects/event.ts";
import { kubeletRestarts } from "../../src/explain/history/resets.ts";
import type { Intervention, RecordedLine, Recording } from "../recordings.ts";

/** Runs a shell command that restarts kubelets; returns its exit code. */
export function runCommand(command: string): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const child = spawn("/bin/sh", ["-c", command], { stdio: "ignore" });
  child.on("error", () => resolve(null));
  child.on("close", resolve);
  return promise;
}

/**
 * The restarts of kubelets in the nodes' events after the command. Each counts twice, as the command and as the event:
 * between them nobody can foresee what the restart does to a wait.
 */
export function restartsSince(commandAtMs: number, recordings: readonly Recording[]): Intervention[] {
  const linesOf = new Map(recordings.map(({ node, nodeEventLines }) => [node, nodeEventLines]));
  return [...linesOf].flatMap(([node, lines]) => {
    const told = lines.find((line) => line.atMs >= commandAtMs && isRestart(line, commandAtMs));
    if (told === undefined) return [];
    return [
      { atMs: commandAtMs, node, pod: null, what: "the kubelet was stopped" },
      { atMs: told.atMs, node, pod: null, what: "the kubelet had started again" },
    ];
  });
}

/** The API cuts times to the second, and a new watch repeats old events. */
function isRestart({ object }: RecordedLine, sinceMs: number): boolean {
  return kubeletRestarts([toEventSnapshot(object)]).some((atMs) => atMs > sinceMs - 1000);
}
