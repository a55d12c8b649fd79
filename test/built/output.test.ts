import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { runFile } from "../support/command.ts";
import { missedBySlowReader, type OutputLab, PRINTED_LINES, startOutputLab } from "../support/outputs.ts";

const { main: executable } = inject("executable");

/** The default capacity of a pipe on Linux. */
const PIPE_BYTES = 65_536;
const BIG = "list -A -o json";
const STOPS_THE_PROGRAM =
  '{ IFS= read -rn1 first; pkill -TERM -P $$ kubectl-backoff; sleep 0.3; printf %s "$first"; cat; }';
const SIGPIPE = 128 + 13;
const SIGTERM = 128 + 15;

describe.runIf(existsSync("/dev/full"))("the output of the executable", () => {
  let lab: OutputLab;

  beforeAll(async () => {
    lab = await startOutputLab();
  });
  afterAll(() => lab.stop());

  it.concurrent.each(PRINTED_LINES.filter(({ isTestedAlways }) => isTestedAlways))(
    "arrives whole at a slow reader: $line",
    async (printed) => {
      const { text } = await lab.whole(executable, printed.line, printed.stream ?? "stdout");
      expect(text.length).toBeGreaterThan(PIPE_BYTES);
      expect(await missedBySlowReader(printed, lab, executable)).toBe("");
    },
  );

  it.concurrent("arrives whole when SIGTERM comes in the middle", async () => {
    const whole = await lab.whole(executable, BIG, "stdout");
    const read = await lab.run(executable, BIG, "stdout", STOPS_THE_PROGRAM);
    expect(read.text.length).toBe(whole.text.length);
    expect(read.exitCode).toBe(SIGTERM);
  });

  it.concurrent("ends quietly, as SIGPIPE ends other programs, when the reader leaves", async () => {
    expect(await lab.run(executable, BIG, "stdout", "head -c 3")).toEqual({ text: "{\n ", exitCode: SIGPIPE });
    expect(await lab.run(executable, BIG, "stderr", "cat")).toEqual({ text: "", exitCode: 0 });
  });

  it.concurrent.each([
    { to: ">&-", why: "stdout is closed" },
    { to: ">/dev/full", why: "no space left on device" },
  ])("fails with the reason if it cannot be written: $to", async ({ to, why }) => {
    const { exitCode, stderr } = await runFile("/bin/bash", ["-c", `"$0" demo -o html ${to}`, executable]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(new RegExp(`^Error: Can't write the output: ${why}\\.\n.+\n$`)),
    });
  });
});
