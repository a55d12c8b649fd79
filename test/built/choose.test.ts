import { stripVTControlCharacters } from "node:util";
import { describe, expect, inject, it } from "vitest";
import { inTerminal } from "../../lab/terminal/terminal.ts";
import { writeKubeconfig } from "../support/kubeconfig.ts";
import { simulatorFor } from "../support/listing.ts";
import { aRawPod, READY_NODE, SERVER_CLOCK_MS } from "../support/raw-objects.ts";

const { main: executable } = inject("executable");
const DOWN = "\u001b[B";
const ENTER = "\r";
const CTRL_C = "\u0003";
/** The last words that the prompt prints before it waits for a key. */
const ASKED = "to search";

describe.skipIf(process.platform === "win32")("explain without a name", () => {
  const typing = async (argv: readonly string[], types: readonly string[], before: readonly string[] = []) => {
    const other = aRawPod({ metadata: { name: "bill-0", namespace: "shop", uid: "uid-of-bill-0" } });
    const objects = [aRawPod(), aRawPod({ metadata: { name: "web-1", uid: "uid-of-web-1" } }), other, READY_NODE];
    const { cluster } = await simulatorFor({ objects, clock: () => SERVER_CLOCK_MS });
    const command = [...before, executable, "explain", "--kubeconfig", writeKubeconfig(cluster, {}), ...argv];
    const keys = types.map((type) => ({ after: ASKED, type }));
    const { exitCode, output } = await inTerminal({ command, columns: 100, rows: 30, keys });
    return { exitCode, output: stripVTControlCharacters(output) };
  };

  it("explains what the user chooses from what is down in the namespace", async () => {
    const { exitCode, output } = await typing(["-n", "prod"], [DOWN, ENTER]);
    expect(output).toContain("Which of these in prod namespace do you want explained?");
    expect(output).toMatch(/● web-0 +backing off +1m54s-2m11s +exit 1/);
    expect(output).toMatch(/^prod\/web-1: app is in CrashLoopBackOff/m);
    expect(exitCode).toBe(0);
  });

  it("narrows the choice to what the user types, in all namespaces", async () => {
    const { exitCode, output } = await typing(["-A"], ["bill", ENTER]);
    expect(output).toMatch(/^shop\/bill-0: app is in CrashLoopBackOff/m);
    expect(exitCode).toBe(0);
  });

  it("ends with 130 after Ctrl-C", async () => {
    const { exitCode, output } = await typing(["-n", "prod"], [CTRL_C]);
    expect(output).not.toContain("CrashLoopBackOff");
    expect(exitCode).toBe(130);
  });

  it("shows no choice if nothing is down", async () => {
    const { exitCode, output } = await typing(["-n", "empty"], []);
    expect(output).toContain("No containers are crash-looping or failing to start in empty namespace.");
    expect(output).toContain("To explain a healthy pod, name it: kubectl backoff explain POD.");
    expect(exitCode).toBe(0);
  });

  it("shows no choice if its output goes into a pipe", async () => {
    const { exitCode, output } = await typing(["-n", "prod"], [], ["bash", "-o", "pipefail", "-c", '"$0" "$@" | cat']);
    expect(output).toMatch(/^Error: Name a pod: /);
    expect(exitCode).toBe(2);
  });
});
