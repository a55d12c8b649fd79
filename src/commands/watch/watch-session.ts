import type { Connection } from "../../cluster/connection/connection.ts";
import type { Timers } from "../../cluster/connection/timers.ts";
import type { NodeConfig } from "../../cluster/pods/observe-node.ts";
import { keepingTime } from "../../cluster/watch/watch-clock.ts";
import { type PodNews, PodWatch } from "../../cluster/watch/watch-pod.ts";
import type { Explanation } from "../../explain/answer/explanation.ts";
import type { ExplainOptions } from "../../explain/explain.ts";
import { withEvents, withNode, withPod } from "../../explain/follow/watch-history.ts";
import { followPredictions, NO_PREDICTIONS, type Predictions } from "../../explain/follow/watch-predictions.ts";
import type { Observation, PodObservation } from "../../explain/observed/observation.ts";
import { explained } from "../../explain/owners/owner-explanation.ts";
import type { LiveFrame } from "../../render/watch/live.ts";
import { withOneContainer } from "../base/one-container.ts";
import { FramePace, WatchTime } from "./watch-pace.ts";

/** What a watch shows at one moment, and what that rests on. */
export interface Frame extends LiveFrame {
  readonly observed: PodObservation;
}

/** What to watch: the pod as it was first seen, and what is known of its kubelet. */
export interface SessionRequest {
  readonly observation: Observation;
  readonly first: PodObservation;
  readonly nodeConfig: NodeConfig;
  readonly followsOwners?: boolean;
  readonly kubelet: ExplainOptions;
  /** The flags by which the user has chosen the cluster. */
  readonly kubectlFlags?: readonly string[];
  /** Only this one is shown; undefined: all of them. */
  readonly container?: string | undefined;
  /** Is told what has been explained, whenever something of it is new. */
  readonly onExplained?: (observation: Observation, options: ExplainOptions) => void;
}

/** Frames follow one another at each whole second, so that a countdown counts. */
const TICK_MS = 1_000;
/** The first look at the pod was not longer ago; what comes next sets the clock to less than a second. */
const FIRST_LOOK_MS = 2_000;

/** One pod, watched: gathers the news of it, and explains it anew whenever there are any and once a second. */
export class WatchSession {
  readonly #request: SessionRequest;
  readonly #time: WatchTime;
  readonly #pace: FramePace;
  readonly #watch: PodWatch;
  #observed: PodObservation;
  #explained: { readonly observed: PodObservation; readonly explanation: Explanation } | null = null;
  #predictions: Predictions = NO_PREDICTIONS;
  #overdue = 0;
  #trouble: LiveFrame["trouble"] = null;
  #end: LiveFrame["end"] = null;
  #failure: { readonly error: unknown } | null = null;
  #isEnded = false;

  constructor(connection: Connection, request: SessionRequest, timers: Timers, tickMs = TICK_MS) {
    this.#request = request;
    this.#time = new WatchTime(timers);
    this.#pace = new FramePace(timers, () => this.#time.nowMs(), tickMs);
    this.#observed = request.first;
    const { atMs, atBasis } = request.observation;
    const localMs = timers.nowMs();
    if (atBasis === "server-clock") this.#time.clock.heard(atMs, localMs - FIRST_LOOK_MS, localMs);
    const timed = keepingTime(connection, this.#time.clock, () => timers.nowMs());
    this.#watch = new PodWatch(timed, request, (news) => this.#take(news), timers);
  }

  /** Stops at once, whatever is under way. */
  end(): void {
    this.#isEnded = true;
    this.#watch.end();
    this.#pace.end();
  }

  /**
   * Frame after frame, until the pod is gone (that is the last one) or `end` was called. The next one is made when the one
   * before has been dealt with, so that a slow reader gets fewer of them.
   */
  async *frames(): AsyncGenerator<Frame> {
    this.#watch.run().catch((error) => {
      this.#failure = { error };
      this.#pace.end();
    });
    try {
      while (!this.#isEnded) {
        if (this.#failure !== null) throw this.#failure.error;
        const frame = this.#frame();
        yield frame;
        if (frame.end !== null) return;
        await this.#pace.pause();
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
    if (news.kind === "trouble") {
      this.#trouble = this.#time.troubleAfter(this.#trouble, news.failure, news.sinceLocalMs);
    }
    // Trouble is shown only once it has lasted, and most of it is over by then.
    if (news.kind !== "trouble") this.#pace.news();
  }

  #frame(): Frame {
    this.#pace.framed();
    const observed = this.#observed;
    const explanation = this.#explain(observed);
    const [pod] = explanation.pods;
    if (pod !== undefined) this.#follow(followPredictions(this.#predictions, pod, explanation.atMs), explanation.atMs);
    return { explanation, observed, predictions: this.#predictions, trouble: this.#trouble, end: this.#end };
  }

  /** The connection may have changed and nothing else. */
  #explain(observed: PodObservation): Explanation {
    const now = this.#time.now();
    const last = this.#explained;
    if (last?.observed === observed && last.explanation.atMs === now.atMs) return last.explanation;
    const { kubelet, container, kubectlFlags = [], onExplained } = this.#request;
    const observation = { ...now, pods: [observed] };
    const explanation = withOneContainer(explained(observation, kubelet, { container, kubectlFlags }), container);
    if (last?.observed !== observed) onExplained?.(observation, kubelet);
    this.#explained = { observed, explanation };
    return explanation;
  }

  /** A start that is overdue, or that came when none was due, may have its reason on the node: a restart of its kubelet. */
  #follow(predictions: Predictions, atMs: number): void {
    const overdue = ({ pending }: Predictions): number =>
      pending.filter(({ window }) => window.likelyByMs < atMs).length;
    const isPuzzled = predictions.missed > this.#predictions.missed || overdue(predictions) > this.#overdue;
    this.#overdue = overdue(predictions);
    this.#predictions = predictions;
    if (isPuzzled) this.#watch.askNode();
  }
}
