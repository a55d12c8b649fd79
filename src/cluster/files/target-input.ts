import { UserError } from "../../errors.ts";
import type { AskedJob } from "../../explain/observed/observation.ts";
import { nearestNames } from "../api/nearest-names.ts";
import { parseSelector } from "../api/target-selector.ts";
import { inNamespace, noMatchSentence, type Target, targetsIn } from "../api/target-words.ts";
import { at } from "../objects/json-access.ts";
import { controllerOf, inferredParent, nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { toAskedJob } from "../objects/workload.ts";
import { podsOfWorkload } from "../owners/workload-pods.ts";
import type { ObjectSource, RawObject } from "../owners/workload-source.ts";
import { PodChoice, type PodOrder } from "../pods/target-choice.ts";
import type { TargetsObservation, TargetsRequest } from "../pods/target-observe.ts";
import { hasFailed, noPodsSentence } from "../pods/target-resolve.ts";
import { type InputPod, selectPods } from "./input-pods.ts";
import { type InputPods, observeFiles, type ReadFilesOptions } from "./read-files.ts";

export interface InputTargets
  extends Omit<ReadFilesOptions, "choose">,
    Pick<TargetsRequest, "words" | "selector" | "allNamespaces" | "mostPods"> {
  readonly namespace?: string | undefined;
  /** Whether to add the failed Jobs among the selected objects. Those of named workloads are added in any case. */
  readonly withJobs?: boolean | undefined;
}

/**
 * Observes the pods in files that the user means. If the input lacks a workload that the user names, infers its pods
 * from the names of their owners.
 */
export async function observeTargetsInFiles(options: InputTargets): Promise<TargetsObservation> {
  const choice = new PodChoice(options.mostPods);
  const failures: UserError[] = [];
  const notes: string[] = [];
  const jobs: AskedJob[] = [];
  const onJob = (job: AskedJob): unknown => jobs.push(job);
  const choose = async (input: InputPods): Promise<readonly InputPod[]> => {
    const byRaw = new Map(input.pods.map((pod) => [pod.raw, pod]));
    const onPod = (raw: RawObject, order: PodOrder): void => choice.add(raw, order, input.atMs);
    await resolve({ ...input, onPod, onJob, failures, notes }, options);
    return choice.chosen().flatMap(({ raw }) => byRaw.get(raw) ?? []);
  };
  const needsNoPod = async (source: ObjectSource): Promise<boolean> =>
    asksForJobs(options) && (await failedJobsIn(source, null, undefined)).length > 0;
  const observation = await observeFiles({ ...options, choose, needsNoPod });
  const asked = { ...observation, ...(jobs.length > 0 && { jobs }) };
  return { observation: asked, selection: choice.selection(), failures, notes };
}

interface Search extends InputPods {
  onPod(raw: RawObject, order: PodOrder): void;
  onJob(job: AskedJob): void;
  readonly failures: UserError[];
  readonly notes: string[];
}

async function resolve(search: Search, options: InputTargets): Promise<void> {
  const { words, selector, allNamespaces, namespace, withJobs = false } = options;
  const { pods, failures, notes } = search;
  const isNamespace = (prefix: string): boolean => pods.some(({ pod }) => pod.namespace === prefix);
  const { targets, kind } = targetsIn(words, { isSelecting: true, isNamespace });
  if (targets.length > 0 && selector !== undefined) throw new UserError("namesAndSelector");
  const scope = allNamespaces ? undefined : namespace;
  if (targets.length === 0 && kind === "Pod") {
    if (withJobs) for (const job of await failedJobsIn(search.source, scope ?? null, selector)) search.onJob(job);
    if (pods.length > 0) bySelector(search, scope, selector);
    return;
  }
  const workloads = targets.length > 0 ? targets : await workloadsIn(search, kind, scope, selector);
  if (workloads.length === 0) notes.push(noMatchSentence(kind, selector ?? null, inInput(scope)));
  for (const [index, target] of workloads.entries()) {
    try {
      await byName(search, target, index, scope);
    } catch (error) {
      if (!(error instanceof UserError) || workloads.length === 1) throw error;
      failures.push(error);
    }
  }
}

function bySelector({ pods, onPod, notes }: Search, namespace: string | undefined, selector: string | undefined): void {
  const { matches, text } = parseSelector(selector ?? "");
  const found = selectPods(pods, namespace, undefined).filter(({ raw }) => matches(at(raw, "metadata", "labels")));
  if (found.length === 0) notes.push(noMatchSentence("Pod", text, inInput(namespace)));
  for (const { raw } of found) onPod(raw, { target: 0, rank: 0, isNamed: false });
}

function inInput(namespace: string | undefined): string {
  return namespace === undefined ? "in the input" : `${inNamespace(namespace)} of the input`;
}

function asksForJobs({ words, withJobs = false }: InputTargets): boolean {
  const { targets, kind } = targetsIn(words, { isSelecting: true, isNamespace: () => false });
  return withJobs || [kind, ...targets.map((target) => target.kind)].some((one) => one === "Job" || one === "CronJob");
}

async function failedJobsIn(source: ObjectSource, namespace: string | null, selector: string | undefined) {
  const found = await source.list("Job", namespace, parseSelector(selector ?? ""));
  return (found.value ?? []).map((raw) => toAskedJob(raw, 0)).filter(hasFailed);
}

async function workloadsIn(
  { source }: Search,
  kind: Target["kind"],
  namespace: string | undefined,
  selector: string | undefined,
): Promise<readonly Target[]> {
  const found = await source.list(kind, namespace ?? null, parseSelector(selector ?? ""));
  return (found.value ?? []).map((raw) => ({ kind, name: nameOf(raw), namespace: namespaceOf(raw) }));
}

/**
 * Adds the pods and the failed Jobs of a target to `search`. Throws a UserError if the input has neither the target nor
 * a pod of it.
 */
async function byName(search: Search, target: Target, index: number, scope: string | undefined): Promise<void> {
  const { pods, source, onPod, onJob, notes } = search;
  const { kind, name, namespace = scope } = target;
  if (kind === "Pod") {
    for (const { raw } of selectPods(pods, namespace, name)) onPod(raw, { target: index, rank: 0, isNamed: true });
    return;
  }
  const result = await podsOfWorkload(source, kind, name, namespace ?? null);
  if (result.why !== null) throw new UserError("workloadNotInInput", kind.toLowerCase(), name, ownersLike(name, pods));
  for (const { raw, rank } of result.pods) onPod(raw, { target: index, rank, isNamed: false });
  const failed = (result.jobs ?? []).filter(hasFailed);
  for (const job of failed) onJob(job);
  if (result.pods.length === 0 && failed.length === 0)
    notes.push(await noPodsSentence(source, kind, name, namespace ?? null));
  notes.push(...result.notes);
}

/** Returns the pods' owners, e.g. "deployment/api": those with a similar name, or all if no name is similar. */
function ownersLike(name: string, pods: readonly InputPod[]): readonly string[] {
  const owners = pods.flatMap(({ raw }) => {
    const controller = controllerOf(raw);
    return controller === null ? [] : [inferredParent(raw, controller) ?? controller];
  });
  const names = nearestNames(name, [...new Set(owners.map((owner) => owner.name))]);
  const like = names.length === 0 ? owners : owners.filter((owner) => names.includes(owner.name));
  return [...new Set(like.map((owner) => `${owner.kind.toLowerCase()}/${owner.name}`))];
}
