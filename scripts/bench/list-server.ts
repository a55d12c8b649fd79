import { writeFileSync } from "node:fs";
import { startSimulator } from "../../lab/api-server/simulator.ts";
import { kubeconfigFor } from "../../test/support/kubeconfig-document.ts";

/**
 * A simulated API server as a process: `node list-server.ts KUBECONFIG PODS TROUBLED`. Prints a line when the
 * kubeconfig is written, and ends when its stdin ends.
 */
const [kubeconfig = "kubeconfig", pods = "1000", troubled = "20"] = process.argv.slice(2);

const { cluster, url } = await startSimulator({ crowd: { pods: Number(pods), troubled: Number(troubled) } });
writeFileSync(kubeconfig, JSON.stringify(kubeconfigFor(cluster, undefined, "team-000")));
console.log(`${url} ${kubeconfig}`);
process.stdin.resume().on("end", () => process.exit());
