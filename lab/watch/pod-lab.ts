import type { Connection } from "../../src/cluster/connection/connection.ts";
import { toPodSnapshot } from "../../src/cluster/objects/pod.ts";
import { type PodNews, PodWatch } from "../../src/cluster/watch/watch-pod.ts";
import type { PodObservation } from "../../src/explain/observed/observation.ts";
import { aRawConfig, aRawNode, aRawPod } from "../../test/support/raw-objects.ts";
import { LAB_PATHS, LabApi } from "./api.ts";
import { VirtualTimers } from "./virtual-timers.ts";

export function firstOf(raw: unknown): PodObservation {
  const nothing = { earlier: [], events: [], node: null, nodeEvents: [], kubeletConfig: null, missing: [] };
  return { ...nothing, pod: toPodSnapshot(raw) };
}

export class PodLab {
  readonly timers: VirtualTimers;
  readonly api: LabApi;
  readonly news: PodNews[] = [];

  constructor(seed = 1) {
    this.timers = new VirtualTimers(seed);
    this.api = new LabApi(this.timers);
    this.put(LAB_PATHS.pods, aRawPod());
    this.put(LAB_PATHS.nodes, aRawNode());
    this.api.on(LAB_PATHS.config, aRawConfig());
  }

  put(path: string, raw: object): void {
    this.api.put(path, raw);
  }

  watch(
    raw: object = aRawPod(),
    connection: Connection = this.api.connection(),
    nodeConfig: "auto" | "never" = "auto",
  ) {
    const request = { first: firstOf(raw), nodeConfig };
    const pod = new PodWatch(connection, request, (one) => void this.news.push(one), this.timers);
    return { pod, ended: pod.run() };
  }

  told<K extends PodNews["kind"]>(kind: K): Extract<PodNews, { kind: K }>[] {
    return this.news.filter((one): one is Extract<PodNews, { kind: K }> => one.kind === kind);
  }

  asked(path: string): number {
    return this.api.asked.filter((one) => one.path === path).length;
  }
}
