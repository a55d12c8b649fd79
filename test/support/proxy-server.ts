import { onTestFinished } from "vitest";
import { type Tunnel, tunnelTo } from "../../lab/secrets/tunnel.ts";

/** Starts a proxy whose tunnels all end at `target`, whatever they were asked for. It is gone after the test. */
export async function proxyServer(target: string): Promise<Tunnel> {
  const tunnel = await tunnelTo(target);
  onTestFinished(tunnel.close);
  return tunnel;
}
