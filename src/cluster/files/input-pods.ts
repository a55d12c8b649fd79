import type { PodSnapshot } from "../../explain/observed/observation.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { oldestFirst } from "../objects/versions.ts";
import type { InputObject } from "./input-objects.ts";

/** One pod of the input. */
export interface InputPod {
  /** Its newest version, as it was read. */
  readonly raw: unknown;
  readonly pod: PodSnapshot;
  /** Older versions, oldest first. */
  readonly earlier: readonly PodVersion[];
}

/** One version of a pod. */
interface PodVersion {
  readonly raw: unknown;
  readonly pod: PodSnapshot;
}

/**
 * The pods of an input, in the order in which their names appear. A namespace has a name only once: of several pods (uids)
 * under one name the one that was created last counts, and `onSkip` is told that there were others.
 */
export function podsOf(objects: readonly InputObject[], onSkip: (sentence: string) => void): readonly InputPod[] {
  const versions = objects.map(({ raw }) => ({ raw, pod: toPodSnapshot(raw) }));
  return [...Map.groupBy(versions, ({ pod }) => podKey(pod))].flatMap(([key, ofName]) => {
    const byUid = [...Map.groupBy(ofName, ({ pod }) => pod.uid).values()];
    const [current, ...predecessors] = byUid.reverse().sort(lastCreatedFirst);
    if (predecessors.length > 0)
      onSkip(`Left out an older pod that was called ${key} too: the newest one has the name.`);
    return current === undefined ? [] : inputPodOf(current);
  });
}

/** `NAMESPACE/NAME`. */
export function podKey(pod: PodSnapshot): string {
  return `${pod.namespace}/${pod.name}`;
}

function lastCreatedFirst(a: readonly PodVersion[], b: readonly PodVersion[]): number {
  return (b[0]?.pod.createdAtMs ?? 0) - (a[0]?.pod.createdAtMs ?? 0);
}

function inputPodOf(versions: readonly PodVersion[]): InputPod[] {
  const ordered = oldestFirst(versions);
  const newest = ordered.at(-1);
  return newest === undefined ? [] : [{ ...newest, earlier: ordered.slice(0, -1) }];
}
