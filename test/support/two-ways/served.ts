import { createServer, type Socket } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import { listenOnFreePort } from "../free-port.ts";
import { reset } from "../simulator/broken-answers.ts";
import { SERVER_TLS } from "../tls-fixtures.ts";

/** What a server sends, whoever asks for whatever, byte for byte. */
export interface Served {
  /** Each is written by itself. */
  readonly pieces: readonly Buffer[];
  /** With the connection, once all that is said. */
  readonly ending: "stays" | "ends" | "resets";
  /** Whether it waits until it is asked; else it speaks first. */
  readonly isAsked?: boolean;
  /** Plain bytes instead of TLS. */
  readonly isPlain?: boolean;
  /** Of several connections, those from the second one on bring this. */
  readonly later?: Served;
}

/** A server that sends it. */
export interface ServedPort {
  readonly url: string;
  /** How many requests have come. */
  asked(): number;
  /** How many connections are open. */
  open(): number;
  close(): void;
}

const secureContext = createSecureContext(SERVER_TLS);

/** Starts one on this machine. */
export async function serve(served: Served): Promise<ServedPort> {
  const sockets = new Set<Socket>();
  let [asked, connections] = [0, 0];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    const own = connections++ > 0 ? (served.later ?? served) : served;
    speak(socket, own, () => asked++);
  });
  const address = await listenOnFreePort(server);
  return {
    url: `https://${address}`,
    asked: () => asked,
    open: () => sockets.size,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function speak(below: Socket, served: Served, onAsked: () => void): void {
  below.setNoDelay(true);
  const socket = served.isPlain === true ? below : new TLSSocket(below, { isServer: true, secureContext });
  socket.on("error", () => {});
  if (served.isAsked === false) void say(socket, served);
  let text = "";
  socket.on("data", (bytes) => {
    if (served.isPlain === true) return void say(socket, served);
    text += bytes.toString("latin1");
    if (!text.endsWith("\r\n\r\n")) return;
    text = "";
    onAsked();
    if (served.isAsked !== false) void say(socket, served);
  });
}

async function say(socket: Socket, { pieces, ending }: Served): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    await new Promise((resolve) => socket.write(piece, resolve));
  }
  if (ending === "ends") socket.end();
  // What the other side has not read yet would be lost with the connection.
  if (ending === "resets") setTimeout(() => reset(socket), 10);
}
