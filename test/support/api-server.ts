import nock from "nock";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { SERVER } from "./kubeconfig.ts";
import {
  aRawConfig,
  aRawEvent,
  aRawNode,
  aRawPod,
  KUBEADM_CONFIG,
  PATHS,
  SERVER_CLOCK_MS,
  status,
} from "./raw-objects.ts";

// Importing nock intercepts requests immediately, also in the other test files of this worker.
nock.restore();

/** A test fails if it has prepared an answer that nothing requests, unless the answer is optional. */
export function useFakeApiServer(): void {
  beforeAll(() => nock.activate());
  afterAll(() => nock.restore());
  beforeEach(() => nock.disableNetConnect());
  afterEach(() => {
    const unasked = nock.pendingMocks();
    nock.abortPendingRequests();
    nock.cleanAll();
    nock.enableNetConnect();
    expect(unasked).toEqual([]);
  });
}

const SERVER_DATE = new Date(SERVER_CLOCK_MS).toUTCString();

export function apiServer(): nock.Scope {
  return nock(SERVER, { reqheaders: { authorization: "Bearer secret" } }).defaultReplyHeaders({ Date: SERVER_DATE });
}

/** "unasked": the test prepares no answer, because the program must not send this request. */
type Instead = { code: number; message: string } | "unasked";

export function answerEverything(instead: Partial<Record<keyof typeof PATHS | "log", Instead>> = {}): void {
  if (instead.log === undefined) apiServer().get(`${PATHS.pod}/log`).query(true).optionally().reply(200, "");
  apiServer().get(KUBEADM_CONFIG).optionally().reply(404, status(404, "no"));
  const nodeEvent = aRawEvent("two", { kind: "Node", name: "node-a", uid: "node-a" });
  const bodies = {
    pod: aRawPod(),
    events: { kind: "EventList", metadata: {}, items: [aRawEvent("one")] },
    node: aRawNode(),
    nodeEvents: { kind: "EventList", metadata: {}, items: [nodeEvent] },
    nodeConfig: aRawConfig(),
  };
  for (const [what, body] of Object.entries(bodies) as [keyof typeof bodies, object][]) {
    const refusal = instead[what];
    if (refusal === undefined) apiServer().get(PATHS[what]).reply(200, body);
    else if (refusal !== "unasked")
      apiServer().get(PATHS[what]).reply(refusal.code, status(refusal.code, refusal.message));
  }
}
