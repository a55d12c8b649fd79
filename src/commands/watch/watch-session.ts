import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { NodeConfig } from "../../cluster/pods/observe-node.ts";
import { type PodNews, PodWatch } from "../../cluster/watch/watch-pod.ts";
import type { Explanation, PodExplanation } from "../../explain/answer/explanation.ts";
import { deleted, type WaitCondition, type WaitState } from "../../explain/follow/wait-for.ts";
import { withEvents, withNode, withPod } from "../../explain/follow/watch-history.ts";
import { followPredictions, NO_PREDICTIONS, type Predictions } from "../../explain/follow/watch-predictions.ts";
import type { PodObservation } from "../../explain/observed/observation.ts";
import { explainWithOwners } from "../../explain/owners/owner-explanation.ts";
import type { PolicyOverrides } from "../../explain/replay/policy-of-pod.ts";
import type { ConnectionLoss, LiveFrame } from "../../render/watch/live.ts";
import { withOneContainer } from "../base/one-container.ts";
import type { OnePod } from "../base/one-pod-command.ts";
import { FramePace, WatchTime } from "./watch-pace.ts";

export interface Frame extends LiveFrame {
  readonly observed: PodObservation;
  /** When the API server last sent something, or else when the watch began. */
  readonly heardAtMs: number;
}

export interface SessionRequest extends Pick<OnePod, "observation" | "first"> {
  readonly nodeConfig: NodeConfig;
  readonly followsOwners?: boolean;
  readonly kubelet: PolicyOverrides;
  readonly kubectlFlags?: readonly string[];
  readonly container?: string | undefined;
  /** If set, the session's `connection` must be `time.connection` or send its requests through `time.connection`. */
  readonly time?: WatchTime;
}

export function waitedFor({ explanation, observed, end }: Frame, condition: WaitCondition): WaitState {
  if (end !== null)
    return deleted(end === "replaced" ? "it is gone, and another pod has its name" : "it has been deleted");
  return condition({ observed, explained: podOf(explanation), atMs: explanation.atMs });
}

export function podOf({ pods: [pod] }: Explanation): PodExplanation {
  if (pod === undefined) throw new Error("a frame without a pod");
  return pod;
}

/** Assumed: when the session is made, the API server's first answer is at most this old. */
const MOST_AGE_OF_FIRST_ANSWER_MS = 2_000;

export class WatchSession {
  readonly #request: SessionRequest;
  readonly #time: WatchTime;
  readonly #pace: FramePace;
  readonly #watch: PodWatch;
  #observed: PodObservation;
  #explained: { readonly observed: PodObservation; readonly explanation: Explanation } | null = null;
  #predictions: Predictions = NO_PREDICTIONS;
  #overdue = 0;
  #connectionLoss: ConnectionLoss | null = null;
  #end: LiveFrame["end"] = null;

  constructor(connection: Connection, request: SessionRequest, timers: Timers, tickMs?: number) {
    this.#request = request;
    this.#time = request.time ?? new WatchTime(connection, timers);
    this.#pace = new FramePace(timers, () => this.#time.nowMs(), tickMs);
    this.#observed = request.first;
    const { atMs, atBasis } = request.observation;
    const localMs = timers.nowMs();
    if (atBasis === "server-clock") this.#time.clock.heard(atMs, localMs - MOST_AGE_OF_FIRST_ANSWER_MS, localMs);
    this.#watch = new PodWatch(
      request.time === undefined ? this.#time.connection : connection,
      request,
      (news) => this.#take(news),
      timers,
    );
  }

  end(): void {
    this.#watch.end();
    this.#pace.end();
  }

  checkServer(): void {
    void this.#time.checkServer();
  }

  /** The first frame needs no request. */
  async *frames(): AsyncGenerator<Frame> {
    yield this.#frame();
    try {
      for await (const _ of this.#pace.turns(this.#watch.run())) {
        const frame = this.#frame();
        yield frame;
        if (frame.end !== null) return;
      }
    } finally {
      this.#watch.end();
    }
  }

  #take(news: PodNews): void {
    if (news.kind === "pod") this.#observed = withPod(this.#observed, news.pod);
    if (news.kind === "events") this.#observed = withEvents(this.#observed, news.events);
    if (news.kind === "node") this.#observed = withNode(this.#observed, news.node);
    if (news.kind === "owners") this.#observed = { ...this.#observed, owners: news.owners };
    if (news.kind === "gone") this.#end = news.how;
    // A loss of the connection is usually shown only after some seconds, so the next tick is soon enough.
    if (news.kind === "connection-changed")
      this.#connectionLoss = this.#time.lossAfter(this.#connectionLoss, news.failure, news.sinceLocalMs);
    else this.#pace.news();
  }

  #frame(): Frame {
    const observed = this.#observed;
    const explanation = this.#explain(observed);
    const [pod] = explanation.pods;
    if (pod !== undefined) this.#check(followPredictions(this.#predictions, pod, explanation.atMs), explanation.atMs);
    const { atMs: nowMs } = this.#time.now();
    const { heardAtMs } = this.#time;
    const shown = { predictions: this.#predictions, connectionLoss: this.#connectionLoss, end: this.#end };
    return { explanation, observed, nowMs, heardAtMs, ...shown };
  }

  /** Returns the last explanation while the program may have missed a restart. */
  #explain(observed: PodObservation): Explanation {
    const now = this.#time.now();
    const last = this.#explained;
    if (last?.observed === observed && last.explanation.atMs === now.atMs) return last.explanation;
    const { kubelet, container, kubectlFlags = [] } = this.#request;
    const observation = { ...now, pods: [observed] };
    const explanation = withOneContainer(
      explainWithOwners(observation, kubelet, { container, kubectlFlags }),
      container,
    );
    const overdue = explanation.pods.flatMap(({ containers }) => containers.map((one) => one.overdue));
    if (last !== null && !this.#time.hasHeardSince(overdue, this.#connectionLoss)) return last.explanation;
    this.#explained = { observed, explanation };
    return explanation;
  }

  /**
   * Reads the node again if a predicted window has ended without a start, or if a start came outside of its window,
   * because the kubelet may have been restarted.
   */
  #check(predictions: Predictions, atMs: number): void {
    const overdue = ({ pending }: Predictions): number =>
      pending.filter(({ window }) => window.likelyByMs < atMs).length;
    const isPuzzled = predictions.missed > this.#predictions.missed || overdue(predictions) > this.#overdue;
    this.#overdue = overdue(predictions);
    this.#predictions = predictions;
    if (isPuzzled) this.#watch.rereadNode();
  }
}
