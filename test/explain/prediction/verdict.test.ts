import { describe, expect, it } from "vitest";
import type { AtBasis } from "../../../src/explain/observed/observation.ts";
import { aContainer, aStatus, madeUpRecord, terminated } from "../../support/builders.ts";
import { at, explainPod, runsIn, statusOf } from "../../support/explain-pod.ts";
import { rowsOf } from "../../support/text-table.ts";

/** `runs` and `at` are in seconds after the pod's creation. */
const VERDICTS = `
  runs                restarts  record   at     verdict        why
  86358-86400 86401-  2         -        86402  crash-looping  its last runs were short
  86358-86400 86401-  2         -        87001  running        it has run for 10 minutes
  86358-86400 86401-  1         -        86402  running        one exit and its immediate restart are no crash loop
  43200-86400 86401-  2         -        86402  running        it exited after a run of 12 hours
  43200-86402         2         -        86402  pending        it is down after a run of 12 hours
  85801-86400 86401-  2         -        86402  crash-looping  its last run was one second shorter than the reset takes
  85800-86400 86401-  2         -        86402  running        its last run was as long as the reset takes
  86401-              96        gone     86402  running        no record is left, and it restarts every 15 minutes at most
  86401-              97        gone     86402  crash-looping  no record is left, and it restarts more often
  86401-              97        made up  86402  crash-looping  the record is made up, and it restarts more often
`;
type Column = "runs" | "restarts" | "record" | "at" | "verdict" | "why";

function podOf({
  runs,
  restarts,
  record,
  at: second,
}: Pick<Record<Column, string>, "runs" | "restarts" | "record" | "at">) {
  const more = record === "made up" ? { lastState: madeUpRecord("ContainerStatusUnknown") } : {};
  const statuses = [statusOf({ runs: runsIn(runs), restarts: Number(restarts) }, more)];
  return explainPod({ statuses }, { atMs: at(Number(second)) });
}

describe("the verdict crash-looping", () => {
  it.each(rowsOf<Column>(VERDICTS))("at second $at after the runs $runs: $verdict, because $why", (row) => {
    expect(podOf(row).verdict).toBe(row.verdict);
  });

  const RUN = [at(86_358), at(86_400)] as const;
  const ENDED = (exitCode: number) => aStatus({ state: terminated(...RUN, { exitCode }) });
  const proxy = aStatus({ name: "proxy" });

  it.each([
    { statuses: [ENDED(1)], says: "failed", why: "nothing restarts what has failed" },
    { statuses: [ENDED(0)], says: "completed", why: "its container has succeeded" },
    { statuses: [ENDED(1), proxy], says: "failed", why: "a sidecar that runs on does not make up for it" },
    { statuses: [ENDED(0), proxy], says: "running", why: "the work is done, and a sidecar runs on" },
  ])("is $says although the phase is still Running: $why", ({ statuses, says }) => {
    const containers = statuses.map(({ name }) => aContainer({ name }));
    const { verdict } = explainPod({ containers, statuses, restartPolicy: "Never" }, { atMs: at(86_402) });
    expect(verdict).toBe(says);
  });

  const looping = statusOf({ runs: runsIn("86358-86400 86401-"), restarts: 2 });

  it.each<{ atBasis: AtBasis; codes: string[] }>([
    { atBasis: "newest-input", codes: ["age-unknown"] },
    { atBasis: "flag", codes: [] },
    { atBasis: "local-clock", codes: [] },
  ])("of a running container is uncertain if the time is the $atBasis: $codes", ({ atBasis, codes }) => {
    const { gaps } = explainPod({ statuses: [looping] }, { atMs: at(86_402), atBasis });
    expect(gaps.map(({ code }) => code)).toEqual(codes);
  });

  it("is uncertain for all running containers that crash-loop", () => {
    const containers = ["app", "worker"].map((name) => aContainer({ name }));
    const statuses = containers.map(({ name }) => ({ ...looping, name }));
    const { gaps } = explainPod({ containers, statuses }, { atMs: at(86_402), atBasis: "newest-input" });
    expect(gaps.map(({ message }) => message)).toEqual([
      expect.stringMatching(/how long app and worker have run since .*\. kubectl backoff explain --at takes the time/),
    ]);
  });
});

describe("a pod whose spec was cut", () => {
  it("counts the containers that its gap does not name", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const containers = names.map((name) => aContainer({ name, isFromStatus: true }));
    const statuses = names.map((name) => ({ ...statusOf({ runs: runsIn("50-60"), restarts: 3 }), name }));
    const { gaps } = explainPod({ containers, statuses }, { atMs: at(61) });
    expect(gaps.map(({ message }) => message)).toEqual([
      expect.stringContaining("lacks the containers a, b, c, d, e and 2 more."),
    ]);
  });

  it("is explained from its status, with a gap", () => {
    const cut = { nodeName: null, containers: [aContainer({ isFromStatus: true })] };
    const statuses = [statusOf({ runs: runsIn("50-60"), restarts: 3 })];
    const { verdict, containers, gaps } = explainPod({ ...cut, statuses }, { atMs: at(61) });
    expect([verdict, containers[0]?.state]).toEqual(["crash-looping", "backing-off"]);
    expect(gaps.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      "spec-incomplete: The pod's spec lacks the containers app and the node. They are taken from the status; restartPolicy Always and no probes are assumed.",
    ]);
  });

  it("has only a gap about its node if the spec lists all containers", () => {
    const { gaps } = explainPod({ nodeName: null }, { atMs: at(61) });
    expect(gaps.map(({ message }) => message)).toEqual([
      "The pod's spec lacks the node. Which node it is on is unknown.",
    ]);
  });
});
