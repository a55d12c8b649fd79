import { UserError } from "../../errors.ts";
import { type InputPod, podKey } from "./input-pods.ts";

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
