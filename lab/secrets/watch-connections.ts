import { Socket } from "node:net";

/** Adds "host:port" of each new connection to `hosts`. Returns a function that undoes this. */
export function watchConnections(hosts: string[]): () => void {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const [options] = args.flat() as [{ host?: string; port?: number }];
    hosts.push(`${options.host}:${options.port}`);
    return Reflect.apply(connect, this, args);
  } as typeof connect;
  return () => {
    Socket.prototype.connect = connect;
  };
}
