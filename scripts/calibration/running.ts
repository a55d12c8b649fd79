import { momentAt, podOf } from "../../lab/recordings/recorded-moment.ts";
import type { Intervention, Recording } from "../../lab/recordings/recordings.ts";
import type { ContainerExplanation, PodExplanation } from "../../src/explain/answer/explanation.ts";
import { longestLatenessMs } from "../../src/kubelet/retry-rule.ts";
import { type RecordedContainer, recordedContainersOf } from "./instances.ts";
import { type Explain, explainedAt } from "./judgement.ts";
import { isForeseeable } from "./moments.ts";

interface RecordedRun {
  readonly recording: Recording;
  readonly container: RecordedContainer;
  readonly id: string;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  readonly nextStartedAtMs: number;
}

export interface RunningJudgement {
  readonly run: RecordedRun;
  readonly atMs: number;
  readonly said: ContainerExplanation | null;
  readonly isProbed: boolean;
  readonly isRight: boolean;
}

const SHORTEST_RUN_MS = 4_000;
const SHARES = [0.25, 0.75];
/** Hand-set: a restart within this time after the exit counts as a restart without a wait. */
const IMMEDIATE_MS = 6_000;
/** Hand-set, for two timestamps that are cut to the second, and for the start of the container. */
const SLACK_MS = 2_500;

export function judgeRunning(
  recordings: readonly Recording[],
  interventions: readonly Intervention[],
  explain: Explain,
): RunningJudgement[] {
  return recordings
    .flatMap((recording) => runsOf(recording))
    .flatMap((run) => momentsOf(run, interventions).map((atMs) => judge(run, atMs, explain)));
}

function runsOf(recording: Recording): RecordedRun[] {
  return recordedContainersOf(recording).flatMap((container) =>
    container.instances.slice(1).flatMap(({ id, startedAtMs, finishedAtMs }, index) => {
      const nextStartedAtMs = container.instances[index + 2]?.startedAtMs ?? null;
      if (startedAtMs === null || finishedAtMs === null || nextStartedAtMs === null) return [];
      if (finishedAtMs - startedAtMs < SHORTEST_RUN_MS) return [];
      return [{ recording, container, id, startedAtMs, finishedAtMs, nextStartedAtMs }];
    }),
  );
}

function momentsOf(run: RecordedRun, interventions: readonly Intervention[]): number[] {
  const { recording, startedAtMs, finishedAtMs } = run;
  return SHARES.map((share) => startedAtMs + share * (finishedAtMs - startedAtMs)).filter(
    (atMs) => isForeseeable(run, atMs, interventions) && isShownRunning(recording, run, atMs),
  );
}

function isShownRunning(recording: Recording, { container, id }: RecordedRun, atMs: number): boolean {
  const moment = momentAt(recording, atMs);
  if (moment === null) return false;
  const pod = podOf(moment.pod);
  const status = pod.statuses.find(({ name }) => name === container.name);
  return pod.uid === container.uid && status?.state?.kind === "running" && status.containerID === id;
}

function judge(run: RecordedRun, atMs: number, explain: Explain): RunningJudgement {
  const explained = explainedAt(run, atMs, explain);
  if (explained === null) return { run, atMs, said: null, isProbed: false, isRight: false };
  const { observation, pod, said } = explained;
  const spec = observation.pods[0]?.pod.containers.find(({ name }) => name === run.container.name);
  const isProbed = spec !== undefined && (spec.livenessProbe !== null || spec.startupProbe !== null);
  return { run, atMs, said, isProbed, isRight: cameTrue(run, said, pod) };
}

/** True if the wait was as long as forecast, given the retry rule's lateness and the slack. */
function cameTrue(
  { finishedAtMs, nextStartedAtMs }: RecordedRun,
  { delayMs, reset }: ContainerExplanation,
  { policy: { retry } }: PodExplanation,
): boolean {
  const waitedMs = nextStartedAtMs - finishedAtMs;
  if (delayMs === null) return false;
  if (delayMs === 0) return waitedMs <= IMMEDIATE_MS;
  const leftMs = reset === null ? Number.POSITIVE_INFINITY : reset.atMs - finishedAtMs;
  const rule = retry === "every-10s" ? ({ kind: retry } as const) : ({ kind: retry, resyncMs: RESYNC_MS } as const);
  const latestMs = delayMs + longestLatenessMs(rule, delayMs) + SLACK_MS;
  return waitedMs >= Math.min(delayMs, leftMs) - SLACK_MS && waitedMs <= latestMs;
}

/** The `syncFrequency` of every recorded kubelet. */
const RESYNC_MS = 60_000;

/** The `probed` figures count moments of containers with a liveness or startup probe. */
export interface RunningFigures {
  readonly moments: number;
  readonly right: number;
  readonly probedMoments: number;
  readonly probedRight: number;
}

export function runningFiguresOf(judgements: readonly RunningJudgement[]): RunningFigures {
  const probed = judgements.filter(({ isProbed }) => isProbed);
  return {
    moments: judgements.length,
    right: judgements.filter(({ isRight }) => isRight).length,
    probedMoments: probed.length,
    probedRight: probed.filter(({ isRight }) => isRight).length,
  };
}
