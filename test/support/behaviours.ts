import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { commandFor } from "./command-for.ts";

export interface BehaviourLab {
  readonly kubeconfig: string;
  readonly silentKubeconfig: string;
}

export interface Behaviour {
  readonly situation: string;
  readonly argv: readonly string[];
  readonly outcome: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The test sends the signal after the first output on stdout or, if `isSilent`, after a second. */
  readonly signal?: "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGPIPE, then SIGINT";
  /** The API server never answers. */
  readonly isSilent?: boolean;
  /** "closed": the reader closes the pipe immediately. "full": /dev/full, a disk without room. "nowhere": /dev/null. */
  readonly stdout?: "closed" | "full" | "nowhere";
  readonly stderr?: "full" | "nowhere";
  /** Whether `npm test` runs this case with the JavaScript file, too. */
  readonly isTestedAlways?: boolean;
  readonly input?: string;
}

const LINE = "a line on stdout";
const WATCHED = "2 lines on stdout";
const EXPLAINED = "an explanation on stdout";
const SENTENCE = "two lines on stderr";

function when(situation: string, line: string, outcome: string, more: Partial<Behaviour> = {}): Behaviour {
  return { situation, argv: line.split(" "), outcome, ...more };
}

const INTERRUPTED = { signal: "SIGINT" } as const;
const TESTED = { isTestedAlways: true } as const;
const FULL = { stdout: "full" } as const;

export const BEHAVIOURS: readonly Behaviour[] = [
  when("a pod is explained", "web-0", `exit code 0, ${EXPLAINED}`),
  when("it crash-loops, and --exit-code", "web-0 --exit-code", `exit code 3, ${EXPLAINED}`),
  when("there is no such pod", "web-9", `exit code 1, ${SENTENCE}`),
  when("no pod can have that name", "WEB", `exit code 2, ${SENTENCE}`),
  when("there is no such flag", "web-0 --bogus", `exit code 2, ${SENTENCE}`),
  when("the server is not there", "web-0 -s https://127.0.0.1:1", `exit code 1, ${SENTENCE}`),
  when("wait, and time is up", "wait web-0 --for=reset --timeout=0", `exit code 124, ${SENTENCE}`),
  when("^C during -w", "web-0 -w", `exit code 130, ${LINE}`, { ...INTERRUPTED, ...TESTED }),
  when("SIGTERM during -w", "web-0 -w", `SIGTERM, ${LINE}`, { signal: "SIGTERM", ...TESTED }),
  when("SIGHUP during list -w", "list -w", `SIGHUP, ${WATCHED}`, { signal: "SIGHUP" }),
  when("^C during eta -w", "eta -w", `exit code 130, ${EXPLAINED}`, INTERRUPTED),
  when("^C during list -w", "list -w", `exit code 130, ${WATCHED}`, INTERRUPTED),
  when("SIGPIPE, which the shell may have sent, and ^C during -w", "web-0 -w", `exit code 130, ${LINE}`, {
    signal: "SIGPIPE, then SIGINT",
  }),
  when("^C while the server does not answer: explain", "web-0", "SIGINT", { ...INTERRUPTED, isSilent: true }),
  when("^C while the server does not answer: wait", "wait web-0 --for=reset", "SIGINT", {
    ...INTERRUPTED,
    ...TESTED,
    isSilent: true,
  }),
  when("the reader of stdout is gone (| true)", "web-0 -o json", "SIGPIPE", { stdout: "closed", ...TESTED }),
  when("stdout is a full disk", "web-0", `exit code 1, ${SENTENCE}`, { ...FULL, ...TESTED }),
  when("stdout is a full disk, and -w", "web-0 -w", `exit code 1, ${SENTENCE}`, FULL),
  when("stderr is a full disk, and wrong usage", "--bogus", "exit code 2", { stderr: "full", ...TESTED }),
  when("stdout goes nowhere", "web-0", "exit code 0", { stdout: "nowhere" }),
  when("-f - and nothing on stdin", "-f -", `exit code 1, ${SENTENCE}`),
  when("-f - and half a document on stdin", "-f -", `exit code 1, ${SENTENCE}`, { input: "{" }),
];

interface Ended {
  readonly how: string;
  readonly stdout: string;
  readonly stderr: string;
}

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
