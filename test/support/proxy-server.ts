import { onTestFinished } from "vitest";
import { type HttpProxy, startProxy, startSocksProxy } from "../../lab/network/proxy.ts";

export async function proxyServer(target: string): Promise<HttpProxy> {
  const proxy = await startProxy(target);
  onTestFinished(proxy.close);
  return proxy;
}

export async function socksServer(target: string): Promise<string> {
  const { address, close } = await startSocksProxy(target);
  onTestFinished(close);
  return `socks5://${address}`;
}
