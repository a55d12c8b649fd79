import type { Agent } from "node:http";
import type { AgentOptions } from "node:https";
import { isIP } from "node:net";
import type { TLSSocket } from "node:tls";

type SocketOptions = AgentOptions & { readonly host: string; readonly port: number; readonly secureEndpoint: true };

/** SocksProxyAgent opens its sockets with `connect`, client-node's other agents with `createConnection`. */
type OpeningAgent = Agent & { readonly options: AgentOptions } & {
  connect?(request: object, options: SocketOptions): Promise<TLSSocket>;
  createConnection(
    options: SocketOptions,
    done: (error: Error | null, socket?: TLSSocket) => void,
  ): TLSSocket | undefined;
};

export async function openSocket(agent: Agent, { hostname, port }: URL, signal: AbortSignal): Promise<TLSSocket> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const { options } = agent as OpeningAgent;
  const socketOptions: SocketOptions = {
    ...options,
    host,
    port: Number(port || 443),
    servername: options.servername ?? (isIP(host) === 0 ? host : ""),
    ALPNProtocols: ["h2", "http/1.1"],
    secureEndpoint: true,
  };
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  const giveUp = (): void => reject(signal.reason);
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  const watchHandshake = (socket: TLSSocket): void => {
    promise.catch(() => socket.destroy());
    socket.once("secureConnect", () => resolve(socket));
    // After the handshake, this listener can keep an error from ending the program.
    socket.on("error", reject);
    socket.once("close", () => reject(Object.assign(new Error("closed in the handshake"), { code: "ECONNRESET" })));
  };
  begunSocket(agent as OpeningAgent, socketOptions).then(watchHandshake, reject);
  return promise.finally(() => signal.removeEventListener("abort", giveUp));
}

async function begunSocket(agent: OpeningAgent, options: SocketOptions): Promise<TLSSocket> {
  // SocksProxyAgent can call `emit` and `destroy` of the request.
  if (agent.connect !== undefined) return agent.connect({ emit: () => {}, destroy: () => {} }, options);
  return new Promise((resolve, reject) => {
    const made = agent.createConnection(options, (error, socket) => (socket ? resolve(socket) : reject(error)));
    if (made !== undefined) resolve(made);
  });
}

/** `agent` uses `socket` for its next connection if `socket` is still open then. */
export function handOver(socket: TLSSocket, agent: Agent, closing: AbortSignal): void {
  const method = "connect" in agent ? "connect" : "createConnection";
  const open: (...given: unknown[]) => unknown = Reflect.get(agent, method);
  Object.assign(agent, {
    [method]: (...given: unknown[]) => {
      Object.assign(agent, { [method]: open });
      return socket.destroyed ? open.apply(agent, given) : socket;
    },
  });
  closing.addEventListener("abort", () => socket.destroy());
}
