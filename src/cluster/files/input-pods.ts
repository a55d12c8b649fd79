import { UserError } from "../../errors.ts";
import type { PodSnapshot } from "../../explain/observed/observation.ts";
import { toPodSnapshot } from "../objects/pod.ts";
import { oldestFirst } from "../objects/versions.ts";
import type { InputObject, SkippedObject } from "./input-objects.ts";

export interface InputPod {
  /** Its newest version, as it was read. */
  readonly raw: unknown;
  readonly pod: PodSnapshot;
  /** Older versions, oldest first. */
  readonly earlier: readonly PodVersion[];
}

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

function podKey(pod: PodSnapshot): string {
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

/** Which pods of an input are asked for; `pod` is `NAME`, `NAMESPACE/NAME` or `pod/NAME`. */
export interface PodSelection {
  readonly pod?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Those of `pods` that are asked for. Throws `UserError` podNotInInput, with the names that there are, if there is none. */
export function selectPods(pods: readonly InputPod[], asked: PodSelection): readonly InputPod[] {
  const { name, namespace } = parse(asked);
  const selected = pods.filter(
    ({ pod }) => pod.name === (name ?? pod.name) && pod.namespace === (namespace ?? pod.namespace),
  );
  if (selected.length > 0) return selected;
  const wanted = namespace === undefined ? name : `${namespace}/${name ?? "*"}`;
  throw new UserError(
    "podNotInInput",
    wanted ?? "*",
    pods.map(({ pod }) => podKey(pod)),
  );
}

/** kubectl's names for the type Pod are no namespaces here. */
function parse({ pod, namespace }: PodSelection): { name: string | undefined; namespace: string | undefined } {
  const slash = pod?.indexOf("/") ?? -1;
  if (pod === undefined || slash === -1) return { name: pod, namespace };
  const prefix = pod.slice(0, slash);
  const name = pod.slice(slash + 1);
  return { name, namespace: ["pod", "pods", "po"].includes(prefix) ? namespace : prefix };
}

interface Skipped {
  count: number;
  readonly sources: Set<string>;
}

/** Counts what is skipped and says it in one sentence per kind, in the order in which the kinds were met. */
export class SkippedObjects {
  readonly #byKind = new Map<string, Skipped>();

  add({ skipped }: SkippedObject, source: string): void {
    const entry = this.#byKind.get(skipped) ?? { count: 0, sources: new Set() };
    entry.count++;
    entry.sources.add(source);
    this.#byKind.set(skipped, entry);
  }

  sentences(): string[] {
    return [...this.#byKind].map(([skipped, { count, sources }]) => {
      const what = count === 1 ? skipped : skipped.replace(/\b(object|value)\b/, "$1s");
      const where = sources.size === 1 ? [...sources][0] : `${sources.size} files`;
      return `Skipped ${count} ${what} in ${where}: only Pod, Event, Node, kubelet configuration and workloads matter here.`;
    });
  }
}
