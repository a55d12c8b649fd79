import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { commandFor } from "./command-for.ts";

/** Kubeconfigs of a cluster with the crash-looping pod web-0 and of one that never answers. */
export interface BehaviourLab {
  readonly kubeconfig: string;
  readonly silentKubeconfig: string;
}

/** How the program behaves in one situation. */
export interface Behaviour {
  readonly situation: string;
  readonly argv: readonly string[];
  /** The expected result of `outcomeOf`. */
  readonly outcome: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Sent once there is something on stdout, or after a second if `isSilent`. */
  readonly signal?: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE, then SIGINT";
  /** The server never answers. */
  readonly isSilent?: boolean;
  /** closed: by its reader, at once; full: a disk without room; nowhere: /dev/null. */
  readonly stdout?: "closed" | "full" | "nowhere";
  readonly stderr?: "full" | "nowhere";
  /** Also tried with the working tree, because no cheaper test proves it. */
  readonly isTestedAlways?: boolean;
  /** What comes on stdin; nothing without. */
  readonly input?: string;
}

const WATCHED = "2 lines on stdout";
const EXPLAINED = "an explanation on stdout";
const SENTENCE = "two lines on stderr";
const LINE = "a line on stdout";

const CHEAP = { isTestedAlways: true };
const WATCHING = { argv: ["web-0", "-w"] };
const SILENT = { isSilent: true, signal: "SIGINT", outcome: "SIGINT" } as const;
const FULL = { stdout: "full", outcome: `exit code 1, ${SENTENCE}` } as const;

/** Exit codes, signals and standard streams. */
export const BEHAVIOURS: readonly Behaviour[] = [
  { situation: "a pod is explained", argv: ["web-0"], outcome: `exit code 0, ${EXPLAINED}` },
  {
    situation: "it crash-loops, and --exit-code",
    argv: ["web-0", "--exit-code"],
    outcome: `exit code 3, ${EXPLAINED}`,
  },
  { situation: "there is no such pod", argv: ["web-9"], outcome: `exit code 1, ${SENTENCE}` },
  { situation: "no pod can have that name", argv: ["WEB"], outcome: `exit code 2, ${SENTENCE}` },
  { situation: "there is no such flag", argv: ["web-0", "--bogus"], outcome: `exit code 2, ${SENTENCE}` },
  {
    situation: "the server is not there",
    argv: ["web-0", "-s", "https://127.0.0.1:1"],
    outcome: `exit code 1, ${SENTENCE}`,
  },
  {
    situation: "wait, and time is up",
    argv: ["wait", "web-0", "--for=reset", "--timeout=0"],
    outcome: `exit code 124, ${SENTENCE}`,
  },
  { ...CHEAP, ...WATCHING, situation: "^C during -w", signal: "SIGINT", outcome: `exit code 130, ${LINE}` },
  { ...CHEAP, ...WATCHING, situation: "SIGTERM during -w", signal: "SIGTERM", outcome: `SIGTERM, ${LINE}` },
  { situation: "SIGHUP during list -w", argv: ["list", "-w"], signal: "SIGHUP", outcome: `SIGHUP, ${WATCHED}` },
  { situation: "^C during eta -w", argv: ["eta", "-w"], signal: "SIGINT", outcome: `exit code 130, ${EXPLAINED}` },
  { situation: "^C during list -w", argv: ["list", "-w"], signal: "SIGINT", outcome: `exit code 130, ${WATCHED}` },
  {
    situation: "SIGPIPE, which the shell may have sent, and ^C during -w",
    ...WATCHING,
    signal: "SIGPIPE, then SIGINT",
    outcome: `exit code 130, ${LINE}`,
  },
  { ...SILENT, situation: "^C while the server does not answer: explain", argv: ["web-0"] },
  {
    ...CHEAP,
    ...SILENT,
    situation: "^C while the server does not answer: wait",
    argv: ["wait", "web-0", "--for=reset"],
  },
  { situation: "nobody reads (| true)", argv: ["web-0", "-o", "json"], stdout: "closed", outcome: "exit code 0" },
  { ...CHEAP, ...FULL, situation: "stdout is a full disk", argv: ["web-0"] },
  { ...FULL, ...WATCHING, situation: "stdout is a full disk, and -w" },
  {
    ...CHEAP,
    situation: "stderr is a full disk, and wrong usage",
    argv: ["--bogus"],
    stderr: "full",
    outcome: "exit code 2",
  },
  { situation: "stdout goes nowhere", argv: ["web-0"], stdout: "nowhere", outcome: "exit code 0" },
  { situation: "-f - and nothing on stdin", argv: ["-f", "-"], outcome: `exit code 1, ${SENTENCE}` },
  {
    situation: "-f - and half a document on stdin",
    argv: ["-f", "-"],
    input: "{",
    outcome: `exit code 1, ${SENTENCE}`,
  },
];

interface Ended {
  readonly how: string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `program` as a process and describes how it ended and what it printed. */
export async function outcomeOf(behaviour: Behaviour, lab: BehaviourLab, program: string): Promise<string> {
  const { how, stdout, stderr } = await ended(behaviour, lab, program);
  const lines = stdout.split("\n").length - 1;
  const shown = lines === 0 ? [] : [lines > 5 ? EXPLAINED : `${lines === 1 ? "a line" : `${lines} lines`} on stdout`];
  const said = stderr === "" ? [] : [stderr.split("\n").length === 3 ? SENTENCE : `on stderr: ${stderr}`];
  return [how, ...shown, ...said].join(", ");
}

function ended({ argv, env, input, ...asked }: Behaviour, lab: BehaviourLab, program: string): Promise<Ended> {
  const full = (): number => openSync("/dev/full", "w");
  const stdout = asked.stdout === "full" ? full() : asked.stdout === "nowhere" ? "ignore" : "pipe";
  const stderr = asked.stderr === "full" ? full() : asked.stderr === "nowhere" ? "ignore" : "pipe";
  const KUBECONFIG = asked.isSilent ? lab.silentKubeconfig : lab.kubeconfig;
  const [command, ...args] = commandFor(program);
  const child = spawn(command, [...args, ...argv], {
    env: { ...process.env, KUBECONFIG, LC_ALL: "C.UTF-8", NO_COLOR: "1", ...env },
    stdio: ["pipe", stdout, stderr],
  });
  const printed = { stdout: "", stderr: "" };
  const signals = (asked.signal ?? "").split(", then ").filter(Boolean) as NodeJS.Signals[];
  const send = (): void => signals.splice(0).forEach((signal) => void child.kill(signal));
  child.stdin?.on("error", () => {}).end(input ?? "");
  child.stdout?.on("data", (text) => {
    printed.stdout += text;
    send();
  });
  child.stderr?.on("data", (text) => {
    printed.stderr += text;
  });
  if (asked.stdout === "closed") child.stdout?.destroy();
  if (asked.isSilent) setTimeout(send, 1_000);
  return new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ how: signal ?? `exit code ${code}`, ...printed }));
  });
}
