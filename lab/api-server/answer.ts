import type { Client } from "./client.ts";
import { type Collection, keyOf } from "./collection.ts";
import type { Raw } from "./container-statuses.ts";
import { answerList, type ListAnswer } from "./list.ts";
import { LOG_TYPE, logQueryOf } from "./logs.ts";
import { rawConfigz } from "./node-columns.ts";
import { selectorOf } from "./selectors.ts";
import type { State } from "./state.ts";
import { type Access, type FixedAnswer, forbidden, notFound, type Refusal, refusal } from "./status-answers.ts";

export interface ApiRequest {
  readonly url: URL;
  readonly accept: string | undefined;
}

export type WholeAnswer = ListAnswer | Refusal | FixedAnswer;

export interface StreamedAnswer {
  readonly status: 200;
  readonly type: string;
  /** False for a followed log: a kubelet sends no headers before the first line. */
  readonly hasHeadersAtOnce: boolean;
  /** Returns a function to call when the client has gone. */
  follow(client: Client): () => void;
}

export interface Target {
  readonly collection: Collection;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly subresource: string | null;
}

export function answer({ url, accept }: ApiRequest, state: State): WholeAnswer | StreamedAnswer {
  const fixed = state.fixed.get(url.pathname) ?? state.fixed.get(url.pathname + url.search);
  if (fixed !== undefined) return { status: 200, fixed };
  const discovery = DISCOVERY[url.pathname];
  if (discovery !== undefined) return { status: 200, body: discovery };
  const target = targetOf(url.pathname, state.collections);
  if (target === null) return refusal(404, "the server could not find the requested resource", { details: {} });
  const query = url.searchParams;
  const isWatch = /^(1|true)$/.test(query.get("watch") ?? "");
  const refused = refusedAccess(target, isWatch ? "watch" : target.name === null ? "list" : "get", state);
  if (refused !== null) return forbidden(refused);
  if (isWatch) return watch(target, query, state);
  if (target.subresource === "log" && target.name !== null) return log(target, target.name, query, state);
  return target.name === null ? list(target, query, accept, state) : one(target, target.name, state);
}

export function targetOf(path: string, collections: readonly Collection[]): Target | null {
  const match =
    /^(?:\/api\/v1|\/apis\/[a-z0-9.]+\/v1)(?:\/namespaces\/([^/]+)(?=\/))?\/([a-z]+)(?:\/([^/]+)(?:\/(.+))?)?$/.exec(
      path,
    );
  const [namespace = null, resource, name = null, subresource = null] = match?.slice(1).map(decoded) ?? [];
  const collection = collections.find((candidate) => candidate.resource === resource);
  return collection === undefined ? null : { collection, namespace, name, subresource };
}

function decoded(part: string | undefined): string | undefined {
  return part === undefined ? undefined : decodeURIComponent(part);
}

function refusedAccess(
  { collection, namespace, name, subresource }: Target,
  verb: string,
  state: State,
): Access | null {
  const resource = subresource === null ? collection.resource : `${collection.resource}/${subresource.split("/")[0]}`;
  const isRefused = (state.options.forbidden ?? []).some((rule) => {
    const [what, where] = rule.split("@");
    return what === resource && (where === undefined || where === (namespace ?? "*"));
  });
  return isRefused ? { verb, resource, name, namespace } : null;
}

function watch(
  { collection, namespace }: Target,
  query: URLSearchParams,
  { watches }: State,
): Refusal | StreamedAnswer {
  const selects = selectorOf(query);
  if (selects === null) return refusal(400, "unable to parse requirement");
  const follow = (client: Client) => watches.open({ collection, namespace, query, selects, client });
  return { status: 200, type: "application/json", hasHeadersAtOnce: true, follow };
}

function list(
  { collection, namespace }: Target,
  query: URLSearchParams,
  accepted: string | undefined,
  state: State,
): WholeAnswer {
  const accept = state.options.hasTables === false ? "application/json" : (accepted ?? "application/json");
  const { version, oldestVersion } = state.watches;
  return answerList({ collection, namespace, query, accept, version, oldestVersion, nowMs: state.now() });
}

function log(
  { collection, namespace }: Target,
  name: string,
  query: URLSearchParams,
  { logs }: State,
): WholeAnswer | StreamedAnswer {
  const stored = collection.get(keyOf(namespace, name));
  if (stored === undefined) return notFound(collection.resource, name);
  const log = logs.read(stored.raw(), logQueryOf(query));
  if ("status" in log) return log;
  const { text, follow } = log;
  if (follow === null) return { status: 200, fixed: { text, type: LOG_TYPE } };
  return { status: 200, type: LOG_TYPE, hasHeadersAtOnce: false, follow };
}

function one({ collection, namespace, subresource }: Target, name: string, state: State): WholeAnswer {
  const stored = collection.get(keyOf(namespace, name));
  if (stored === undefined) return notFound(collection.resource, name);
  if (subresource === "proxy/configz") return { status: 200, body: rawConfigz(state.options.kubelet?.config ?? {}) };
  if (subresource !== null) return refusal(404, "the server could not find the requested resource", { details: {} });
  return { status: 200, body: { kind: collection.kind, apiVersion: "v1", ...stored.raw() } };
}

function discovered(name: string, kind: string, shortName: string, namespaced = true): Raw {
  const names = { name, singularName: kind.toLowerCase(), kind, shortNames: [shortName] };
  return { ...names, namespaced, verbs: ["get", "list", "watch"] };
}

export const DISCOVERY: Readonly<Record<string, Raw>> = {
  "/api": { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] },
  "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [] },
  "/api/v1": {
    kind: "APIResourceList",
    groupVersion: "v1",
    resources: [
      discovered("pods", "Pod", "po"),
      discovered("events", "Event", "ev"),
      discovered("nodes", "Node", "no", false),
      discovered("namespaces", "Namespace", "ns", false),
    ],
  },
  "/version": { major: "1", minor: "37", gitVersion: "v1.37.1", platform: "linux/amd64" },
};
