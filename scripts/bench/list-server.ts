import { writeFileSync } from "node:fs";
import { startSimulator } from "../../lab/api-server/simulator.ts";

/**
 * A simulated API server in a process of its own: `node list-server.ts KUBECONFIG PODS LOOPING SPREAD`. It writes a
 * kubeconfig for itself, says so in a line, and ends with its standard input.
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
