import { describe, expect, it } from "vitest";
import { textInUtc } from "../../src/explain/answer/prose.ts";
import type { ContainerLog, TerminatedState } from "../../src/explain/observed/observation.ts";
import { aContainer, aStatus, S, T0_MS, terminated } from "../support/builders.ts";
import { explainApp } from "../support/explain-pod.ts";

const END_MS = T0_MS + 3 * S;

function crashOf(exit: Partial<TerminatedState>, log?: string, instance: ContainerLog["instance"] = "last-exit") {
  const state = terminated(T0_MS, END_MS, exit);
  const lines = log === undefined || log === "" ? [] : log.split("\n");
  const logs: ContainerLog[] =
    log === undefined ? [] : [{ container: "app", instance, text: { lines, isTruncated: false } }];
  const own = { containers: [aContainer({ memoryLimit: "64Mi" })], statuses: [aStatus({ state, restartCount: 3 })] };
  const { lastExit } = explainApp(own, { atMs: END_MS + S, logs });
  return textInUtc(lastExit?.crash ?? "");
}

const SIGKILLED =
  "killed with SIGKILL, perhaps at its 64Mi memory limit, if the kernel killed only a child of its main process.";

describe("the sentence about a crash", () => {
  it.each<{ why: string; exit?: Partial<TerminatedState>; log?: string; says: string }>([
    {
      why: "the error in its log instead of the bare code",
      log: "up\npanic: no such host",
      says: "Exit code 1 after 3s: panic: no such host",
    },
    {
      why: "the last line of its log",
      log: "starting web 2.1",
      says: "Exit code 1 after 3s. Last line: starting web 2.1",
    },
    { why: "a note that it wrote nothing", log: "", says: "Exit code 1 after 3s, without a line of log." },
    { why: "the bare code without a log", says: "Exit code 1: the program stopped with an error." },
    {
      why: "its termination message before its log",
      exit: { message: "2026-11-21T13:39:54Z cannot read /etc/app.conf" },
      log: "error: other",
      says: "Exit code 1 after 3s: cannot read /etc/app.conf",
    },
    {
      why: "no length of a run whose start is unknown",
      exit: { startedAtMs: null },
      log: "fatal: x",
      says: "Exit code 1: fatal: x",
    },
    {
      why: "a signal and the error",
      exit: { exitCode: 137 },
      log: "error: allocating\n",
      says: `Exit code 137: ${SIGKILLED} Last error: error: allocating`,
    },
    {
      why: "a signal without a log",
      exit: { exitCode: 137 },
      log: "",
      says: `Exit code 137: ${SIGKILLED} It wrote no log.`,
    },
    {
      why: "the error of a shell instead of its code",
      exit: { exitCode: 127 },
      log: "sh: strat: not found",
      says: "Exit code 127 after 3s: sh: strat: not found",
    },
    {
      why: "the memory limit that was exceeded, and not the error in the log",
      exit: { exitCode: 137, reason: "OOMKilled" },
      log: "error: x",
      says: "OOMKilled (exit code 137): it exceeded its 64Mi memory limit after 3s.",
    },
    {
      why: "no termination message that is data for another program, as a Tekton step leaves it",
      exit: { message: '[{"key":"StartedAt","value":"2021-09-20T09:22:44.443Z","type":"InternalTektonResult"}]' },
      log: "error: no such file",
      says: "Exit code 1 after 3s: error: no such file",
    },
    {
      why: "a termination message that only begins like data",
      exit: { message: "[error] no such file" },
      log: "error: x",
      says: "Exit code 1 after 3s: [error] no such file",
    },
    {
      why: "no log of an exit with 0",
      exit: { exitCode: 0, reason: "Completed" },
      log: "error: retried, done",
      says: "Exit code 0: it finished successfully. restartPolicy Always restarts it anyway; a program that is meant to end belongs in a Job.",
    },
  ])("has $why", ({ exit = {}, log, says }) => {
    expect(crashOf({ exitCode: 1, ...exit }, log)).toBe(says);
  });

  it("has no log line of the instance that runs", () => {
    expect(crashOf({ exitCode: 1 }, "error: x", "running")).toBe("Exit code 1: the program stopped with an error.");
  });
});
