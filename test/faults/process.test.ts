import { it } from "vitest";
import { pluginOf } from "../../lab/faults/case.ts";
import { FaultLab } from "../../lab/faults/lab.ts";
import { PATHS } from "../../lab/faults/pod.ts";
import { type FaultRun, timed } from "../../lab/faults/program.ts";
import { repositoryFile, runFile } from "../support/command.ts";

/** How long the program may take to load on a busy machine. */
const START_MS = 45_000;

async function runIn(lab: FaultLab, argv: string[], nodeFlags: string[] = []): Promise<FaultRun> {
  const run = () => runFile(repositoryFile("bin/run.js"), [...argv, "--kubeconfig", lab.kubeconfig], { nodeFlags });
  return timed(run).finally(() => lab.close());
}

it.concurrent("the program ends after its error, although one of its requests is never answered", async ({
  expect,
}) => {
  const lab = new FaultLab("explain");
  const simulator = await lab.simulator();
  simulator.remove("prod", "web-0");
  simulator.fail({ path: PATHS.events, fault: "stalled" });
  const run = await runIn(lab, ["explain", "web-0", "--request-timeout=60s"]);
  expect(run).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringMatching(/^Error: Pod "web-0" not found/),
  });
  expect(run.tookMs).toBeLessThan(START_MS);
});

it.concurrent("the program does not wait for a process that its credential plugin has left behind", async ({
  expect,
}) => {
  const lab = new FaultLab("explain");
  const { cluster } = await lab.simulator();
  // The `sleep` that the plugin's shell has started keeps the output open.
  lab.writeKubeconfig(cluster, pluginOf("sleep 60 2>/dev/null; true"));
  const run = await runIn(lab, ["list", "--request-timeout=300ms"]);
  expect(run).toMatchObject({ exitCode: 1, stdout: "", stderr: expect.stringMatching(/^Error: Can't get the cred/) });
  expect(run.tookMs).toBeLessThan(START_MS);
});

it.concurrent("the program rejects an endless answer after 64 MiB, and uses less than 400 MiB", async ({ expect }) => {
  const lab = new FaultLab("explain");
  const piece = Buffer.alloc(2 ** 20, " ");
  const body = {
    *[Symbol.iterator]() {
      while (true) yield piece;
    },
  };
  (await lab.simulator()).fail({ path: PATHS.pod, fault: { status: 200, body } });
  const nodeFlags = ["--import", `data:text/javascript,${encodeURIComponent(PRINT_PEAK)}`];
  const { stderr } = await runIn(lab, ["explain", "web-0", "--request-timeout=45s"], nodeFlags);
  expect(stderr).toContain("it is larger than 64 MiB.");
  expect(Number(/^peak (\d+)$/m.exec(stderr)?.[1])).toBeLessThan(400);
});

/** maxRSS is in KiB, and the peak is printed in MiB. */
const PRINT_PEAK = `process.on("exit", () => console.error("peak", Math.round(process.resourceUsage().maxRSS / 1024)));`;
