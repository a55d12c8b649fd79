import type { Observation } from "../../explain/observed/observation.ts";
import type { ContainerTrace, PodTrace, TracedExit, TracedWait } from "../../explain/trace/pod-trace.ts";
import { formatBriefDuration } from "../../kubelet/go-duration.ts";
import { time } from "../json/json.ts";

/** Returns the moment "now" and its source. `localLeadMs` is null if the API server sent no Date header. */
export function nowLine({ atMs, atBasis }: Pick<Observation, "atMs" | "atBasis">, localLeadMs: number | null): string {
  const lead = localLeadMs === null ? "" : ` local clock ${seconds(localLeadMs)} ahead of the server's`;
  return `now ${timeOf(atMs)} from ${atBasis}${lead}`;
}

/** Returns how the program came to an explanation: lines about the pod's policy, then about each container's replay. */
export function replayLines(trace: PodTrace): string[] {
  const pod = `replay ${trace.namespace}/${trace.name}`;
  return [
    `${pod} ${policyWords(trace)}`,
    ...trace.rivals.map(({ initialMs, maxMs, share }) => {
      return `${pod} rival ${curve(initialMs, maxMs)} share=${percent(share)}`;
    }),
    ...trace.containers.flatMap((container) => {
      return containerLines(container, trace).map((line) => `${pod} ${container.name} ${line}`);
    }),
  ];
}

function policyWords({ policy, skewMs }: PodTrace): string {
  const { initialMs, maxMs, resetAfterMs, retry, basis, kubeletVersion, isInferred } = policy;
  const inferred = isInferred === true ? " inferred-from-waits" : "";
  const rules = `reset=${formatBriefDuration(resetAfterMs)} retry=${retry} basis=${basis}${inferred}`;
  return `policy ${curve(initialMs, maxMs)} ${rules} kubelet=${kubeletVersion ?? "unknown"} node-clock-ahead=${seconds(skewMs)}`;
}

function curve(initialMs: number, maxMs: number): string {
  return `initial=${formatBriefDuration(initialMs)} max=${formatBriefDuration(maxMs)}`;
}

function containerLines(container: ContainerTrace, { policy }: PodTrace): string[] {
  const { state, restartCount, seenRuns, beginning, exits, resets, wait } = container;
  const beliefs = container.beliefs.filter(({ share }) => share >= LEAST_SHARE);
  return [
    `state=${state} restarts=${restartCount} runs-seen=${seenRuns}`,
    ...(beginning === null ? [] : [beginningWords(beginning)]),
    ...resets.map(({ atMs, kind }) => `reset ${kind} at=${timeOf(atMs)}`),
    ...exits.map(exitWords),
    ...beliefs.map(({ delayMs, share, rules }) => {
      return `belief entry=${formatBriefDuration(delayMs)} weight=${percent(share)} rules=${listOf(rules)}`;
    }),
    ...(wait === null ? [] : waitLines(wait, policy.retry)),
  ];
}

/** The least probability (0 to 1) with which a possible delay is printed. */
const LEAST_SHARE = 1e-4;

function beginningWords({ start, entry, rules }: NonNullable<ContainerTrace["beginning"]>): string {
  const delay = entry === undefined ? "none" : formatBriefDuration(entry.delayMs);
  return `begins start=${start} entry=${delay} inferred-by=${listOf(rules)}`;
}

function exitWords(exit: TracedExit): string {
  const { start, finishedAtMs, exitCode, cause, causeBasis, wait, delayMs, because, entry, entryDelayMs } = exit;
  const delay = delayMs === null || wait === "free" ? "" : `:${formatBriefDuration(delayMs)}`;
  const made = entryDelayMs === null ? entry : `${entry}:${formatBriefDuration(entryDelayMs)}`;
  const ended = `exit start=${start} at=${timeOf(finishedAtMs)} code=${exitCode ?? "unknown"} cause=${cause}(${causeBasis})`;
  const next = exit.nextStartedAtMs === null ? "awaited" : `${timeOf(exit.nextStartedAtMs)}(observed)`;
  return `${ended} wait=${wait}${delay} because=${because} entry=${made} next-start=${next}`;
}

function waitLines(traced: TracedWait, retry: string): string[] {
  const { wait, basis, share, rules, syncs, siblingsPlannedAtMs: siblings, confidence } = traced;
  const others = traced.others
    .filter((other) => other.share >= LEAST_SHARE)
    .map((other) => `${formatBriefDuration(other.delayMs)}:${percent(other.share)}`);
  const known = `known-sync=${timeOf(syncs.syncedAtMs)} within=${seconds(syncs.spreadMs)}`;
  const planned = siblings.length === 0 ? "" : ` siblings-planned=${siblings.map((atMs) => timeOf(atMs)).join(",")}`;
  const sure = Math.round(confidence.ofSyncs * (1 - confidence.shorterDelays) * 100);
  return [
    `wait delay=${formatBriefDuration(wait.delayMs)} ${basis} share=${percent(share)} others=${listOf(others)} rules=${listOf(rules)} ` +
      `from=${timeOf(wait.countedFromMs)} ready=${timeOf(wait.readyAtMs)} planned=${timeOf(wait.plannedAtMs)} dropped=${timeOf(wait.droppedAtMs, "never")}`,
    `syncs retry=${retry} ${known} no-other-until=${timeOf(syncs.noSyncUntilMs)}${planned}`,
    `confidence ${sure}% = ${percent(confidence.ofSyncs)} of the syncs x ${percent(1 - confidence.shorterDelays)} no shorter delay`,
  ];
}

function listOf(words: readonly string[]): string {
  return words.length === 0 ? "none" : [...new Set(words)].join(",");
}

function percent(share: number): string {
  const hundredth = share * 100;
  return `${hundredth >= 1 || hundredth === 0 ? Math.round(hundredth) : hundredth.toPrecision(1)}%`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10}s`;
}

function timeOf(atMs: number | null, otherwise = "unknown"): string {
  return atMs === null ? otherwise : time(atMs);
}
