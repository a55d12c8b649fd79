import type { ServerResponse } from "node:http";
import { Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";

export const BREAK_POINTS = [
  "before the status line",
  "inside the headers",
  "after the headers",
  "inside the JSON",
  "between two chunks",
  "after the last byte, before the end",
] as const;

type BreakPoint = (typeof BREAK_POINTS)[number];

/** With HTTP/2, `reset` ends only the stream, and `close` ends the whole connection. */
export interface BreakFault {
  readonly at: BreakPoint;
  readonly end: "reset" | "close" | "stall";
}

export async function breakOff(fault: BreakFault, response: ServerResponse, text: string): Promise<void> {
  const { at, end } = fault;
  const both: object = response;
  if (both instanceof Http2ServerResponse) return breakOffHttp2(fault, both, text);
  const { socket } = response;
  if (socket === null) return;
  await new Promise((resolve) => socket.write(beginningOf(text, at), resolve));
  if (end === "close") socket.end();
  if (end !== "reset") return;
  // A reset can discard bytes that were sent before it, so the client gets time to read them.
  await sleep(5);
  reset(socket);
}

async function breakOffHttp2({ at, end }: BreakFault, { stream }: Http2ServerResponse, text: string): Promise<void> {
  const sharesSent: Partial<Record<BreakPoint, number>> = {
    "after the headers": 0,
    "inside the JSON": 0.25,
    "between two chunks": 0.5,
    "after the last byte, before the end": 1,
  };
  const share = sharesSent[at];
  if (share !== undefined) {
    stream.respond({ ":status": 200, "content-type": "application/json" });
    await new Promise((resolve) => stream.write(text.slice(0, text.length * share), resolve));
  }
  stream.on("error", () => {});
  await sleep(5);
  if (end === "reset") stream.destroy(new Error("reset"));
  if (end === "close") stream.session?.destroy();
}

function beginningOf(text: string, at: BreakPoint): string {
  const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const half = text.length >> 1;
  const [first, second] = [chunk(text.slice(0, half)), chunk(text.slice(half))];
  const beginnings: Record<BreakPoint, string> = {
    "before the status line": "",
    "inside the headers": head.slice(0, 30),
    "after the headers": head,
    "inside the JSON": head + first.slice(0, first.length >> 1),
    "between two chunks": head + first,
    "after the last byte, before the end": head + first + second,
  };
  return beginnings[at];
}

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** `resetAndDestroy` of a TLSSocket throws, so its underlying socket sends the reset. */
export function reset(socket: Socket): void {
  const below: Socket | undefined = socket instanceof TLSSocket ? Reflect.get(socket, "_parent") : socket;
  if (below === undefined || below.destroyed) socket.destroy();
  else below.resetAndDestroy();
}
