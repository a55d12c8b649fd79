import { setTimeout as sleep } from "node:timers/promises";
import type { Recording } from "../../lab/recordings/recordings.ts";
import { connect } from "../../src/cluster/api/connect.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { MINUTE_MS } from "../../src/kubelet/go-duration.ts";
import type { ReadyNode } from "./find-cluster.ts";
import { watch } from "./kubectl.ts";
import { createPods, type PlannedPod, plannedPods } from "./namespace.ts";
import { Observer, type Prediction } from "./observer.ts";
import { Recorder } from "./recorder.ts";
import type { Scenario } from "./scenarios.ts";

interface RunInput {
  readonly minutes: number;
  readonly namespace: string;
  /** The predictions have the rights of this kubeconfig; undefined: the rights of kubectl. */
  readonly kubeconfig: string | undefined;
  readonly scenarios: readonly Scenario[];
  readonly nodes: readonly ReadyNode[];
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface RunResult {
  readonly predictions: readonly Prediction[];
  readonly recordings: readonly Recording[];
  readonly failures: readonly string[];
}

/** Hand-set: many simultaneous starts make a node slow. */
const SPREAD_MS = 1500;

export async function run(input: RunInput): Promise<RunResult> {
  const { minutes, namespace, kubeconfig, scenarios, nodes, say, signal } = input;
  const names = nodes.map(({ name }) => name);
  const pods = plannedPods(scenarios, names);
  const recorder = new Recorder(nodes, pods);
  const observer = new Observer(connect({ kubeconfig, namespace, env: process.env }));
  const stop = new AbortController();
  const untilStop = AbortSignal.any([stop.signal, signal]);
  const background = [watchPods(namespace, recorder, observer, untilStop), observer.run(untilStop)];
  try {
    const endsAtMs = Date.now() + minutes * MINUTE_MS;
    await createSpread(pods, input);
    for (let leftMs = endsAtMs - Date.now(); leftMs > 0; leftMs = endsAtMs - Date.now()) {
      say(`${Math.ceil(leftMs / MINUTE_MS)} min to go, ${observer.predictions.length} predictions so far`);
      await sleep(Math.min(leftMs, MINUTE_MS), undefined, { signal });
    }
    const { predictions, failures } = observer;
    return { predictions, failures, recordings: recorder.recordings() };
  } finally {
    stop.abort();
    await Promise.all(background);
  }
}

/** A cluster may be older than the feature of a scenario, and refuse its pods. */
async function createSpread(
  pods: readonly PlannedPod[],
  { scenarios, namespace, say, signal }: RunInput,
): Promise<void> {
  for (const scenario of scenarios) {
    const ofScenario = pods.filter((pod) => pod.scenario === scenario);
    const refused = (error: Error) => say(`Without ${scenario.name}: ${error.message}`);
    await createPods(ofScenario, namespace).catch(refused);
    await sleep(SPREAD_MS, undefined, { signal });
  }
}

async function watchPods(
  namespace: string,
  recorder: Recorder,
  observer: Observer,
  signal: AbortSignal,
): Promise<void> {
  const nodeEvents = ["events", "--namespace=default", "--field-selector=involvedObject.kind=Node"];
  await Promise.all([
    watch(
      ["get", "pods", `--namespace=${namespace}`],
      (event) => {
        const atMs = Date.now();
        if (recorder.note("Pod", event, atMs)) observer.note(toPodSnapshot(event.object), atMs);
      },
      signal,
    ),
    watch(["get", "events", `--namespace=${namespace}`], (event) => recorder.note("Event", event, Date.now()), signal),
    watch(["get", ...nodeEvents], (event) => recorder.note("Event", event, Date.now()), signal),
  ]);
}
