import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecureContext, TLSSocket, type TlsOptions } from "node:tls";
import { kubeconfigFor } from "../../test/support/kubeconfig-document.ts";
import { CERTIFICATE, SERVER_TLS } from "../../test/support/tls-fixtures.ts";
import { type Simulator, startSimulator } from "../api-server/simulator.ts";
import type { SimulatorOptions } from "../api-server/state.ts";
import { listenOnFreePort } from "../network/free-port.ts";
import { httpServer, type Protocol } from "../network/http-server.ts";
import { type AnswerLimit, type Link, startLink } from "../network/link.ts";
import type { Asked } from "./outcome.ts";
import { PATHS, startLoop } from "./pod.ts";

export const LAB_NOW_MS = Date.UTC(2031, 4, 6, 12, 10, 0);

export const SCHEMES = ["https", "http"] as const;

type Scheme = (typeof SCHEMES)[number];

const secureContext = createSecureContext(SERVER_TLS);

export class FaultLab {
  readonly asked: Asked;
  readonly #protocol: Protocol;
  readonly #closing: (() => unknown)[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-faults-"));
  readonly kubeconfig = this.path("config");
  readonly argv: string[] = [];

  readonly mainPath: string;

  constructor(asked: Asked, protocol: Protocol = "h2") {
    this.asked = asked;
    this.mainPath = asked === "list" ? PATHS.pods : PATHS.pod;
    this.#protocol = protocol;
  }

  /**
   * Starts an API server with the crash-looping pod prod/web-0, its node and an event, and points the kubeconfig at
   * that server. For `watch`, deletes the pod as soon as the pod is watched.
   */
  async simulator(options: SimulatorOptions = {}): Promise<Simulator> {
    const simulator = await startSimulator({ clock: () => LAB_NOW_MS, protocol: this.#protocol, ...options });
    this.onClose(() => simulator.close());
    startLoop(simulator, LAB_NOW_MS);
    this.writeKubeconfig(simulator.cluster);
    if (this.asked === "watch") this.when(isWatched(simulator), () => simulator.remove("prod", "web-0"));
    return simulator;
  }

  when(isMet: () => boolean, act: () => void): void {
    const timer = setInterval(() => {
      if (!isMet()) return;
      clearInterval(timer);
      act();
    }, 5);
    this.onClose(() => clearInterval(timer));
  }

  /** Returns host:port. */
  async tcp(onConnection: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      this.onClose(() => socket.destroy());
      socket.on("error", () => {});
      onConnection(socket);
    });
    this.onClose(() => server.close());
    return listenOnFreePort(server);
  }

  async tls(onConnection: (socket: Socket) => void): Promise<string> {
    return this.tcp((client) => {
      const socket = new TLSSocket(client, { isServer: true, secureContext });
      socket.on("error", () => {});
      onConnection(socket);
    });
  }

  async connectToRaw(scheme: Scheme, onConnection: (socket: Socket) => void): Promise<void> {
    if (scheme === "https") this.connectToAddress(await this.tls(onConnection));
    else this.writeKubeconfig({ server: `http://${await this.tcp(onConnection)}` });
  }

  /** `tls` null: a server without TLS. Returns host:port. */
  async http(tls: TlsOptions | null, listener: RequestListener): Promise<string> {
    const { server, close } = httpServer(tls, listener, { protocol: "http/1.1" });
    this.onClose(close);
    return listenOnFreePort(server);
  }

  async connectByLink(target: string, limit?: AnswerLimit): Promise<Link> {
    const link = await startLink(target, { limit });
    this.onClose(link.close);
    this.connectToAddress(new URL(link.url).host);
    return link;
  }

  writeKubeconfig(cluster: object, user?: object): void {
    writeFileSync(this.kubeconfig, JSON.stringify(kubeconfigFor(cluster, user)), { mode: 0o600 });
  }

  connectToAddress(address: string): void {
    this.writeKubeconfig({ server: `https://${address}`, "certificate-authority": CERTIFICATE.file });
  }

  path(name: string): string {
    return join(this.#folder, name);
  }

  onClose(close: () => unknown): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing.map((close) => close()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The program watches the pod, its events, and the events of its node. */
const WATCHES = 3;

export function isWatched(simulator: Simulator): () => boolean {
  return () => simulator.watches.count() >= WATCHES;
}
