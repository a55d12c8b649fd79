import type { Cause, ContainerExplanation, PodExplanation } from "../answer/explanation.ts";
import type { SettingChange } from "../answer/setting-change.ts";
import { mainContainer, troubleOf } from "../triage.ts";

/** What the kubelet runs. */
const PROGRAM = /^(image|command|args)\b/;

/** The paths of the settings that decide whether a container ends with this cause. */
const BY_CAUSE: Partial<Readonly<Record<Cause, RegExp>>> = {
  oom: /^resources\.limits\.memory\b/,
  "liveness-probe": /^livenessProbe\b/,
  "startup-probe": /^startupProbe\b/,
  "post-start-hook": /^lifecycle\b/,
  "start-error": PROGRAM,
};

/** The exit codes of a shell that can't execute or find the program (POSIX.1-2024, 2.8.2). */
const NO_PROGRAM: readonly number[] = [126, 127];

/** Whether the setting of the pod's main container decides about what failed, so that its change is the likely cause. */
export function decidesFailure({ container, path }: SettingChange, pod: PodExplanation): boolean {
  const main = mainContainer(pod);
  return main !== undefined && container === main.name && pathsThatDecide(main)?.test(path) === true;
}

function pathsThatDecide(container: ContainerExplanation): RegExp | undefined {
  const { imagePull, lastExit } = container;
  if (troubleOf(container) === "not-ready") return /^readinessProbe\b/;
  if (imagePull !== null) return /^image\b/;
  if (lastExit === null) return undefined;
  return BY_CAUSE[lastExit.cause] ?? (NO_PROGRAM.includes(lastExit.exitCode) ? PROGRAM : undefined);
}
