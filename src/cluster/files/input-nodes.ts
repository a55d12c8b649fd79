import type { KubeletConfig, Missing } from "../../explain/observed/observation.ts";
import { toKubeletConfig, toNodeSnapshot } from "../objects/node.ts";
import { nameOf } from "../objects/owner-reference.ts";
import { missing, type NodeObservation } from "../pods/observe-node.ts";
import type { InputEvents } from "./input-events.ts";
import type { InputObject } from "./input-objects.ts";

interface FoundConfig extends InputObject {
  readonly config: KubeletConfig;
}

export function inputNodes(
  nodes: readonly InputObject[],
  configs: readonly InputObject[],
  events: InputEvents,
): (name: string | null) => NodeObservation {
  const byName = new Map(nodes.map((node) => [nameOf(node.raw), node]));
  const read = configs.flatMap((found) => {
    const config = toKubeletConfig(found.raw);
    return config === null ? [] : [{ ...found, config }];
  });
  return (name) => {
    const found = name === null ? undefined : byName.get(name);
    const own = name === null ? { events: [], objects: [] } : events.ofNode(name);
    const config = configBeside(found, read);
    const isKnown = typeof config !== "string";
    return {
      node: found === undefined ? null : toNodeSnapshot(found.raw),
      nodeEvents: own.events,
      kubeletConfig: isKnown ? config.config : null,
      objects: [...(found === undefined ? [] : [found]), ...own.objects, ...(isKnown ? [config] : [])],
      missing: [
        ...missing("node", name === null || found !== undefined ? null : "not-in-input"),
        ...missing("node-events", name === null || events.hasEventsOfNodes ? null : "not-in-input"),
        ...missing("node-config", name === null || isKnown ? null : config),
      ],
    };
  };
}

/**
 * A kubelet's configuration does not name the node. Assumed: if the input has only one configuration, or else if the
 * Node's folder has only one, this configuration is the node's. Equal configurations count as one.
 */
function configBeside(node: InputObject | undefined, configs: readonly FoundConfig[]): FoundConfig | Missing["why"] {
  if (configs.length === 0) return "not-in-input";
  const nearby = configs.filter(({ folder }) => folder === node?.folder);
  return onlyOne(configs) ?? onlyOne(nearby) ?? "ambiguous";
}

function onlyOne(found: readonly FoundConfig[]): FoundConfig | null {
  const [first, ...others] = found;
  if (first === undefined) return null;
  const same = JSON.stringify(first.config);
  return others.every(({ config }) => JSON.stringify(config) === same) ? first : null;
}
