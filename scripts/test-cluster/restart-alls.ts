import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { restartSpecOf } from "../../src/explain/history/restart-rules.ts";
import type { ContainerStatus, PodSnapshot } from "../../src/explain/observed/observation.ts";
import { decideRestart } from "../../src/kubelet/restart-policy.ts";
import { kubeletTraits } from "../../src/kubelet/traits.ts";
import { NEWEST_KNOWN_VERSION } from "../../src/kubelet/versions.ts";
import type { Intervention, Recording } from "../recordings.ts";

const REASON = "RestartingAllContainers";

/**
 * A container's exit can make the kubelet restart all containers of the pod: that ends the waits of the others, which
 * nobody can foresee before the exit.
 */
export function restartAllsIn({ node, pod, lines }: Recording): Intervention[] {
  const found: Intervention[] = [];
  const exits = new Set<string>();
  const restarts = new Set<string>();
  let exitAtMs: number | null = null;
  for (const line of lines) {
    if (line.kind !== "Pod") continue;
    const snapshot = toPodSnapshot(line.object);
    if (
      hasNew(
        exits,
        snapshot.statuses.filter((status) => asksForAll(status, snapshot)),
      )
    )
      exitAtMs = line.atMs;
    if (!hasNew(restarts, snapshot.statuses.filter(isRestartedWithAll))) continue;
    found.push({ atMs: exitAtMs ?? line.atMs, node, pod, what: "an exit restarted all containers" });
    exitAtMs = null;
  }
  return found;
}

/** Notes the statuses' runs; returns whether one of them is new. */
function hasNew(known: Set<string>, statuses: readonly ContainerStatus[]): boolean {
  const before = known.size;
  for (const { name, restartCount } of statuses) known.add(`${name} ${restartCount}`);
  return known.size > before;
}

function asksForAll({ name, state }: ContainerStatus, pod: PodSnapshot): boolean {
  const spec = pod.containers.find((candidate) => candidate.name === name);
  if (spec === undefined || state?.kind !== "terminated") return false;
  return decideRestart(restartSpecOf(spec, pod), state.exitCode, false, ALL_RULES) === "restart-all";
}

const ALL_RULES = kubeletTraits(NEWEST_KNOWN_VERSION, {});

function isRestartedWithAll({ state, lastState }: ContainerStatus): boolean {
  return (state?.kind === "waiting" && state.reason === REASON) || lastState?.reason === REASON;
}
