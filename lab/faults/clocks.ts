import { HOUR_MS } from "../../src/kubelet/go-duration.ts";
import { answering } from "./answers.ts";
import { type FaultCase, LONG_MS } from "./case.ts";
import { LAB_NOW_MS } from "./lab.ts";
import { jsonOf } from "./outcome.ts";
import { loopingPod } from "./pod.ts";
import type { FaultRun } from "./program.ts";

function saneAt(run: FaultRun, isMoment: (atMs: number) => boolean): string[] {
  const answer = jsonOf(run.stdout);
  const atMs = Date.parse(answer?.at ?? "");
  const nextMs = answer?.pods?.[0]?.containers.flatMap(({ nextRestart }) =>
    nextRestart === null ? [] : [Date.parse(nextRestart.notBefore)],
  );
  const isSane = isMoment(atMs) && nextMs?.every((ms) => ms >= atMs) === true;
  return run.exitCode === 0 && run.stderr === "" && isSane
    ? []
    : [`${answer?.at} ${run.stderr} ${run.stdout.slice(0, 300)}`];
}

const skewed: readonly FaultCase[] = [-48, -5, -1, 1, 5, 48].map((hours) => ({
  fault: "clock of the server hours off that of the node and that of this machine",
  variant: `${hours} h`,
  asked: ["explain"],
  timeoutMs: LONG_MS,
  outcome: {
    words: "an answer as of the server's clock",
    check: (run) => saneAt(run, (atMs) => atMs === LAB_NOW_MS + hours * HOUR_MS),
  },
  arrange: async (lab) => {
    await lab.simulator({ clock: () => LAB_NOW_MS + hours * HOUR_MS });
  },
}));

const undated: readonly FaultCase[] = ["", "1", "yesterday", "Thu, 99 Foo 2031 12:00:00 GMT"].map((date) => ({
  fault: "server without a clock",
  variant: `Date: ${JSON.stringify(date)}`,
  asked: ["explain"],
  timeoutMs: LONG_MS,
  outcome: {
    words: "an answer as of this machine's clock",
    check: (run) => saneAt(run, (atMs) => Math.abs(atMs - Date.now()) < 60_000),
  },
  arrange: answering({
    status: 200,
    headers: { Date: date },
    body: JSON.stringify(loopingPod(LAB_NOW_MS)),
  }),
}));

export const CLOCK_FAULTS: readonly FaultCase[] = [...skewed, ...undated];
