import { UserError } from "../../errors.ts";
import type { AskedJob } from "../../explain/observed/observation.ts";
import { pagesOf } from "../api/collection-pages.ts";
import { namesAt, nearestNames } from "../api/nearest-names.ts";
import { inNamespace, nameOfTarget, noMatchSentence, type Target, type TargetWords } from "../api/target-words.ts";
import type { Connection } from "../connection/connection.ts";
import { toUserError } from "../connection/request-failure.ts";
import { at } from "../objects/json-access.ts";
import { CONDITIONS } from "../objects/metadata.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { collectionPath, type WorkloadKind } from "../objects/workload-kinds.ts";
import { podsOfWorkload } from "../owners/workload-pods.ts";
import type { ObjectSource, RawObject } from "../owners/workload-source.ts";
import { getPod } from "./observe-pod.ts";
import type { PodOrder } from "./target-choice.ts";

interface Scope extends TargetWords {
  /** Null for all namespaces. */
  readonly namespace: string | null;
  readonly selector: string | null;
}

interface Search {
  readonly connection: Connection;
  readonly source: ObjectSource;
  onPod(raw: RawObject, order: PodOrder): void;
  onJob(job: AskedJob): void;
  readonly notes: string[];
}

/**
 * Passes the pods that the user means to `onPod`, and the failed Jobs that the user means to `onJob`. Returns the
 * targets' errors; if there is only one target, throws its error.
 */
export async function resolveTargets(search: Search, scope: Scope): Promise<readonly UserError[]> {
  const { connection } = search;
  try {
    if (scope.targets.length === 0) await bySelector(search, scope);
    const outcomes = await Promise.allSettled(scope.targets.map((target, index) => byName(search, target, index)));
    const failures = failuresOf(outcomes, connection);
    const [first] = failures;
    if (first !== undefined && scope.targets.length === 1) throw first;
    return failures;
  } catch (error) {
    throw toUserError(error, connection);
  }
}

/** Returns each different UserError once, because an unreachable server fails all targets. Throws other errors. */
function failuresOf(outcomes: readonly PromiseSettledResult<void>[], connection: Connection): UserError[] {
  const errors = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as unknown] : []));
  const byText = new Map<string, UserError>();
  for (const error of errors.map((reason) => toUserError(reason, connection))) {
    if (!(error instanceof UserError)) throw error;
    byText.set(error.text, error);
  }
  return [...byText.values()];
}

async function bySelector(search: Search, { kind, namespace, selector }: Scope): Promise<void> {
  const { connection, onPod, notes } = search;
  const query: Record<string, string> = selector === null ? {} : { labelSelector: selector };
  let found = 0;
  for await (const page of pagesOf(connection, collectionPath(kind, namespace), query)) {
    found += page.length;
    if (kind === "Pod") for (const raw of page) onPod(raw, { target: 0, rank: 0, isNamed: false });
    else await Promise.all(page.map((raw) => ofWorkload(search, kind, nameOf(raw), namespaceOf(raw), 0)));
  }
  if (found > 0) return;
  notes.push(noMatchSentence(kind, selector, inNamespace(namespace)));
}

async function byName(search: Search, { kind, name }: Target, target: number): Promise<void> {
  const { connection, onPod } = search;
  const { namespace } = connection;
  if (kind === "Pod") {
    const { body } = await getPod(connection, name);
    return onPod(body as RawObject, { target, rank: 0, isNamed: true });
  }
  const why = await ofWorkload(search, kind, name, namespace, target);
  if (why !== "not-found") return;
  const nearest = nearestNames(name, await namesAt(connection, collectionPath(kind, namespace)));
  throw new UserError("workloadNotFound", kind.toLowerCase(), name, namespace, nearest);
}

/**
 * Passes a workload's pods to `onPod`, and its failed Jobs to `onJob`. Returns "not-found" if there is no such
 * workload. Throws any other failure.
 */
async function ofWorkload(
  { source, onPod, onJob, notes }: Search,
  kind: WorkloadKind,
  name: string,
  namespace: string,
  target: number,
): Promise<"not-found" | null> {
  const result = await podsOfWorkload(source, kind, name, namespace);
  if (result.why === "not-found") return "not-found";
  if (result.why !== null) throw result.error;
  for (const { raw, rank } of result.pods) onPod(raw, { target, rank, isNamed: false });
  const failed = (result.jobs ?? []).filter(hasFailed);
  for (const job of failed) onJob(job);
  if (result.pods.length === 0 && failed.length === 0) notes.push(await noPodsSentence(source, kind, name, namespace));
  notes.push(...result.notes);
  return null;
}

export function hasFailed({ job: { conditions } }: AskedJob): boolean {
  return conditions.some(({ type, status }) => type === "Failed" && status === "True");
}

export async function noPodsSentence(
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

/** The conditions that explain why a workload has no pods, in words. */
const TELLING: Readonly<Record<string, string>> = {
  Failed: "it has failed",
  Complete: "it has completed",
  Suspended: "it is suspended",
  ReplicaFailure: "they can't be created",
};

function reasonOf(raw: RawObject): string | null {
  const conditions = CONDITIONS.read(at(raw, "status", "conditions"), []);
  const condition = conditions.find(({ type, status }) => Object.hasOwn(TELLING, type) && status === "True");
  if (condition !== undefined) {
    const { type, reason, message } = condition;
    const said = message === null ? reason : reason === null ? message : `${message.replace(/\.$/, "")} (${reason})`;
    const isSelfEvident = type === "Complete" || type === "Suspended";
    return `${TELLING[type]}${isSelfEvident || said === null ? "" : `: ${said}`}`;
  }
  if (at(raw, "spec", "replicas") === 0) return "spec.replicas is 0";
  return at(raw, "spec", "suspend") === true ? "it is suspended" : null;
}
