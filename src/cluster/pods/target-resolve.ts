import { UserError } from "../../errors.ts";
import { pagesOf } from "../api/collection-pages.ts";
import { namesAt, nearestNames } from "../api/nearest-names.ts";
import { nameOfTarget, type Target, type TargetWords } from "../api/target-words.ts";
import type { Connection } from "../connection/connection.ts";
import { toUserError } from "../connection/request-failure.ts";
import { CONDITIONS } from "../objects/metadata.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { at } from "../objects/untrusted.ts";
import { collectionPath, type WorkloadKind } from "../objects/workload-kinds.ts";
import { podsOfWorkload } from "../owners/workload-pods.ts";
import type { ObjectSource, RawObject } from "../owners/workload-source.ts";
import { getPod } from "./observe-pod.ts";
import type { PodOrder } from "./target-choice.ts";

interface Scope extends TargetWords {
  /** null: all of them. */
  readonly namespace: string | null;
  /** As the API server takes it; null without one. */
  readonly selector: string | null;
}

interface Resolution {
  readonly failures: readonly UserError[];
  readonly notes: readonly string[];
}

type OnPod = (raw: RawObject, order: PodOrder) => void;

/** Finds the pods that are meant and hands them to `onPod`. Throws what a single target fails with. */
export async function resolveTargets(
  connection: Connection,
  source: ObjectSource,
  scope: Scope,
  onPod: OnPod,
): Promise<Resolution> {
  const notes: string[] = [];
  try {
    if (scope.targets.length === 0) await bySelector(connection, source, scope, onPod, notes);
    const outcomes = await Promise.allSettled(
      scope.targets.map((target, index) => byName(connection, source, target, index, onPod, notes)),
    );
    const failures = failuresOf(outcomes, connection);
    const [first] = failures;
    if (first !== undefined && scope.targets.length === 1) throw first;
    return { failures, notes };
  } catch (error) {
    throw toUserError(error, connection);
  }
}

/** The same words twice (of a server that does not answer) are one failure. What is no UserError is thrown. */
function failuresOf(outcomes: readonly PromiseSettledResult<void>[], connection: Connection): UserError[] {
  const errors = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  const byText = new Map<string, UserError>();
  for (const error of errors.map((reason) => toUserError(reason, connection))) {
    if (!(error instanceof UserError)) throw error;
    byText.set(error.text, error);
  }
  return [...byText.values()];
}

async function bySelector(
  connection: Connection,
  source: ObjectSource,
  { kind, namespace, selector }: Scope,
  onPod: OnPod,
  notes: string[],
): Promise<void> {
  const query: Record<string, string> = selector === null ? {} : { labelSelector: selector };
  let found = 0;
  for await (const page of pagesOf(connection, collectionPath(kind, namespace), query)) {
    found += page.length;
    if (kind === "Pod") for (const raw of page) onPod(raw, { target: 0, rank: 0, isNamed: false });
    else await Promise.all(page.map((raw) => ofWorkload(source, kind, nameOf(raw), namespaceOf(raw), 0, onPod, notes)));
  }
  if (found > 0) return;
  const where = namespace === null ? "in any namespace" : `in namespace ${JSON.stringify(namespace)}`;
  const what = selector === null ? "There are no" : "No";
  notes.push(
    `${what} ${kind.toLowerCase()}s ${selector === null ? "" : `match ${JSON.stringify(selector)} `}${where}.`,
  );
}

async function byName(
  connection: Connection,
  source: ObjectSource,
  target: Target,
  index: number,
  onPod: OnPod,
  notes: string[],
): Promise<void> {
  const { kind, name } = target;
  const { namespace } = connection;
  if (kind === "Pod") {
    const { body } = await getPod(connection, name);
    return onPod(body as RawObject, { target: index, rank: 0, isNamed: true });
  }
  const why = await ofWorkload(source, kind, name, namespace, index, onPod, notes);
  if (why !== "not-found") return;
  const nearest = nearestNames(name, await namesAt(connection, collectionPath(kind, namespace)));
  throw new UserError("workloadNotFound", kind.toLowerCase(), name, namespace, nearest);
}

/** "not-found" if there is no such workload; throws where it, or its pods, cannot be had for another reason. */
async function ofWorkload(
  source: ObjectSource,
  kind: WorkloadKind,
  name: string,
  namespace: string,
  target: number,
  onPod: OnPod,
  notes: string[],
): Promise<"not-found" | null> {
  const result = await podsOfWorkload(source, kind, name, namespace);
  if (result.why === "not-found") return "not-found";
  if (result.why !== null) throw result.error;
  for (const { raw, rank } of result.pods) onPod(raw, { target, rank, isNamed: false });
  if (result.pods.length === 0) notes.push(await noPodsSentence(source, kind, name, namespace));
  notes.push(...result.notes);
  return null;
}

/** Conditions of workloads that tell why there are no pods. */
const TELLING = ["Failed", "Complete", "Suspended", "ReplicaFailure"];

/** Says that a workload has no pods, and why, as far as it says so itself. */
export async function noPodsSentence(
  source: ObjectSource,
  kind: WorkloadKind,
  name: string,
  namespace: string | null,
): Promise<string> {
  const { value } = await source.get(kind, namespace, name);
  const where = namespace === null ? "in the input" : `in namespace ${JSON.stringify(namespace)}`;
  const reason = value === null ? null : reasonOf(value);
  return `${nameOfTarget({ kind, name })} ${where} has no pods${reason === null ? "" : `: ${reason}`}.`;
}

function reasonOf(raw: RawObject): string | null {
  const conditions = CONDITIONS.read(at(raw, "status", "conditions"), []);
  const condition = conditions.find(({ type, status }) => TELLING.includes(type) && status === "True");
  if (condition !== undefined) {
    const { type, reason, message } = condition;
    return [type, ...(reason === null ? [] : [reason]), ...(message === null ? [] : [message])]
      .join(", ")
      .replace(/\.$/, "");
  }
  if (at(raw, "spec", "replicas") === 0) return "spec.replicas is 0";
  return at(raw, "spec", "suspend") === true ? "it is suspended" : null;
}
