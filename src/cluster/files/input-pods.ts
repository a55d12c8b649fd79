import { UserError } from "../../errors.ts";
import { podKey } from "../../explain/observed/lookups.ts";
import type { PodSnapshot } from "../../explain/observed/observation.ts";
import type { JsonObject } from "../objects/json-access.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { oldestFirst } from "../objects/versions.ts";
import type { InputObject } from "./input-objects.ts";

interface PodVersion {
  readonly raw: JsonObject;
  readonly pod: PodSnapshot;
}

export interface InputPod extends PodVersion {
  readonly earlier: readonly PodVersion[];
}

export function podsOf(objects: readonly InputObject[], onNote: (sentence: string) => void): readonly InputPod[] {
  const versions = objects.map(({ raw }) => ({ raw, pod: toPodSnapshot(raw) }));
  return [...Map.groupBy(versions, ({ pod }) => podKey(pod))].flatMap(([key, ofName]) => {
    const byUid = [...Map.groupBy(ofName, ({ pod }) => pod.uid).values()];
    const [current = [], ...predecessors] = byUid.reverse().sort(lastCreatedFirst);
    if (predecessors.length > 0)
      onNote(`Left out an older pod that was called ${key} too: the newest one has the name.`);
    const earlier = [...oldestFirst(current)];
    const newest = earlier.pop();
    return newest === undefined ? [] : [{ ...newest, earlier }];
  });
}

function lastCreatedFirst(a: readonly PodVersion[], b: readonly PodVersion[]): number {
  return (b[0]?.pod.createdAtMs ?? 0) - (a[0]?.pod.createdAtMs ?? 0);
}

export function selectPods(
  pods: readonly InputPod[],
  namespace: string | null,
  name: string | null,
): readonly InputPod[] {
  const isMeant = ({ pod }: InputPod): boolean =>
    pod.name === (name ?? pod.name) && pod.namespace === (namespace ?? pod.namespace);
  const selected = pods.filter(isMeant);
  if (selected.length > 0) return selected;
  const keys = pods.map(({ pod }) => podKey(pod));
  if (name === null) throw new UserError("namespaceNotInInput", namespace ?? "", keys);
  throw new UserError("podNotInInput", namespace === null ? name : `${namespace}/${name}`, keys);
}
