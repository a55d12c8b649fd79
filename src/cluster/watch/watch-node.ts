import type { Connection } from "../connection/connection.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { type NodeConfig, type NodeObservation, observeNode } from "../pods/observe-node.ts";
import { watchObjects } from "./watch-objects.ts";
import { isPassing, nothingElse, Pause, whileAllowed } from "./watch-retry.ts";
import type { WatchHandler } from "./watch-thread.ts";

/** The node and its kubelet's configuration change rarely: they are read again after this time, or when there is a reason to. */
const REFRESH_MS = 180_000;
/** The same while something of it could not be had: a kubelet that restarts answers again soon. */
const RETRY_MS = 30_000;
/** However many reasons there are, not more often than this. */
const LEAST_GAP_MS = 10_000;

interface NodeRequest {
  readonly name: string;
  readonly nodeConfig: NodeConfig;
  /** What is known of it already; null if it was not asked yet. */
  readonly known: NodeObservation | null;
}

/** Keeps what is known of a node fresh: asks again every few minutes, when its kubelet has restarted, and when told to. */
export class NodeWatch {
  readonly #connection: Connection;
  readonly #request: NodeRequest;
  readonly #onNode: (node: NodeObservation) => void;
  readonly #timers: Timers;
  #known: NodeObservation | null;
  /** Whether all of it was to be had the last time. */
  #isComplete: boolean;
  readonly #pause = new Pause();

  constructor(connection: Connection, request: NodeRequest, onNode: (node: NodeObservation) => void, timers: Timers) {
    this.#connection = connection;
    this.#request = request;
    this.#onNode = onNode;
    this.#timers = timers;
    this.#known = request.known;
    this.#isComplete = request.known !== null && isComplete(request.known);
  }

  /** There is a reason to look at the node before its turn. */
  askSoon(): void {
    this.#pause.cutShort();
  }

  /** Until `signal` ends it. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#refresh(signal), this.#watchEvents(signal)]);
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    // After a machine's sleep of hours nothing is as it was.
    const forgetJumps = this.#timers.onJump?.(() => this.askSoon());
    try {
      if (this.#known === null) await this.#ask(signal);
      while (!signal.aborted) {
        await this.#pause.wait(this.#timers, this.#isComplete ? REFRESH_MS : RETRY_MS, signal);
        await this.#ask(signal);
        await sleep(this.#timers, LEAST_GAP_MS, signal);
      }
    } finally {
      forgetJumps?.();
    }
  }

  async #ask(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { name, nodeConfig } = this.#request;
    try {
      const node = await observeNode(this.#connection, name, nodeConfig);
      if (signal.aborted) return;
      this.#isComplete = isComplete(node);
      this.#known = keepingKnown(node, this.#known);
      this.#onNode(this.#known);
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#isComplete = false;
    }
  }

  /** Its events tell at once that the kubelet has started anew; who may not see them learns of it at the next turn. */
  async #watchEvents(signal: AbortSignal): Promise<void> {
    const fieldSelector = `involvedObject.kind=Node,involvedObject.name=${this.#request.name}`;
    let isFirst = true;
    const handler: WatchHandler = {
      listed: () => {
        if (!isFirst) this.askSoon();
        isFirst = false;
      },
      changed: (event) => {
        if (isKubeletStart(event)) this.askSoon();
      },
      deleted: () => {},
      trouble: () => {},
    };
    const source = { path: "/api/v1/namespaces/default/events", fieldSelector };
    const watch = () => watchObjects(this.#connection, source, handler, this.#timers, signal);
    await whileAllowed(watch, nothingElse, this.#timers, signal);
  }
}

/** "Starting kubelet." (pkg/kubelet/kubelet.go, v1.37.1); kube-proxy's event of the same reason says otherwise. */
function isKubeletStart(event: unknown): boolean {
  return at(event, "reason") === "Starting" && (textOf(at(event, "message")) ?? "").includes("kubelet");
}

function isComplete({ missing }: NodeObservation): boolean {
  return missing.every(({ why }) => !isTransient(why));
}

function isTransient(why: string): boolean {
  return why === "timeout" || why === "unreachable";
}

/** What could not be read this time is still as true as it was the last time. */
function keepingKnown(fresh: NodeObservation, known: NodeObservation | null): NodeObservation {
  if (known === null) return fresh;
  const isKept = (what: string): boolean =>
    fresh.missing.some((item) => item.what === what && isTransient(item.why)) &&
    !known.missing.some((item) => item.what === what);
  return {
    node: isKept("node") ? known.node : fresh.node,
    nodeEvents: isKept("node-events") ? known.nodeEvents : fresh.nodeEvents,
    kubeletConfig: isKept("node-config") ? known.kubeletConfig : fresh.kubeletConfig,
    missing: fresh.missing.filter(({ what }) => !isKept(what)),
  };
}
