import { sleep } from "../connection/timers.ts";
import { at, textOf } from "../objects/json-access.ts";
import { type NodeConfig, type NodeObservation, observeNode } from "../pods/observe-node.ts";
import type { WatchHandler } from "./object-watch.ts";
import { watchObjects } from "./watch-objects.ts";
import { isPassing, Pause, REREAD_INCOMPLETE_MS, REREAD_MS, type Watching, whileAllowed } from "./watch-retry.ts";

/** The shortest pause between two reads, even if `askSoon` requests the second. */
const LEAST_GAP_MS = 10_000;

interface NodeRequest {
  readonly name: string;
  readonly nodeConfig: NodeConfig;
  readonly known: NodeObservation | null;
  readonly onNode: (node: NodeObservation) => void;
}

/** Reads a node again every few minutes, after a restart of its kubelet, and after `askSoon`. */
export class NodeWatch {
  readonly #on: Watching;
  readonly #request: NodeRequest;
  #known: NodeObservation | null;
  #isComplete: boolean;
  readonly #pause = new Pause();

  constructor(on: Watching, request: NodeRequest) {
    this.#on = on;
    this.#request = request;
    this.#known = request.known;
    this.#isComplete = request.known !== null && isComplete(request.known);
  }

  /** Reads the node again immediately, or 10 s after the last read if that is later. */
  askSoon(): void {
    this.#pause.cutShort();
  }

  async run(): Promise<void> {
    await Promise.all([this.#refresh(), this.#watchEvents()]);
  }

  async #refresh(): Promise<void> {
    const { timers, signal } = this.#on;
    // The node may have changed while this machine slept.
    const forgetJumps = timers.onJump?.(() => this.askSoon());
    try {
      if (this.#known === null) await this.#ask();
      while (!signal.aborted) {
        await this.#pause.wait(this.#isComplete ? REREAD_MS : REREAD_INCOMPLETE_MS, this.#on);
        await this.#ask();
        await sleep(timers, LEAST_GAP_MS, signal);
      }
    } finally {
      forgetJumps?.();
    }
  }

  async #ask(): Promise<void> {
    const { connection, signal } = this.#on;
    if (signal.aborted) return;
    const { name, nodeConfig, onNode } = this.#request;
    try {
      const node = await observeNode(connection, name, nodeConfig);
      if (signal.aborted) return;
      this.#isComplete = isComplete(node);
      this.#known = keepingKnown(node, this.#known);
      onNode(this.#known);
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#isComplete = false;
    }
  }

  /** Reads the node again after its kubelet has restarted. Misses restarts while the user may not watch events. */
  async #watchEvents(): Promise<void> {
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
      connectionChanged: () => {},
    };
    const source = { path: "/api/v1/namespaces/default/events", fieldSelector };
    await whileAllowed(this.#on, () => watchObjects(this.#on, source, handler));
  }
}

/** Matches "Starting kubelet." (pkg/kubelet/kubelet.go, v1.37.1). kube-proxy's event has another message. */
function isKubeletStart(event: unknown): boolean {
  return at(event, "reason") === "Starting" && (textOf(at(event, "message")) ?? "").includes("kubelet");
}

function isComplete({ missing }: NodeObservation): boolean {
  return missing.every(({ why }) => !isTransient(why));
}

function isTransient(why: string): boolean {
  return why === "timeout" || why === "unreachable";
}

/**
 * Returns `fresh`, but with the values of `known` for the parts that could not be read this time because of a timeout
 * or a lost connection.
 */
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
