import type http from "node:http";
import type { RequestOptions } from "node:https";

/** The pool's limit: as many as are ever asked at once. */
const MOST_CONNECTIONS = 10;
/** The limit while there is little to ask: to open another one takes longer than to wait for one of these. */
const FIRST_CONNECTIONS = 2;

/** How many connections of a pool are taken by answers that go on: nobody may wait for one of those. */
const streams = new WeakMap<http.Agent, number>();

/** Keeps an agent's connections open, and opens no more of them than pay. */
export function pool(agent: http.Agent): void {
  const waiting = (): number => Object.values(agent.requests).flat().length;
  const mostNow = (): number => {
    const most = waiting() < FIRST_CONNECTIONS ? FIRST_CONNECTIONS : MOST_CONNECTIONS;
    return most + (streams.get(agent) ?? 0);
  };
  Object.assign(agent, { keepAlive: true });
  Object.defineProperty(agent, "maxSockets", { get: mostNow });
}

/** Counts a stream in before it is asked for; the result counts it out, once. */
export function reserveStream({ agent }: RequestOptions): () => void {
  if (typeof agent !== "object") return () => {};
  streams.set(agent, (streams.get(agent) ?? 0) + 1);
  let isOpen = true;
  return () => {
    if (isOpen) streams.set(agent, (streams.get(agent) ?? 1) - 1);
    isOpen = false;
  };
}
