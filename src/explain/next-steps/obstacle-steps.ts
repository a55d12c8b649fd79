import type { NextStep } from "../answer/explanation.ts";
import type { Subject } from "./subject.ts";

/** The kinds of objects that a kubelet misses by name, in its words and in kubectl's. */
const MISSED: readonly { readonly words: RegExp; readonly type: string }[] = [
  { words: /\bconfigmap "[^"]+" not found/i, type: "configmaps" },
  { words: /\bsecret "[^"]+" not found/i, type: "secrets" },
  { words: /\bpersistentvolumeclaim "[^"]+" (is )?not found/i, type: "pvc" },
  { words: /\bserviceaccount "[^"]+" not found/i, type: "serviceaccounts" },
];

/** A key that a ConfigMap or Secret lacks ("couldn't find key url in ConfigMap shop/settings"). */
const LACKS_KEY = /couldn't find key \S+ in (?<kind>ConfigMap|Secret) [^\s/]+\/(?<name>[a-z0-9][a-z0-9.-]*)/;

/** The steps that tell more of what keeps a pod from starting than the answer does. */
export function obstacleSteps({ pod, container, commands }: Subject): NextStep[] {
  const obstacle = container?.obstacle ?? null;
  if (obstacle === null) return [];
  const { kind, message } = obstacle;
  if (kind === "node" && pod.node !== null) return [commands.describeNode(pod.node)];
  const lacking = LACKS_KEY.exec(message)?.groups;
  if (lacking !== undefined) {
    const { kind: type = "", name = "" } = lacking;
    // Of a Secret it shows the keys without their values.
    return [commands.read("see its keys", "describe", type.toLowerCase(), name)];
  }
  const type = MISSED.find(({ words }) => words.test(message))?.type;
  if (type !== undefined) return [commands.read(`list the ${type} there are`, "get", type)];
  return kind === "volume" || kind === "attach" ? [commands.read("see its claims", "get", "pvc")] : [];
}
