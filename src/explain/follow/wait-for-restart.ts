import { restartingExits } from "../../kubelet/restart-policy.ts";
import type { State } from "../answer/explanation.ts";
import { restartSpecOf } from "../history/restart-spec.ts";
import { hiddenRun, type SeenRun, seenRuns } from "../history/runs.ts";
import type { ContainerSpec, PodObservation, PodSnapshot } from "../observed/observation.ts";
import type { Look, WaitCondition } from "./wait-for.ts";

/** An instance newer than those at the first look: of the container, or of any but the ephemeral ones. */
export function restarts(container: string | undefined): WaitCondition {
  let before: ReadonlyMap<string, SeenRun | undefined> | null = null;
  return (look) => {
    const newest = newestRuns(look.observed, container);
    before ??= newest;
    for (const [name, run] of newest) {
      if (run === undefined || !isNewer(run, before.get(name))) continue;
      return { kind: "happened", container: name, start: run.start, atMs: run.startedAtMs ?? look.atMs };
    }
    return canRestart(look, container) ? { kind: "waiting" } : { kind: "impossible", because: stopped(container) };
  };
}

function stopped(container: string | undefined): string {
  const whose = container === undefined ? "no container of it" : `its container ${container} never`;
  return `${whose} starts again, by its restart policy`;
}

function newestRuns(observed: PodObservation, container: string | undefined): Map<string, SeenRun | undefined> {
  const specs = meant(observed.pod, container);
  return new Map(
    specs.map((spec) => {
      const seen = seenRuns(spec.name, [...observed.earlier, observed.pod]);
      return [spec.name, hiddenRun(spec, seen, observed) ?? seen.at(-1)];
    }),
  );
}

function meant({ containers }: PodSnapshot, container: string | undefined): readonly ContainerSpec[] {
  return containers.filter(({ name, type }) => (container === undefined ? type !== "ephemeral" : name === container));
}

/** By containerID, for the numbers may be off by one; a start that the status hides has a number only. */
function isNewer(run: SeenRun, before: SeenRun | undefined): boolean {
  if (before === undefined) return true;
  if (run.containerID === null || before.containerID === null) return run.start > before.start;
  return run.containerID !== before.containerID && run.start >= before.start;
}

function canRestart({ observed: { pod }, explained }: Look, container: string | undefined): boolean {
  const isUpFor = ({ name }: ContainerSpec, test: (state: State | undefined) => boolean): boolean =>
    test(explained.containers.find((candidate) => candidate.name === name)?.state);
  const restartsAll = ({ restartPolicyRules }: ContainerSpec): boolean =>
    restartPolicyRules.some(({ action }) => action === "RestartAllContainers");
  return (
    pod.containers.some((spec) => restartsAll(spec) && isUpFor(spec, isOpen)) ||
    meant(pod, container).some((spec) =>
      isUpFor(spec, (state) => isOpen(state) && (state !== "running" || mayRestart(spec, pod))),
    )
  );
}

function isOpen(state: State | undefined): boolean {
  return state !== "completed" && state !== "failed";
}

/** Whether there may be an exit after which it starts again. */
function mayRestart(spec: ContainerSpec, pod: PodSnapshot): boolean {
  return restartingExits(restartSpecOf(spec, pod), ALL_RULES) !== "none";
}

/** Whoever waits would rather wait in vain than miss what a kubelet does that is newer than it was taken for. */
const ALL_RULES = { hasRestartRules: true, hasRestartAll: true };
