import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { listenOnFreePort } from "../../lab/network/free-port.ts";

interface ReleaseServer {
  withLocalAddresses(manifest: string): string;
  close(): void;
}

export async function serveRelease(folder: string): Promise<ReleaseServer> {
  const server = createServer(({ url = "/" }, response) => {
    const file = join(folder, basename(url));
    if (existsSync(file)) createReadStream(file).pipe(response);
    else response.writeHead(404).end();
  });
  const address = `http://${await listenOnFreePort(server)}`;
  return {
    withLocalAddresses: (manifest) => manifest.replaceAll(/^( *uri: )\S+\/([^/\s]+)$/gm, `$1${address}/$2`),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
