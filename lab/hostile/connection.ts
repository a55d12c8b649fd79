import {
  type ApiAnswer,
  type Connection,
  type GetOptions,
  readAnswer,
} from "../../src/cluster/connection/connection.ts";
import { RequestFailure } from "../../src/cluster/connection/request-failure.ts";
import { refusal } from "../api-server/status-answers.ts";
import { textOfJson } from "./nasty.ts";
import type { Json, WorldObjects } from "./world.ts";

const LOG = "  starting\u001b[31m\r\n\tat x \u202e\u200b\ud800\u0000 </script>\n\n".repeat(12);

const NOT_FOUND = JSON.stringify(refusal(404, "not found").body);

export function worldConnection(objects: WorldObjects, nowMs: number): Connection {
  const get = async (path: string, { query, accept, parse }: GetOptions = {}): Promise<ApiAnswer> => {
    const found = answer(objects, path, { ...query }, accept ?? "");
    const headers = { date: new Date(nowMs).toUTCString() };
    if (found === undefined) return readAnswer({ status: 404, headers, text: NOT_FOUND });
    const text = typeof found === "string" ? found : textOfJson(found.json ?? null);
    return readAnswer({ status: 200, headers, text }, parse);
  };
  const server = "https://world.example";
  const stream = () => Promise.reject(new RequestFailure("not-found", { message: "no streams", status: 404 }));
  return { server, namespace: "dev-a", timeoutMs: 1_000, get, stream, close: () => {} };
}

function answer(
  { pod, events, node, nodeEvents, configz, owners, table }: WorldObjects,
  path: string,
  query: Readonly<Record<string, string>>,
  accept: string,
): { readonly json: Json } | string | undefined {
  const list = (items: readonly Json[], kind = "List") => ({
    json: { kind, metadata: { resourceVersion: "9" }, items },
  });
  if (/\/pods\/[^/]*\/log$/.test(path)) return LOG;
  if (path.endsWith("/proxy/configz")) return { json: configz };
  if (path.endsWith("/events")) return list((query["fieldSelector"] ?? "").includes("kind=Node") ? nodeEvents : events);
  if (path.endsWith("/pods")) return accept.includes("as=Table") ? { json: table } : list([pod], "PodList");
  if (/\/pods\/[^/]+$/.test(path)) return { json: pod };
  if (path.endsWith("/nodes")) return list([node], "NodeList");
  if (/\/nodes\/[^/]+$/.test(path)) return { json: node };
  return ownerAnswer(owners, path, list);
}

function ownerAnswer(owners: readonly Json[], path: string, list: (items: readonly Json[]) => { readonly json: Json }) {
  const [, plural = "", name] = /\/namespaces\/[^/]+\/([a-z]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  const ofKind = (Array.isArray(owners) ? owners : []).filter((owner) => `${kindOf(owner).toLowerCase()}s` === plural);
  if (name === undefined) return list(ofKind);
  const [first] = ofKind;
  return first === undefined ? undefined : { json: first };
}

function kindOf(value: Json): string {
  return typeof value === "object" && value !== null && "kind" in value ? String(value["kind"]) : "";
}
