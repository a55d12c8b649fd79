import type { Connection } from "../connection/connection.ts";
import { sleep, type Timers } from "../connection/timers.ts";
import { at, textOf } from "../objects/untrusted.ts";
import { type NodeConfig, type NodeObservation, observeNode } from "../pods/observe-node.ts";
import type { WatchHandler } from "./object-watch.ts";
import { watchWhileAllowed } from "./watch-objects.ts";
import { isPassing, Pause } from "./watch-retry.ts";

/** The node and its kubelet's configuration change rarely: the program reads them again after this time, or for a reason. */
const REFRESH_MS = 180_000;
/** The time instead of REFRESH_MS after an incomplete answer: a kubelet that restarts answers again soon. */
const RETRY_MS = 30_000;
/** The shortest pause, however many reasons there are. */
const LEAST_GAP_MS = 10_000;

interface NodeRequest {
  readonly name: string;
  readonly nodeConfig: NodeConfig;
  /** The node from an earlier observation; null if there is none. */
  readonly known: NodeObservation | null;
}

/** Reads a node again every few minutes, after a restart of its kubelet, and after `askSoon`. */
export class NodeWatch {
  readonly #connection: Connection;
  readonly #request: NodeRequest;
  readonly #onNode: (node: NodeObservation) => void;
  readonly #timers: Timers;
  #known: NodeObservation | null;
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

  /** Reads the node again now, or 10 s after the last time. */
  askSoon(): void {
    this.#pause.cutShort();
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#refresh(signal), this.#watchEvents(signal)]);
  }

  async #refresh(signal: AbortSignal): Promise<void> {
    // The node may have changed while this machine slept.
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

  /** Learns of a kubelet's restart immediately; without the right to see events, at the next turn. */
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
    await watchWhileAllowed(this.#connection, source, handler, this.#timers, signal);
  }
}

/** "Starting kubelet." (pkg/kubelet/kubelet.go, v1.37.1); kube-proxy's event has the same reason, but another message. */
function isKubeletStart(event: unknown): boolean {
  return at(event, "reason") === "Starting" && (textOf(at(event, "message")) ?? "").includes("kubelet");
}

function isComplete({ missing }: NodeObservation): boolean {
  return missing.every(({ why }) => !isTransient(why));
}

function isTransient(why: string): boolean {
  return why === "timeout" || why === "unreachable";
}

/** Keeps the last known values if the program could not read them this time for a passing cause. */
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
