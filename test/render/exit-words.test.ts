import { describe, expect, it } from "vitest";
import type { LastExit } from "../../src/explain/answer/explanation.ts";
import { exitClause, exitTag } from "../../src/render/page/trouble.ts";
import { exit } from "../support/explanations.ts";

const SEVEN = ["13:39:48", "13:39:55"] as const;

describe("exitClause() and exitTag()", () => {
  it.each<{ why: string; it: LastExit; clause: string; tag: string }>([
    { why: "by itself", it: exit(...SEVEN), clause: "code 1, after 7s", tag: "1" },
    { why: "start unknown", it: exit(null, "13:39:55"), clause: "code 1", tag: "1" },
    {
      why: "a signal is told by its code",
      it: exit(...SEVEN, { exitCode: 139, cause: "signal" }),
      clause: "code 139, after 7s",
      tag: "139",
    },
    {
      why: "OOM",
      it: exit(...SEVEN, { exitCode: 137, cause: "oom" }),
      clause: "out of memory, code 137, after 7s",
      tag: "137 OOM",
    },
    {
      why: "a guess is called one",
      it: exit(...SEVEN, { exitCode: 143, cause: "startup-probe", causeBasis: "inferred" }),
      clause: "probably killed by its startup probe, code 143, after 7s",
      tag: "143 startup",
    },
    {
      why: "it never ran",
      it: exit(null, "13:39:55", { exitCode: 128, cause: "start-error" }),
      clause: "it could not be started, code 128",
      tag: "128 start error",
    },
    {
      why: "the code of a restart of all containers is made up",
      it: exit(null, "13:39:55", { exitCode: 137, cause: "restart-all" }),
      clause: "stopped with all its pod's containers",
      tag: "restart all",
    },
  ])("tells it in a sentence and in a cell: $why", ({ it: ended, clause, tag }) => {
    expect(exitClause(ended)).toBe(clause);
    expect(exitTag(ended)).toBe(tag);
  });
});
