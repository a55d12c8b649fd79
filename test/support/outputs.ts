import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crowdOf } from "../../lab/api-server/crowd.ts";
import { startSimulator } from "../../lab/api-server/simulator.ts";
import { kubeconfigFor } from "./kubeconfig-document.ts";
import { aRawPod, SERVER_CLOCK_MS } from "./raw-objects.ts";

const CROWD = { pods: 300, troubled: 300, namespaces: 1, nodes: 3 };
const LOG_LINES = 3_000;
const RUNNING = { containerID: "containerd://c", state: { running: { startedAt: "2026-11-21T12:09:50Z" } } };

type Stream = "stdout" | "stderr";

export interface PrintedLine {
  readonly line: string;
  readonly stream?: Stream;
  readonly isTestedAlways?: boolean;
}

const ALWAYS = { isTestedAlways: true } as const;
// Long enough for a busy machine to read the whole log.
const CAUGHT = "catch web-0 --now --timeout 5s --output-file -";

function inForms(line: string, forms: string): PrintedLine[] {
  return forms.split(" ").map((form) => ({ line: `${line} -o ${form}` }));
}

export const PRINTED_LINES: readonly PrintedLine[] = [
  { line: "explain -l app -o json", ...ALWAYS },
  { line: "explain -l app -o html", ...ALWAYS },
  { line: "list -A -o json", ...ALWAYS },
  { line: `${CAUGHT} -o json`, ...ALWAYS },
  { line: "explain MISSING", stream: "stderr", ...ALWAYS },
  ...inForms("explain -l app", "table wide yaml svg md name"),
  ...inForms("explain -f POD", "table wide json yaml svg html md name"),
  ...inForms("list -A", "table wide yaml name"),
  ...inForms("eta -A", "table json yaml svg html"),
  ...inForms(CAUGHT, "html"),
  ...inForms("simulate --run 42s --restarts 1000", "table json yaml svg html"),
  ...inForms("strategies --clients 5", "table json svg html"),
  ...inForms("demo", "wide html"),
  ...["demo --list", "explain --help", "--help", "version"].map((line) => ({ line })),
  { line: "wait web-0 --for=reset --timeout 0", stream: "stderr" },
];

export interface OutputLab {
  run(program: string, line: string, stream: Stream, reader: string): Promise<Read>;
  whole(program: string, line: string, stream: Stream): Promise<Read>;
  stop(): Promise<void>;
}

/** `exitCode` is as bash reports it: 128 + the number of the signal for a program that a signal ended. */
interface Read {
  readonly text: string;
  readonly exitCode: number;
}

export async function startOutputLab(): Promise<OutputLab> {
  const folder = mkdtempSync(join(tmpdir(), "outputs-"));
  const pod = aRawPod({ app: RUNNING });
  const simulator = await startSimulator({ crowd: CROWD, objects: [pod], clock: () => SERVER_CLOCK_MS });
  for (let line = 0; line < LOG_LINES; line++)
    simulator.logs.write(RUNNING.containerID, `line ${line} ${"x".repeat(40)}\n`, SERVER_CLOCK_MS);
  const write = (name: string, content: object): string => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const KUBECONFIG = write("kubeconfig", kubeconfigFor(simulator.cluster));
  const words: Readonly<Record<string, readonly string[]>> = {
    POD: [write("pod.json", pod)],
    MISSING: Array.from({ length: 1_000 }, (_, index) => `missing-${index}`),
    app: ["app", "-n", ...crowdOf(CROWD).namespaces],
  };
  let runs = 0;
  const run: OutputLab["run"] = (program, line, stream, reader) => {
    const argv = line.split(" ").flatMap((word) => words[word] ?? [word]);
    return readBy(reader, stream, [program, ...argv], join(folder, `read-${runs++}`), { KUBECONFIG });
  };
  const wholes = new Map<string, Promise<Read>>();
  return {
    run,
    whole(program, line, stream) {
      const key = JSON.stringify([program, line, stream]);
      const whole = wholes.get(key) ?? run(program, line, stream, "cat");
      wholes.set(key, whole);
      return whole;
    },
    async stop() {
      await simulator.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function readBy(
  reader: string,
  stream: Stream,
  argv: readonly string[],
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Read> {
  const redirected = stream === "stdout" ? "2>/dev/null" : "2>&1 >/dev/null";
  const script = `"$@" ${redirected} | ${reader} >"$FILE"; exit "\${PIPESTATUS[0]}"`;
  const child = spawn("bash", ["-c", script, "bash", ...argv], {
    stdio: "ignore",
    env: { ...process.env, LC_ALL: "C.UTF-8", NO_COLOR: "1", FILE: file, ...env },
  });
  return new Promise((resolve) =>
    child.on("close", (code) => resolve({ text: readFileSync(file, "utf8"), exitCode: code ?? -1 })),
  );
}

const SLOW = "{ sleep 0.4; cat; }";

/**
 * Returns "" if a slow reader gets the same text as a quick reader. Numbers may differ, because a running program
 * prints times and counts.
 */
export async function missedBySlowReader(
  { line, stream = "stdout" }: PrintedLine,
  lab: OutputLab,
  program: string,
): Promise<string> {
  const whole = await lab.whole(program, line, stream);
  const slow = await lab.run(program, line, stream, SLOW);
  if (whole.text.length === 0) return "prints nothing";
  if (slow.exitCode !== whole.exitCode) return `exit code ${slow.exitCode} instead of ${whole.exitCode}`;
  if (shapeOf(slow.text) !== shapeOf(whole.text)) return `${slow.text.length} of ${whole.text.length} characters`;
  return "";
}

function shapeOf(text: string): string {
  return text.replaceAll(/\d+/g, "0");
}
