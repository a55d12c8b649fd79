import { UserError } from "../../errors.ts";
import { pagesOf } from "../api/collection-pages.ts";
import { type FetchFailure, fetched } from "../api/fetched.ts";
import { namesAt, nearestNames } from "../api/nearest-names.ts";
import { parseSelector } from "../api/target-selector.ts";
import { inNamespace, noMatchSentence, type Target, type TargetWords } from "../api/target-words.ts";
import type { Connection } from "../connection/connection.ts";
import { RequestFailure, toUserError } from "../connection/request-failure.ts";
import { at, type JsonObject, textOf } from "../objects/json-access.ts";
import { nameOf, namespaceOf } from "../objects/owner-reference.ts";
import { collectionPath, objectPath } from "../objects/workload-kinds.ts";
import { addWorkload, type FoundTargets } from "./found-targets.ts";

interface Scope extends TargetWords {
  readonly namespace: string | null;
  readonly selector: string | null;
}

interface Search extends FoundTargets {
  readonly connection: Connection;
}

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

/** Returns equal errors once, because e.g. an unreachable server fails all targets alike. */
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
  const { connection, source, choice, notes } = search;
  let count = 0;
  if (kind === "Pod") {
    const query: Record<string, string> = selector === null ? {} : { labelSelector: selector };
    for await (const page of pagesOf(connection, collectionPath(kind, namespace), query)) {
      count += page.length;
      for (const raw of page) choice.add(raw);
    }
  } else {
    const workloads = await source.list(kind, namespace, selector === null ? null : parseSelector(selector));
    if (workloads.value === null) throw workloads.error;
    count = workloads.value.length;
    const added = workloads.value.map((raw) => addWorkload(search, kind, nameOf(raw), namespaceOf(raw), 0));
    const failure = (await Promise.all(added)).find((one) => one !== null);
    if (failure !== undefined) throw failure.error;
  }
  if (count === 0) notes.push(noMatchSentence(kind, selector, inNamespace(namespace)));
}

async function byName(search: Search, { kind, name }: Target, target: number): Promise<void> {
  const { connection } = search;
  const { namespace } = connection;
  const isPod = kind === "Pod";
  const failure = await (isPod ? addPod(search, name, target) : addWorkload(search, kind, name, namespace, target));
  if (failure === null) return;
  if (failure.why !== "not-found") throw failure.error;
  const nearest = nearestNames(name, await namesAt(connection, collectionPath(kind, namespace)));
  if (isPod) throw new UserError("podNotFound", name, namespace, nearest);
  throw new UserError("workloadNotFound", kind.toLowerCase(), name, namespace, nearest);
}

async function addPod({ connection, choice }: Search, name: string, target: number): Promise<FetchFailure | null> {
  const found = await fetched(() => connection.get(objectPath("Pod", connection.namespace, name)));
  if (found.value === null) return found;
  const { body } = found.value;
  if (textOf(at(body, "metadata", "name")) === null)
    throw new RequestFailure("bad-answer", { message: "it is no Pod", status: 200 });
  choice.add(body as JsonObject, { target, isNamed: true });
  return null;
}
