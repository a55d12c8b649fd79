import { describe, expect, it } from "vitest";
import type { LastExit } from "../../src/explain/answer/explanation.ts";
import { exitClause, exitTag } from "../../src/render/page/container-words.ts";
import { exit } from "../support/explanations.ts";

const SEVEN = ["13:39:48", "13:39:55"] as const;

describe("exitClause() and exitTag()", () => {
  it.each<{ why: string; it: LastExit; clause: string; tag: string }>([
    { why: "an exit by itself", it: exit(...SEVEN), clause: "exited with code 1 after 7s", tag: "1" },
    { why: "an exit after an unknown start", it: exit(null, "13:39:55"), clause: "exited with code 1", tag: "1" },
    {
      why: "a signal is shown by the exit code",
      it: exit(...SEVEN, { exitCode: 139, cause: "signal" }),
      clause: "exited with code 139 after 7s",
      tag: "139",
    },
    {
      why: "an OOM kill",
      it: exit(...SEVEN, { exitCode: 137, cause: "oom" }),
      clause: "was OOMKilled (exit code 137) after 7s",
      tag: "OOMKilled (137)",
    },
    {
      why: "an inferred cause is called probable",
      it: exit(...SEVEN, { exitCode: 143, cause: "startup-probe", causeBasis: "inferred" }),
      clause: "was probably killed by its startup probe (exit code 143) after 7s",
      tag: "143 (startup probe)",
    },
    {
      why: "a start that failed",
      it: exit(null, "13:39:55", { exitCode: 128, cause: "start-error" }),
      clause: "failed to start (exit code 128)",
      tag: "StartError (128)",
    },
    {
      why: "a failed hook, whose exit code is the container's",
      it: exit(...SEVEN, { exitCode: 0, cause: "post-start-hook" }),
      clause: "was killed because its postStart hook failed, and ended with exit code 0 after 7s",
      tag: "0 (postStart hook)",
    },
    {
      why: "a RestartAllContainers rule, whose exit code is made up",
      it: exit(null, "13:39:55", { exitCode: 137, cause: "restart-all" }),
      clause: "was stopped by RestartAllContainers",
      tag: "RestartAllContainers",
    },
  ])("describe an exit in a sentence and in a cell: $why", ({ it: ended, clause, tag }) => {
    expect(exitClause(ended)).toBe(clause);
    expect(exitTag(ended)).toBe(tag);
  });
});
