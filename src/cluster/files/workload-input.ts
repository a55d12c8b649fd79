import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { at } from "../objects/untrusted.ts";
import { newestOfEach } from "../objects/versions.ts";
import type { ObjectKind } from "../objects/workload-kinds.ts";
import { notInInput, type ObjectSource, type RawObject } from "../owners/workload-source.ts";
import type { InputObject } from "./input-objects.ts";
import type { InputPod } from "./input-pods.ts";

/** The workloads, revisions and pods of an input. What is not there is missing, and nobody's fault. */
export function inputSource(objects: readonly InputObject[], pods: readonly InputPod[]): ObjectSource {
  const keyOf = ({ kind, raw }: InputObject): string => JSON.stringify([kind, namespaceOf(raw), nameOf(raw)]);
  const newest = newestOfEach(objects, keyOf).filter(({ deleted }) => !deleted);
  const byKind = Map.groupBy(newest, ({ kind }) => kind);
  const all = (kind: ObjectKind, namespace: string | null): readonly RawObject[] => {
    const found = kind === "Pod" ? pods : (byKind.get(kind) ?? []);
    return found
      .map(({ raw }) => raw as RawObject)
      .filter((raw) => namespace === null || namespaceOf(raw) === namespace);
  };
  return {
    get: async (kind, namespace, name) => {
      const value = all(kind, namespace).find((raw) => nameOf(raw) === name);
      return value === undefined ? notInInput() : { value, why: null };
    },
    list: async (kind, namespace, selector) => {
      const found = all(kind, namespace);
      const matching =
        selector === null ? found : found.filter((raw) => selector.matches(at(raw, "metadata", "labels")));
      return { value: matching, why: null };
    },
  };
}
