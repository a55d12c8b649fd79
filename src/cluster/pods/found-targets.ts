import type { UserError } from "../../errors.ts";
import type { AskedJob, Observation, Selection } from "../../explain/observed/observation.ts";
import type { FetchFailure } from "../api/fetched.ts";
import { inNamespace, nameOfTarget } from "../api/target-words.ts";
import { at, type JsonObject } from "../objects/json-access.ts";
import { CONDITIONS } from "../objects/metadata.ts";
import type { WorkloadKind } from "../objects/workload-kinds.ts";
import { podsOfWorkload } from "../owners/workload-pods.ts";
import type { ObjectSource } from "../owners/workload-source.ts";
import type { PodChoice } from "./target-choice.ts";

export interface FoundTargets {
  readonly source: ObjectSource;
  readonly choice: PodChoice;
  readonly failedJobs: AskedJob[];
  readonly notes: string[];
}

export interface TargetsObservation {
  readonly observation: Observation;
  readonly selection: Selection;
  readonly failures: readonly UserError[];
  readonly notes: readonly string[];
}

export function targetsObservation(
  { choice, failedJobs, notes }: FoundTargets,
  observation: Observation,
  failures: readonly UserError[],
): TargetsObservation {
  const jobs = failedJobs.length > 0 && { jobs: failedJobs };
  return { observation: { ...observation, ...jobs }, selection: choice.selection(), failures, notes };
}

export async function addWorkload(
  { source, choice, failedJobs, notes }: FoundTargets,
  kind: WorkloadKind,
  name: string,
  namespace: string | null,
  target: number,
): Promise<FetchFailure | null> {
  const found = await podsOfWorkload(source, kind, name, namespace);
  if (found.why !== null) return found;
  for (const { raw, rank } of found.pods) choice.add(raw, { target, rank });
  failedJobs.push(...found.failedJobs);
  if (found.pods.length + found.failedJobs.length === 0)
    notes.push(await noPodsSentence(source, kind, name, namespace));
  notes.push(...found.notes);
  return null;
}

async function noPodsSentence(
  source: ObjectSource,
  kind: WorkloadKind,
  name: string,
  namespace: string | null,
): Promise<string> {
  const { value } = await source.get(kind, namespace, name);
  const where = namespace === null ? "in the input" : inNamespace(namespace);
  const reason = value === null ? null : reasonOf(value);
  return `${nameOfTarget({ kind, name })} ${where} has no pods${reason === null ? "" : `: ${reason}`}.`;
}

const CONDITION_MEANINGS: Readonly<Record<string, string>> = {
  Failed: "it has failed",
  Complete: "it has completed",
  Suspended: "it is suspended",
  ReplicaFailure: "they can't be created",
};

function reasonOf(raw: JsonObject): string | null {
  const conditions = CONDITIONS.read(at(raw, "status", "conditions"), []);
  const condition = conditions.find(({ type, status }) => Object.hasOwn(CONDITION_MEANINGS, type) && status === "True");
  if (condition !== undefined) {
    const { type, reason, message } = condition;
    const said = message === null ? reason : reason === null ? message : `${message.replace(/\.$/, "")} (${reason})`;
    const isSelfEvident = type === "Complete" || type === "Suspended";
    return `${CONDITION_MEANINGS[type]}${isSelfEvident || said === null ? "" : `: ${said}`}`;
  }
  if (at(raw, "spec", "replicas") === 0) return "spec.replicas is 0";
  return at(raw, "spec", "suspend") === true ? "it is suspended" : null;
}
