import { eventsAbout } from "../api/list-events.ts";
import { sleep } from "../connection/timers.ts";
import { at, textOf } from "../objects/json-access.ts";
import { type NodeConfig, type NodeObservation, observeNode } from "../pods/observe-node.ts";
import type { WatchHandler } from "./object-watch.ts";
import { watchObjects } from "./watch-objects.ts";
import { isRetryable, Pause, REREAD_INCOMPLETE_MS, REREAD_MS, type Watching, whileAllowed } from "./watch-retry.ts";

/** The minimum pause after each read of the node. `rereadSoon` does not shorten this pause. */
const LEAST_GAP_MS = 10_000;

interface NodeRequest {
  readonly name: string;
  readonly nodeConfig: NodeConfig;
  readonly known: NodeObservation | null;
  readonly onNode: (node: NodeObservation) => void;
}

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

  rereadSoon(): void {
    this.#pause.cutShort();
  }

  async run(): Promise<void> {
    await Promise.all([this.#refresh(), this.#watchEvents()]);
  }

  async #refresh(): Promise<void> {
    const { timers, signal } = this.#on;
    // The node may have changed while this machine slept.
    const forgetJumps = timers.onJump?.(() => this.rereadSoon());
    try {
      let isDue = this.#known === null;
      while (!signal.aborted) {
        if (!isDue) await this.#pause.wait(this.#isComplete ? REREAD_MS : REREAD_INCOMPLETE_MS, this.#on);
        await this.#read();
        isDue = false;
        await sleep(timers, LEAST_GAP_MS, signal);
      }
    } finally {
      forgetJumps?.();
    }
  }

  async #read(): Promise<void> {
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
      if (!isRetryable(error)) throw error;
      this.#isComplete = false;
    }
  }

  async #watchEvents(): Promise<void> {
    let isFirst = true;
    const handler: WatchHandler = {
      listed: () => {
        // Before each list except the first, the watch may have missed a restart of the kubelet.
        if (!isFirst) this.rereadSoon();
        isFirst = false;
      },
      changed: (event) => {
        if (isKubeletStart(event)) this.rereadSoon();
      },
      deleted: () => {},
      connectionChanged: () => {},
    };
    const source = eventsAbout({ kind: "Node", name: this.#request.name, namespace: "default" });
    await whileAllowed(this.#on, () => watchObjects(this.#on, source, handler));
  }
}

/**
 * The kubelet's message is "Starting kubelet." (v1.37.1, pkg/kubelet/kubelet.go). An event of kube-proxy has the reason
 * "Starting", too.
 */
function isKubeletStart(event: unknown): boolean {
  return at(event, "reason") === "Starting" && (textOf(at(event, "message")) ?? "").includes("kubelet");
}

function isComplete({ missing }: NodeObservation): boolean {
  return missing.every(({ why }) => !isTransient(why));
}

function isTransient(why: string): boolean {
  return why === "timeout" || why === "unreachable";
}

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
