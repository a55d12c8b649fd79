import { UserError } from "../../errors.ts";
import { nearestNames } from "../api/nearest-names.ts";
import { parseSelector } from "../api/target-selector.ts";
import { type Target, targetsIn } from "../api/target-words.ts";
import { controllerOf, inferredParent, nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { at } from "../objects/untrusted.ts";
import { podsOfWorkload } from "../owners/workload-pods.ts";
import type { ObjectSource, RawObject } from "../owners/workload-source.ts";
import { PodChoice, type PodOrder } from "../pods/target-choice.ts";
import type { TargetsObservation, TargetsRequest } from "../pods/target-observe.ts";
import { noPodsSentence } from "../pods/target-resolve.ts";
import { type InputPod, selectPods } from "./input-pods.ts";
import { type InputPods, observeFiles, type ReadFilesOptions } from "./read-files.ts";

export type InputTargets = Omit<ReadFilesOptions, "choose"> &
  Pick<TargetsRequest, "words" | "selector" | "allNamespaces" | "mostPods">;

/** The same as `observeTargets` of what is in files; pods belong to a workload as far as objects or names there tell. */
export async function observeTargetsInFiles(options: InputTargets): Promise<TargetsObservation> {
  const choice = new PodChoice(options.mostPods);
  const failures: UserError[] = [];
  const notes: string[] = [];
  const choose = async ({ pods, source, atMs }: InputPods): Promise<readonly InputPod[]> => {
    const byRaw = new Map(pods.map((pod) => [pod.raw, pod]));
    const onPod = (raw: unknown, order: PodOrder): void => choice.add(raw as RawObject, order, atMs);
    await resolve({ pods, source, atMs }, options, onPod, failures, notes);
    return choice.chosen().flatMap(({ raw }) => byRaw.get(raw) ?? []);
  };
  const observation = await observeFiles({ ...options, choose });
  return { observation, selection: choice.selection(), failures, notes };
}

type OnPod = (raw: unknown, order: PodOrder) => void;

async function resolve(
  { pods, source }: InputPods,
  { words, selector, allNamespaces, namespace }: InputTargets,
  onPod: OnPod,
  failures: UserError[],
  notes: string[],
): Promise<void> {
  const isNamespace = (prefix: string): boolean => pods.some(({ pod }) => pod.namespace === prefix);
  const { targets, kind } = targetsIn(words, { isSelecting: true, isNamespace });
  if (targets.length > 0 && selector !== undefined) throw new UserError("namesAndSelector");
  const scope = allNamespaces ? undefined : namespace;
  if (targets.length === 0 && kind === "Pod")
    return bySelector(selectPods(pods, { namespace: scope }), selector, onPod, notes);
  const workloads = targets.length > 0 ? targets : await workloadsIn(source, kind, scope, selector);
  if (workloads.length === 0) notes.push(`No ${kind.toLowerCase()}s in the input match.`);
  for (const [index, target] of workloads.entries()) {
    try {
      notes.push(
        ...(await byName(pods, source, target, scope, (raw, order) => onPod(raw, { ...order, target: index }))),
      );
    } catch (error) {
      if (!(error instanceof UserError) || workloads.length === 1) throw error;
      failures.push(error);
    }
  }
}

function bySelector(pods: readonly InputPod[], selector: string | undefined, onPod: OnPod, notes: string[]): void {
  const { matches, text } = parseSelector(selector ?? "");
  const found = pods.filter(({ raw }) => matches(at(raw, "metadata", "labels")));
  if (found.length === 0) notes.push(`No pods match ${JSON.stringify(text)} in the input.`);
  for (const { raw } of found) onPod(raw, { target: 0, rank: 0, isNamed: false });
}

async function workloadsIn(
  source: ObjectSource,
  kind: Target["kind"],
  namespace: string | undefined,
  selector: string | undefined,
): Promise<readonly Target[]> {
  const found = await source.list(kind, namespace ?? null, parseSelector(selector ?? ""));
  return (found.value ?? []).map((raw) => ({
    kind,
    name: nameOf(raw),
    namespace: namespaceOf(raw),
  }));
}

/** Notes on what is inferred. Throws a UserError if no pod is meant. */
async function byName(
  pods: readonly InputPod[],
  source: ObjectSource,
  { kind, name, namespace: own }: Target,
  scope: string | undefined,
  onPod: OnPod,
): Promise<readonly string[]> {
  const namespace = own ?? scope;
  if (kind === "Pod") {
    const found = selectPods(pods, { pod: name, namespace });
    for (const { raw } of found) onPod(raw, { target: 0, rank: 0, isNamed: true });
    return [];
  }
  const result = await podsOfWorkload(source, kind, name, namespace ?? null);
  if (result.why !== null) throw new UserError("workloadNotInInput", kind.toLowerCase(), name, ownersLike(name, pods));
  for (const { raw, rank } of result.pods) onPod(raw, { target: 0, rank, isNamed: false });
  if (result.pods.length > 0) return result.notes;
  return [await noPodsSentence(source, kind, name, namespace ?? null), ...result.notes];
}

/** The owners that the pods name, as targets; those of a similar name if there are any. */
function ownersLike(name: string, pods: readonly InputPod[]): readonly string[] {
  const owners = pods.flatMap(({ raw }) => {
    const controller = controllerOf(raw);
    if (controller === null) return [];
    return [inferredParent(raw as RawObject, controller) ?? controller];
  });
  const names = nearestNames(name, [...new Set(owners.map((owner) => owner.name))]);
  const like = names.length === 0 ? owners : owners.filter((owner) => names.includes(owner.name));
  return [...new Set(like.map((owner) => `${owner.kind.toLowerCase()}/${owner.name}`))];
}
