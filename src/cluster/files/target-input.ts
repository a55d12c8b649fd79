import { UserError } from "../../errors.ts";
import { nearestNames } from "../api/nearest-names.ts";
import { type LabelSelector, parseSelector } from "../api/target-selector.ts";
import {
  inNamespace,
  noMatchSentence,
  type Target,
  type TargetArguments,
  type TargetWords,
  targetsIn,
} from "../api/target-words.ts";
import { at } from "../objects/json-access.ts";
import { controllerOf, inferredParent, nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { toAskedJob } from "../objects/workload.ts";
import { jobHasFailed } from "../owners/workload-pods.ts";
import type { ObjectSource } from "../owners/workload-source.ts";
import { addWorkload, type FoundTargets, type TargetsObservation, targetsObservation } from "../pods/found-targets.ts";
import { PodChoice } from "../pods/target-choice.ts";
import type { TargetsRequest } from "../pods/target-observe.ts";
import { type InputPod, selectPods } from "./input-pods.ts";
import { noPodIn, type ReadFilesOptions, readInput } from "./read-files.ts";

export interface InputTargets extends ReadFilesOptions, TargetArguments, Pick<TargetsRequest, "mostPods"> {
  readonly namespace?: string | undefined;
  /** Whether to add failed Jobs if the user asks for pods and names none. */
  readonly withJobs?: boolean | undefined;
}

export async function observeTargetsInFiles(options: InputTargets): Promise<TargetsObservation> {
  const { pods, source, atMs, observe } = await readInput(options);
  const isNamespace = (prefix: string): boolean => pods.some(({ pod }) => pod.namespace === prefix);
  const asked = targetsIn(options.words, { mayLackName: true, isNamespace });
  const asksForJobs = options.withJobs === true || [asked, ...asked.targets].some(isJob);
  if (pods.length === 0 && !(asksForJobs && (await failedJobsIn(source, null, parseSelector(""))).length > 0))
    throw noPodIn(options);
  const found = { source, choice: new PodChoice(() => atMs, options.mostPods), failedJobs: [], notes: [] };
  const failures = await resolve({ ...found, pods }, asked, options);
  const byRaw = new Map(pods.map((pod) => [pod.raw, pod]));
  const chosen = found.choice.chosen().flatMap(({ raw }) => byRaw.get(raw) ?? []);
  return targetsObservation(found, await observe(chosen), failures);
}

interface Search extends FoundTargets {
  readonly pods: readonly InputPod[];
}

function isJob({ kind }: Pick<Target, "kind">): boolean {
  return kind === "Job" || kind === "CronJob";
}

async function resolve(
  search: Search,
  { targets, kind }: TargetWords,
  { selector, allNamespaces, namespace, withJobs = false }: InputTargets,
): Promise<readonly UserError[]> {
  const { pods, source, choice, failedJobs, notes } = search;
  const failures: UserError[] = [];
  if (targets.length > 0 && selector !== undefined) throw new UserError("namesAndSelector");
  const scope = allNamespaces ? null : (namespace ?? null);
  const labels = parseSelector(selector ?? "");
  const where = scope === null ? "in the input" : `${inNamespace(scope)} of the input`;
  const noMatch = noMatchSentence(kind, selector === undefined ? null : labels.text, where);
  if (targets.length === 0 && kind === "Pod") {
    if (withJobs) failedJobs.push(...(await failedJobsIn(source, scope, labels)));
    if (pods.length === 0) return [];
    const found = selectPods(pods, scope, null).filter(({ raw }) => labels.matches(at(raw, "metadata", "labels")));
    if (found.length === 0) notes.push(noMatch);
    for (const { raw } of found) choice.add(raw);
    return [];
  }
  const workloads = targets.length > 0 ? targets : await workloadsIn(source, kind, scope, labels);
  if (workloads.length === 0) notes.push(noMatch);
  for (const [index, target] of workloads.entries()) {
    try {
      await addTarget(search, target, index, scope);
    } catch (error) {
      if (!(error instanceof UserError) || workloads.length === 1) throw error;
      failures.push(error);
    }
  }
  return failures;
}

async function failedJobsIn(source: ObjectSource, namespace: string | null, labels: LabelSelector) {
  const found = await source.list("Job", namespace, labels);
  return (found.value ?? []).map((raw) => toAskedJob(raw, 0)).filter(jobHasFailed);
}

async function workloadsIn(
  source: ObjectSource,
  kind: Target["kind"],
  namespace: string | null,
  labels: LabelSelector,
): Promise<readonly Target[]> {
  const found = await source.list(kind, namespace, labels);
  return (found.value ?? []).map((raw) => ({ kind, name: nameOf(raw), namespace: namespaceOf(raw) }));
}

async function addTarget(search: Search, target: Target, index: number, scope: string | null): Promise<void> {
  const { pods, choice } = search;
  const { kind, name, namespace = scope } = target;
  if (kind === "Pod") {
    for (const { raw } of selectPods(pods, namespace, name)) choice.add(raw, { target: index, isNamed: true });
    return;
  }
  const failure = await addWorkload(search, kind, name, namespace, index);
  if (failure !== null) throw new UserError("workloadNotInInput", kind.toLowerCase(), name, ownersLike(name, pods));
}

function ownersLike(name: string, pods: readonly InputPod[]): readonly string[] {
  const owners = pods.flatMap(({ raw }) => {
    const controller = controllerOf(raw);
    return controller === null ? [] : [inferredParent(raw, controller) ?? controller];
  });
  const names = nearestNames(name, [...new Set(owners.map((owner) => owner.name))]);
  const like = names.length === 0 ? owners : owners.filter((owner) => names.includes(owner.name));
  return [...new Set(like.map((owner) => `${owner.kind.toLowerCase()}/${owner.name}`))];
}
