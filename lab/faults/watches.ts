import type { Fault, FaultKind } from "../api-server/faults.ts";
import type { Simulator } from "../api-server/simulator.ts";
import { type FaultCase, LONG_MS, PAGE, REDIRECT } from "./case.ts";
import { isWatched, LAB_NOW_MS } from "./lab.ts";
import type { Outcome } from "./outcome.ts";
import { loopingPod } from "./pod.ts";

const HAPPENED: Outcome = {
  words: "the right answer, once",
  check: ({ exitCode, stdout, stderr }) =>
    exitCode === 0 && stderr === "" && /^[^\n]*web-0[^\n]*\n$/.test(stdout) ? [] : [`${exitCode} ${stdout} ${stderr}`],
};

const TIMED_OUT: Outcome = {
  words: "exit code 124 at --timeout",
  check: ({ exitCode, stdout }) => (exitCode === 124 && stdout === "" ? [] : [`${exitCode} ${stdout}`]),
};

const base = { fault: "watch in trouble", asked: ["wait-on"], timeoutMs: LONG_MS, outcome: HAPPENED } as const;

function disturbed(
  variant: string,
  act: (simulator: Simulator) => void,
  outcome = HAPPENED,
  ...faults: readonly Fault[]
): FaultCase {
  return {
    ...base,
    variant,
    outcome,
    arrange: async (lab) => {
      lab.argv.push(`--timeout=${outcome === TIMED_OUT ? "700ms" : "20s"}`);
      const simulator = await lab.simulator();
      for (const fault of faults) simulator.fail(fault);
      lab.when(isWatched(simulator), () => {
        act(simulator);
        simulator.put(loopingPod(LAB_NOW_MS, 6, 1));
      });
    },
  };
}

function refused(variant: string, fault: FaultKind): FaultCase {
  return disturbed(variant, () => {}, HAPPENED, { path: "watch=true", fault, times: 3 });
}

const modified = (restartCount: number, resourceVersion: string): string => {
  const pod = loopingPod(LAB_NOW_MS, restartCount) as { metadata: object };
  const object = { ...pod, metadata: { ...pod.metadata, resourceVersion } };
  return `${JSON.stringify({ type: "MODIFIED", object })}\n`;
};

export const WATCH_FAULTS: readonly FaultCase[] = [
  disturbed("closed", ({ watches }) => watches.drop()),
  disturbed("too old a version", ({ watches }) => watches.expire()),
  disturbed("a line that is no JSON", ({ watches }) => watches.send("<html>\n")),
  disturbed("bytes that are no text", ({ watches }) => watches.send("\0\ufffd\n")),
  disturbed("JSON that is no event", ({ watches }) => watches.send('[]\n{}\nnull\n{"type":"ADDED"}\n')),
  disturbed("half a line, then closed", ({ watches }) => {
    watches.send('{"type":"MODIFIED","object":{"metadata":{"name":"web-0"');
    watches.drop();
  }),
  disturbed("an error of the server", ({ watches }) =>
    watches.send('{"type":"ERROR","object":{"kind":"Status","code":500,"message":"etcd is gone"}}\n'),
  ),
  disturbed("an event that is repeated", ({ watches }) => watches.send(modified(5, "999999").repeat(3))),
  disturbed("events that come late", ({ watches }) => watches.send(modified(4, "1") + modified(3, "2"))),
  disturbed("silence", ({ watches }) => watches.silence(), TIMED_OUT),
  refused("429 at the beginning", { status: 429, headers: { "Retry-After": "1" } }),
  refused("503 at the beginning", { status: 503 }),
  refused("reset at the beginning", { at: "before the status line", end: "reset" }),
  refused("a page at the beginning", PAGE),
  refused("a redirect at the beginning", REDIRECT),
];
