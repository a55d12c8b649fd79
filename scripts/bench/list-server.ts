import { writeFileSync } from "node:fs";
import { startSimulator } from "../../lab/api-server/simulator.ts";

/**
 * A simulated API server as a process: `node list-server.ts KUBECONFIG PODS LOOPING SPREAD`. Prints a line when the
 * kubeconfig is written; ends with its stdin.
 */
const [kubeconfig = "kubeconfig", pods = "1000", looping = "20", spread = "scattered"] = process.argv.slice(2);

const simulator = await startSimulator({
  crowd: {
    pods: Number(pods),
    looping: Number(looping),
    spread: spread === "workloads" ? "workloads" : "scattered",
  },
});
const config = {
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "simulated", cluster: simulator.cluster }],
  users: [{ name: "me", user: { token: "secret" } }],
  contexts: [{ name: "simulated", context: { cluster: "simulated", user: "me", namespace: "team-000" } }],
  "current-context": "simulated",
};
writeFileSync(kubeconfig, JSON.stringify(config));
console.log(`${simulator.url} ${kubeconfig}`);
process.stdin.resume().on("end", () => process.exit());
