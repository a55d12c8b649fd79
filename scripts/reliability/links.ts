import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rfc3339 } from "../../lab/api-server/container-statuses.ts";
import { startSimulator } from "../../lab/api-server/simulator.ts";
import { loopingPod } from "../../lab/faults/pod.ts";
import type { Protocol } from "../../lab/network/http-server.ts";
import { type Link, startLink } from "../../lab/network/link.ts";
import { SECOND_MS } from "../../src/kubelet/go-duration.ts";
import { kubeconfigFor } from "../../test/support/kubeconfig-document.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

interface LinkFault {
  readonly what: string;
  readonly begin: (link: Link) => void;
  readonly lastsMs: number;
}

const FAULTS: readonly LinkFault[] = [
  { what: "cut for 20 s", begin: (link) => link.cut(), lastsMs: 20 * SECOND_MS },
  { what: "stalls for two minutes", begin: (link) => link.stall(), lastsMs: 120 * SECOND_MS },
];

/** Longer than a case takes. */
const TIMEOUT = "--timeout=200s";

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  wait: ["wait", "web-0", "--for=restart", TIMEOUT],
  catch: ["catch", "web-0", "--output-file", "/dev/null", TIMEOUT],
  "explain -w": ["explain", "web-0", "-w"],
  "list -w": ["list", "-w"],
  "eta -w": ["eta", "-w"],
};

/** The delay after five restarts is 160 s, so the restart is due 25 s after the beginning of the case. */
const EXITED_SECONDS_AGO = 135;
const LOST_AFTER_MS = 5 * SECOND_MS;
/** Hand-set: the time to try a watch again and to hear of the restart. */
const HEARD_WITHIN_MS = 45 * SECOND_MS;

interface Heard {
  readonly atMs: number;
  readonly text: string;
}

export async function linksSection({ isExtended, program }: Effort): Promise<Section> {
  const faults = isExtended ? FAULTS : FAULTS.slice(0, 1);
  const protocols = ["h2", "http/1.1"] as const;
  const cases = faults.flatMap((fault) =>
    protocols.flatMap((protocol) => Object.entries(COMMANDS).map(([name, argv]) => ({ fault, protocol, name, argv }))),
  );
  // All cases run at the same time, because each waits long and does little.
  const rows = await Promise.all(cases.map((one) => rowOf(one, program)));
  return {
    title: "Links that are lost",
    lines: [
      "Each live command into a pipe, through a proxy that loses the link five seconds after the command has begun. Meanwhile",
      "the pod restarts, after the time at which its restart was expected. *Overdue* counts lines that say so.",
      "",
      ...markdownTable(
        ["link", "protocol", "command", "says that it is disconnected", "overdue", "hears of the restart"],
        rows,
      ),
    ],
  };
}

interface LinkCase {
  readonly fault: LinkFault;
  readonly protocol: Protocol;
  readonly name: string;
  readonly argv: readonly string[];
}

async function rowOf({ fault, protocol, name, argv }: LinkCase, program: string): Promise<string[]> {
  const pod = loopingPod(Date.now(), 5, EXITED_SECONDS_AGO);
  const simulator = await startSimulator({ objects: [pod], protocol });
  const link = await startLink(simulator.url);
  const folder = mkdtempSync(join(tmpdir(), "kubectl-backoff-link-"));
  const kubeconfig = join(folder, "config");
  const cluster = { ...simulator.cluster, server: link.url };
  writeFileSync(kubeconfig, JSON.stringify(kubeconfigFor(cluster)));
  const heard: Heard[] = [];
  const child = spawn(program, [...argv, "--kubeconfig", kubeconfig], { env: { ...process.env, TZ: "UTC" } });
  const take = (text: Buffer): void => void heard.push({ atMs: Date.now(), text: String(text) });
  child.stdout.on("data", take);
  child.stderr.on("data", take);
  try {
    // `wait` prints nothing at first, so an open watch shows that the command has begun.
    while (simulator.watches.count() === 0 && child.exitCode === null) await sleep(100);
    await sleep(LOST_AFTER_MS);
    const lostAtMs = Date.now();
    fault.begin(link);
    await sleep((fault.lastsMs * 3) / 4);
    const startedAt = rfc3339(Date.now());
    const running = { state: { running: { startedAt } }, ready: true };
    simulator.put(loopingPod(Date.now(), 6, EXITED_SECONDS_AGO, running));
    await sleep(fault.lastsMs / 4);
    const mendedAtMs = Date.now();
    link.mend();
    await sleep(HEARD_WITHIN_MS);
    return [fault.what, protocol, name, ...verdict(heard, lostAtMs, mendedAtMs)];
  } finally {
    child.kill("SIGKILL");
    link.close();
    await simulator.close();
    rmSync(folder, { recursive: true });
  }
}

function verdict(heard: readonly Heard[], lostAtMs: number, mendedAtMs: number): string[] {
  const after = (atMs: number, pattern: RegExp): string => {
    const found = heard.find((one) => one.atMs >= atMs && pattern.test(one.text));
    return found === undefined ? "never" : `after ${Math.round((found.atMs - atMs) / SECOND_MS)} s`;
  };
  const overdue = heard.filter(({ text }) => /overdue|should have/i.test(text)).length;
  return [after(lostAtMs, /Disconnected since/), `${overdue}`, after(mendedAtMs, /restart(ed)? .*6|running|up/)];
}
