import type { KubeletConfig, Missing } from "../../explain/observed/observation.ts";
import { toKubeletConfig, toNodeSnapshot } from "../objects/node.ts";
import { nameOf } from "../objects/owner-reference.ts";
import { missing, type NodeObservation } from "../pods/observe-node.ts";
import type { InputEvents } from "./input-events.ts";
import type { InputObject } from "./input-objects.ts";

interface FoundConfig extends InputObject {
  readonly config: KubeletConfig;
}

export class InputNodes {
  readonly #nodes: ReadonlyMap<string, InputObject>;
  readonly #configs: readonly FoundConfig[];
  readonly #events: InputEvents;

  constructor(nodes: readonly InputObject[], configs: readonly InputObject[], events: InputEvents) {
    this.#nodes = new Map(nodes.map((node) => [nameOf(node.raw), node]));
    this.#configs = configs.flatMap((found) => {
      const config = toKubeletConfig(found.raw);
      return config === null ? [] : [{ ...found, config }];
    });
    this.#events = events;
  }

  /** Observes the node of this name; null for a pod without a node, which gets only the kubelet configuration. */
  observe(name: string | null): NodeObservation {
    const found = name === null ? undefined : this.#nodes.get(name);
    const events = name === null ? { events: [], objects: [] } : this.#events.ofNode(name);
    const config = this.#configBeside(found);
    const isKnown = typeof config !== "string";
    return {
      node: found === undefined ? null : toNodeSnapshot(found.raw),
      nodeEvents: events.events,
      kubeletConfig: isKnown ? config.config : null,
      objects: [...(found === undefined ? [] : [found]), ...events.objects, ...(isKnown ? [config] : [])],
      missing: [
        ...missing("node", name === null || found !== undefined ? null : "not-in-input"),
        ...missing("node-events", name === null || this.#events.anyOfNodes ? null : "not-in-input"),
        ...missing("node-config", name === null || isKnown ? null : config),
      ],
    };
  }

  /**
   * Returns the configuration of a node's kubelet, or why there is none. A configuration does not name its node, so the
   * program infers it: the only one in the input, else the only one in the Node's folder. Equal ones count as one.
   */
  #configBeside(node: InputObject | undefined): FoundConfig | Missing["why"] {
    if (this.#configs.length === 0) return "not-in-input";
    const nearby = this.#configs.filter(({ folder }) => folder === node?.folder);
    return onlyOne(this.#configs) ?? onlyOne(nearby) ?? "ambiguous";
  }
}

function onlyOne(found: readonly FoundConfig[]): FoundConfig | null {
  const [first, ...others] = found;
  if (first === undefined) return null;
  const same = JSON.stringify(first.config);
  return others.every(({ config }) => JSON.stringify(config) === same) ? first : null;
}
