import { expect, it } from "vitest";
import { LAB_PATHS, LabApi } from "../../lab/watch/api.ts";
import { VirtualTimers } from "../../lab/watch/virtual-timers.ts";
import { NodeConfigs } from "../../src/cluster/list/list-node-configs.ts";
import type { ListedObservation } from "../../src/cluster/list/list-observe.ts";
import { aPod, observationOf } from "../support/builders.ts";
import { aRawConfig } from "../support/raw-objects.ts";

it("NodeConfigs adds configurations to a list that was longer before it started over", async () => {
  const api = new LabApi(new VirtualTimers());
  api.on(LAB_PATHS.config, aRawConfig());
  const part = (count: number, startsOver: boolean): ListedObservation => {
    const { pods, ...moment } = observationOf(aPod(), { kubeletConfig: null });
    const listed = { podsRead: count, all: [], up: 0, version: null };
    return { ...moment, ...listed, pods: Array.from({ length: count }, () => pods).flat(), startsOver };
  };
  async function* list(): AsyncGenerator<ListedObservation> {
    yield part(501, false);
    yield part(1, true);
  }
  const parts = await Array.fromAsync(new NodeConfigs(api.connection()).addedToParts(list()));
  expect(parts.map(({ pods }) => pods.length)).toEqual([501, 0, 1]);
  expect(parts.at(-1)?.pods[0]?.kubeletConfig).not.toBeNull();
});
