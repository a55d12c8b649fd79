import type { FaultKind } from "../api-server/faults.ts";
import { type FaultCase, LONG_MS, MAIN_COMMANDS, MIDDLE_MS } from "./case.ts";
import { ANSWERS, fails } from "./outcome.ts";

const base = { asked: MAIN_COMMANDS, timeoutMs: LONG_MS, protocols: ["h2"], outcome: ANSWERS } as const;

const KINDS: readonly FaultKind[] = ["goodbye", "goodbye without an answer", "refused stream"];

const once: readonly FaultCase[] = KINDS.flatMap((fault) => [
  {
    ...base,
    fault: "HTTP/2: a connection or a stream that the server ends",
    variant: `${fault}, once`,
    arrange: async (lab) => (await lab.simulator()).fail({ path: lab.mainPath, fault, times: 1 }),
  },
  {
    ...base,
    fault: "HTTP/2: a connection or a stream that the server ends",
    variant: `${fault}, for the second request`,
    arrange: async (lab) => (await lab.simulator()).fail({ path: "/api", fault, after: 1, times: 1 }),
  },
]);

const again: FaultCase = {
  ...base,
  fault: "HTTP/2: a connection or a stream that the server ends",
  variant: "goodbye, with three answers",
  arrange: async (lab) => (await lab.simulator()).fail({ path: "/api", fault: "goodbye", times: 3 }),
};

const refusing: FaultCase = {
  ...base,
  fault: "HTTP/2: no stream is accepted",
  variant: "refused stream, always",
  timeoutMs: MIDDLE_MS,
  outcome: fails(/Can't reach the API server .+: the connection was broken off/, "the connection was broken off"),
  arrange: async (lab) => (await lab.simulator()).fail({ path: "/api", fault: "refused stream" }),
};

const limits: readonly FaultCase[] = [1, 2].map((maxStreams) => ({
  ...base,
  fault: "HTTP/2: few streams at a time",
  variant: `${maxStreams}`,
  arrange: (lab) => lab.simulator({ maxStreams }),
}));

export const HTTP2_FAULTS: readonly FaultCase[] = [...once, again, refusing, ...limits];
