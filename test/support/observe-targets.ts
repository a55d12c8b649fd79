import { connect } from "../../src/cluster/api/connect.ts";
import type { TargetsObservation } from "../../src/cluster/pods/found-targets.ts";
import { observeTargets, type TargetsRequest } from "../../src/cluster/pods/target-observe.ts";
import { apiServer } from "./api-server.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { status } from "./raw-objects.ts";

/** Far from SERVER_CLOCK_MS, so that a use of the local clock shows. */
export const LOCAL_NOW_MS = Date.UTC(2026, 0, 1);

export function observeWords(
  words: readonly string[],
  request: Partial<TargetsRequest> = {},
): Promise<TargetsObservation> {
  const connection = connect({ kubeconfig: writeKubeconfig(), env: {} });
  const moment = { nodeConfig: "auto" as const, atMs: null, localNowMs: LOCAL_NOW_MS };
  return observeTargets(connection, { ...moment, words, selector: undefined, allNamespaces: false, ...request });
}

export function inProd(plural: string, name?: string): string {
  const root =
    plural === "pods" || plural === "events" ? "/api/v1" : `/apis/${/jobs$/.test(plural) ? "batch" : "apps"}/v1`;
  return `${root}/namespaces/prod/${plural}${name === undefined ? "" : `/${name}`}`;
}

/** A number as `body` is the HTTP status of an error response. */
export function answer(path: string, body: object | number, query: Record<string, string> | true = {}): void {
  const interceptor = apiServer().get(path).query(query);
  if (typeof body === "number") interceptor.reply(body, status(body, `${path} refused`));
  else interceptor.reply(200, body);
}

export function answerList(plural: string, items: readonly object[] | number, labelSelector?: string): void {
  const query = { ...(labelSelector !== undefined && { labelSelector }), limit: "500" };
  answer(inProd(plural), typeof items === "number" ? items : { metadata: {}, items }, query);
}

export function refuseTheRest(): void {
  const refusal = status(403, "no");
  apiServer()
    .persist()
    .get(/\/api\/v1\/nodes\/|\/events\?/)
    .optionally()
    .reply(403, refusal);
}
