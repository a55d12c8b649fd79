import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { BreakFault } from "./broken-answers.ts";
import { refusal } from "./status-answers.ts";

/** What goes wrong instead of an answer. */
export type FaultKind =
  /** A refusal: 403, 410, 429 (with Retry-After in `headers`), 500 … */
  | { readonly status: number; readonly message?: string; readonly headers?: Readonly<Record<string, string>> }
  /** An answer that no API server gives: `body` as it is, in pieces or compressed. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string | Buffer | Iterable<Buffer>;
    }
  /** The proper answer breaks off somewhere. */
  | BreakFault
  /** The answer comes, but later. */
  | { readonly delayMs: number }
  /** cut-off: the connection ends in the middle of the body; stalled: headers come, then nothing; hung-up: no answer at all. */
  | "cut-off"
  | "stalled"
  | "hung-up";

/** Which requests are answered wrongly, and how often. */
export interface Fault {
  /** Of the path with its query. */
  readonly path: string | RegExp;
  readonly fault: FaultKind;
  /** How many requests pass before; none by default. */
  readonly after?: number;
  /** How often: every time by default. */
  readonly times?: number;
}

/** The faults that a test has asked for. */
export interface Faults {
  add(fault: Fault): void;
  /** The fault that this request meets; it counts as met. */
  next(url: string): FaultKind | null;
  clear(): void;
}

/** No faults yet. */
export function faults(): Faults {
  let planned: { fault: Fault; seen: number }[] = [];
  return {
    add: (fault) => void planned.push({ fault, seen: 0 }),
    clear: () => {
      planned = [];
    },
    next: (url) => {
      for (const plan of planned) {
        const { path, fault, after = 0, times = Number.POSITIVE_INFINITY } = plan.fault;
        if (!(typeof path === "string" ? url.includes(path) : path.test(url))) continue;
        plan.seen++;
        if (plan.seen > after && plan.seen <= after + times) return fault;
      }
      return null;
    },
  };
}

/** Lets it go wrong. True if the proper answer is still to come: all of it, or with a cut the beginning. */
export async function commit(fault: FaultKind, response: ServerResponse): Promise<boolean> {
  if (fault === "cut-off") return true;
  if (fault === "hung-up") {
    response.destroy();
    return false;
  }
  if (fault === "stalled") {
    response.writeHead(200, { "Content-Type": "application/json" }).flushHeaders();
    return false;
  }
  if ("delayMs" in fault) {
    // A server that is closed meanwhile keeps nobody waiting.
    await sleep(fault.delayMs, undefined, { ref: false });
    return true;
  }
  if ("end" in fault) return true;
  if ("body" in fault) {
    await sendBody(response, fault);
    return false;
  }
  const { status, body } = refusal(fault.status, fault.message ?? "it was asked to fail");
  response.writeHead(status, { "Content-Type": "application/json", ...fault.headers }).end(JSON.stringify(body));
  return false;
}

/** For as long as the client listens: a body may have no end. */
async function sendBody(
  response: ServerResponse,
  { status, headers = {}, body }: Extract<FaultKind, { body: unknown }>,
): Promise<void> {
  response.writeHead(status, headers);
  if (typeof body === "string" || Buffer.isBuffer(body)) return void response.end(body);
  for (const piece of body) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });
}
