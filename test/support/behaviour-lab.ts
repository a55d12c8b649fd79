import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "../../lab/api-server/simulator.ts";
import type { BehaviourLab } from "./behaviours.ts";
import { kubeconfigFor } from "./kubeconfig-document.ts";
import { aRawPod, READY_NODE, SERVER_CLOCK_MS } from "./raw-objects.ts";

export async function startBehaviourLab(): Promise<BehaviourLab & { stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "behaviour-"));
  const objects = [aRawPod(), READY_NODE];
  const [talking, silent] = await Promise.all(
    [1, 2].map(() => startSimulator({ objects, clock: () => SERVER_CLOCK_MS })),
  );
  if (talking === undefined || silent === undefined) throw new Error("two simulators were asked for");
  silent.fail({ path: "/", fault: { delayMs: 3_600_000 } });
  const write = (name: string, cluster: object): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(kubeconfigFor(cluster)));
    return file;
  };
  return {
    kubeconfig: write("talking", talking.cluster),
    silentKubeconfig: write("silent", silent.cluster),
    async stop() {
      await Promise.all([talking.close(), silent.close()]);
      rmSync(folder, { recursive: true });
    },
  };
}
