import type { KubeletConfig, Missing, NodeSnapshot } from "../../explain/observed/observation.ts";
import { toKubeletConfig, toNodeSnapshot } from "../objects/node.ts";
import { nameOf } from "../objects/owner-reference.ts";
import { newestOfEach } from "../objects/versions.ts";
import type { InputObject } from "./input-objects.ts";

interface FoundConfig {
  readonly folder: string;
  readonly config: KubeletConfig;
  readonly raw: unknown;
}

export class InputNodes {
  readonly #nodes: ReadonlyMap<string, InputObject>;
  readonly #configs: readonly FoundConfig[];

  constructor(nodes: readonly InputObject[], configs: readonly InputObject[]) {
    this.#nodes = new Map(newestOfEach(nodes, ({ raw }) => nameOf(raw)).map((node) => [nameOf(node.raw), node]));
    this.#configs = configs.flatMap(({ raw, folder }) => {
      const config = toKubeletConfig(raw);
      return config === null ? [] : [{ folder, config, raw }];
    });
  }

  node(name: string): { readonly node: NodeSnapshot; readonly raw: unknown } | null {
    const found = this.#nodes.get(name);
    return found === undefined ? null : { node: toNodeSnapshot(found.raw), raw: found.raw };
  }

  /**
   * The configuration of the node's kubelet, or why there is none. A configuration does not name its node, so this infers: the
   * only one in the input, else the only one in the same folder as the Node object. Equal configurations count as one.
   */
  kubeletConfig(nodeName: string | null): FoundConfig | Missing["why"] {
    if (this.#configs.length === 0) return "not-in-input";
    const folder = nodeName === null ? undefined : this.#nodes.get(nodeName)?.folder;
    const nearby = this.#configs.filter((found) => found.folder === folder);
    return onlyOne(this.#configs) ?? onlyOne(nearby) ?? "ambiguous";
  }
}

function onlyOne(found: readonly FoundConfig[]): FoundConfig | null {
  const [first, ...others] = found;
  if (first === undefined) return null;
  const same = JSON.stringify(first.config);
  return others.every(({ config }) => JSON.stringify(config) === same) ? first : null;
}
