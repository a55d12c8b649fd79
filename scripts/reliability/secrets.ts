import { linkSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { leaksIn, PLACES } from "../../lab/secrets/canary.ts";
import { type Lab, startLab } from "../../lab/secrets/lab.ts";
import type { PlannedRun, RunOutcome } from "../../lab/secrets/planned-run.ts";
import { runAsProcess } from "../../lab/secrets/run-as-process.ts";
import { runsByCase } from "../../lab/secrets/runs.ts";
import { searchRun } from "../../lab/secrets/search-run.ts";
import { writeBundles } from "../build/bundle.ts";
import { markdownTable } from "../markdown-table.ts";
import type { Effort, Section } from "./section.ts";

type Run = (run: PlannedRun) => Promise<RunOutcome>;

interface Tally {
  readonly what: string;
  readonly runs: number;
  readonly leaks: readonly string[];
}

export async function secretsSection({ isExtended, program }: Effort): Promise<Section> {
  const lab = await startLab();
  try {
    const [asExecutable, asScript] = [executable(lab, program), await script(lab)];
    const hosts = new Set<string>();
    const tallies: Tally[] = [];
    for (const [what, runs] of runsByCase(lab)) {
      const tried = runs.filter((_, index) => isExtended || index % 5 === 0);
      const tally = { what, runs: 0, leaks: [] as string[] };
      // Nothing can be put into the executable to break it, so only the JavaScript file runs these cases.
      for (const planned of tried)
        for (const run of planned.breaks === undefined ? [asExecutable, asScript] : [asScript]) {
          const searched = await searchRun(planned, run);
          for (const host of searched.hosts) hosts.add(host);
          tally.leaks.push(...searched.leaks.map((place) => `${planned.what}: ${place}`));
          tally.runs++;
        }
      tallies.push(tally);
    }
    return { title: "Secrets", lines: [...INTRODUCTION, "", ...leakTable(tallies), "", ...watched(lab, hosts)] };
  } finally {
    await lab.close();
  }
}

const INTRODUCTION = [
  `Another secret is planted in each of ${PLACES.length} places: tokens, passwords, keys, files and plugins of kubeconfigs, flags, variables, answers of identity`,
  "providers, and the fields of pods, workloads, nodes, events and kubelet configurations that can hold one. All that is printed and all files that are written",
  "are searched for any six characters of them in a row, and for their Base64. Every run is one of the executable and one of the JavaScript file, which also tells",
  "where connections are opened to; bugs can only be put into the file.",
];

function executable(lab: Lab, program: string): Run {
  const completion = join(dirname(program), "kubectl_complete-backoff");
  linkSync(program, completion);
  return (planned) => runAsProcess(lab, { main: program, completion }, planned);
}

async function script(lab: Lab): Promise<Run> {
  const programs = await writeBundles(join(lab.folder, "script", "kubectl-backoff"));
  return (planned) => runAsProcess(lab, programs, planned);
}

function leakTable(tallies: readonly Tally[]): string[] {
  const sum = { what: "all", runs: 0, leaks: 0 };
  for (const { runs, leaks } of tallies) [sum.runs, sum.leaks] = [sum.runs + runs, sum.leaks + leaks.length];
  const rows = tallies.map(({ what, runs, leaks }) => [what, String(runs), String(leaks.length)]);
  const table = markdownTable(
    ["the case", "runs", "secrets found"],
    [...rows, [sum.what, `${sum.runs}`, `${sum.leaks}`]],
  );
  return [...table, ...tallies.flatMap(({ leaks }) => leaks.map((leak) => `- ${leak}`))];
}

function watched(lab: Lab, hosts: ReadonlySet<string>): string[] {
  const { simulator, difficult } = lab;
  const methods = new Set([...simulator.requests, ...difficult.requests].map(({ method }) => method));
  const logins = new Set(difficult.logins.map(({ method, path }) => `${method} ${path.replace(/^\/[^/]+/, "")}`));
  const connected = new Set([...hosts].map((host) => hostName(host, lab)));
  return markdownTable(
    ["over all these runs", "seen"],
    [
      ["methods of requests to API servers", [...methods].sort().join(", ")],
      ["requests to the identity provider", [...logins].sort().join(", ")],
      ["connections were opened to", [...connected].sort().join(", ")],
      ["files that were left in the home folder", filesIn(join(lab.folder, "home"))],
    ],
  );
}

function hostName(host: string, { simulator, difficult, proxy }: Lab): string {
  if (host === new URL(simulator.url).host) return "the server of the kubeconfig";
  if (host === new URL(difficult.url).host) return "its server or identity provider";
  if (host === proxy.address) return "its proxy";
  return ["127.0.0.1:1", "me:80"].includes(host) ? "an address of the kubeconfig where nobody is" : host;
}

function filesIn(home: string): string {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const paths = entries.map(({ parentPath, name }) => ({
    folder: relative(home, parentPath),
    path: join(parentPath, name),
  }));
  const files = paths.filter(({ path }) => lstatSync(path).isFile());
  const kinds = new Set(
    files.map(({ folder, path }) => `~/${folder}/* (${(lstatSync(path).mode & 0o777).toString(8)})`),
  );
  const leaks = files.flatMap(({ path }) => leaksIn(readFileSync(path, "latin1")));
  return `${[...kinds].sort().join(", ") || "none"}; secrets in them: ${leaks.length}`;
}
