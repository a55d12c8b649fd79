import type { IncomingMessage, ServerResponse } from "node:http";
import { CERTIFICATE, SERVER_TLS } from "../../test/support/tls-fixtures.ts";
import { listenOnFreePort } from "../network/free-port.ts";
import { httpServer } from "../network/http-server.ts";
import { answer } from "./answer.ts";
import { breakOff } from "./broken-answers.ts";
import type { Raw } from "./container-statuses.ts";
import { commit, type Fault, type FaultKind, faults } from "./faults.ts";
import type { Logs } from "./logs.ts";
import { piecesOf, send, sendStream } from "./send.ts";
import { type SimulatorOptions, State } from "./state.ts";
import type { Watches } from "./watches.ts";

export interface SeenRequest {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
}

export interface Simulator {
  readonly url: string;
  readonly cluster: { readonly server: string; readonly "certificate-authority": string };
  readonly requests: readonly SeenRequest[];
  mostAtOnce(): number;
  /** Returns the new resourceVersion. */
  put(raw: object): string;
  remove(namespace: string, name: string, kind?: string): void;
  /** Sets the answer to `path`, which may include the query. */
  on(path: string, text: string, type?: string): void;
  fail(fault: Fault): void;
  readonly watches: Pick<Watches, "count" | "drop" | "silence" | "expire" | "send">;
  readonly logs: Logs;
  connections(): number;
  breakConnections(): void;
  close(): Promise<void>;
}

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  // Loads a slow module before a test measures time.
  await import("@kubernetes/client-node/dist/config.js");
  const state = new State(options);
  const planned = faults();
  const requests: SeenRequest[] = [];
  let [atOnce, mostAtOnce] = [0, 0];
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? "/", "https://127.0.0.1");
    const { method = "", headers } = request;
    requests.push({ atMs: state.now(), method, path: url.pathname, query: url.searchParams, headers });
    if (!url.searchParams.has("watch")) {
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      response.on("close", () => atOnce--);
    }
    void handle(request, response, url, state, planned.next(request.url ?? "/"));
  };
  const { server, sockets, breakConnections, close } = httpServer(SERVER_TLS, onRequest, options);
  const address = `https://${await listenOnFreePort(server)}`;
  return {
    url: address,
    cluster: { server: address, "certificate-authority": CERTIFICATE.file },
    requests,
    mostAtOnce: () => mostAtOnce,
    put: (raw) => state.put(raw as Raw),
    remove: (namespace, name, kind = "Pod") => state.remove(`${namespace}/${name}`, kind),
    on: (path, text, type = "application/json") => void state.fixed.set(path, { text, type }),
    fail: planned.add,
    watches: state.watches,
    logs: state.logs,
    connections: () => sockets.size,
    breakConnections,
    close,
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  state: State,
  fault: FaultKind | null,
): Promise<void> {
  response.setHeader("Audit-Id", "00000000-0000-4000-8000-000000000000");
  response.setHeader("Cache-Control", "no-cache, private");
  response.setHeader("Date", new Date(state.now()).toUTCString());
  if (fault !== null && !(await commit(fault, response))) return;
  const answered = answer({ url, accept: request.headers.accept }, state);
  if ("follow" in answered) return sendStream(response, answered);
  if (fault !== null && typeof fault === "object" && "end" in fault)
    await breakOff(fault, response, [...piecesOf(answered)].join(""));
  else await send(response, answered, request.headers, fault === "cut-off");
}
