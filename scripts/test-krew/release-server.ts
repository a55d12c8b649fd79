import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";

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
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    withLocalAddresses: (manifest) => manifest.replaceAll(/^( *uri: )\S+\/([^/\s]+)$/gm, `$1${address}/$2`),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
