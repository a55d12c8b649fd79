import type { FaultKind } from "../api-server/faults.ts";
import type { Simulator } from "../api-server/simulator.ts";
import { type FaultCase, LONG_MS, MIDDLE_MS } from "./case.ts";
import { type FaultLab, LAB_NOW_MS } from "./lab.ts";
import { ANSWERS, incomplete, type Outcome } from "./outcome.ts";

async function crowd(lab: FaultLab): Promise<Simulator> {
  lab.argv.push("-A");
  return lab.simulator({ crowd: { pods: 900, troubled: 6, namespaces: 2 }, clock: () => LAB_NOW_MS });
}

const base = { asked: ["list"], timeoutMs: LONG_MS, proper: crowd, isHeavy: true } as const;

/** `after: 1`: the second page still comes. */
function onTheWay(fault: FaultKind, outcome: Outcome, variant: string, times = Number.POSITIVE_INFINITY): FaultCase {
  return {
    ...base,
    fault: outcome === ANSWERS ? "list that is disturbed on the way" : "list that breaks off on the way",
    variant,
    outcome,
    arrange: async (lab) => (await crowd(lab)).fail({ path: "continue=", fault, after: 1, times }),
  };
}

const faults: readonly FaultCase[] = [
  onTheWay({ status: 500 }, incomplete(/answered 500/), "500"),
  onTheWay({ status: 403 }, incomplete(/Forbidden/), "403"),
  onTheWay({ status: 410 }, incomplete(/answered 410/), "410, always"),
  { ...onTheWay({ at: "inside the JSON", end: "reset" }, incomplete(/broken off/), "reset"), timeoutMs: MIDDLE_MS },
  { ...onTheWay({ at: "inside the JSON", end: "stall" }, incomplete(/within 3s/), "stall"), timeoutMs: MIDDLE_MS },
  onTheWay({ status: 200, body: "<html>" }, incomplete(/it is no list of pods/), "a page"),
  onTheWay({ at: "inside the JSON", end: "reset" }, ANSWERS, "reset, once", 1),
  onTheWay({ at: "before the status line", end: "close" }, ANSWERS, "closed, three times", 3),
  onTheWay({ status: 429, headers: { "Retry-After": "0" } }, ANSWERS, "429, three times", 3),
  onTheWay({ status: 410 }, ANSWERS, "410, once: begun anew", 1),
  { ...onTheWay({ status: 500 }, incomplete(/answered 500/), "500, of an eta"), asked: ["eta"] },
  { ...onTheWay({ status: 410 }, ANSWERS, "410, once, of an eta", 1), asked: ["eta"] },
];

function pageCount({ requests }: Simulator): number {
  return requests.filter(({ path }) => path.endsWith("/pods")).length;
}

const expired: FaultCase = {
  ...base,
  fault: "list that is disturbed on the way",
  variant: "continue tokens that expire",
  outcome: ANSWERS,
  arrange: async (lab) => {
    const simulator = await crowd(lab);
    simulator.fail({ path: "continue=", fault: { delayMs: 20 } });
    lab.when(
      () => pageCount(simulator) >= 2,
      () => simulator.watches.expire(),
    );
  },
};

function restart(awayMs: number, outcome: Outcome): FaultCase {
  return {
    ...base,
    fault: outcome === ANSWERS ? "list that is disturbed on the way" : "list that breaks off on the way",
    variant: `a restart of the server of ${awayMs} ms`,
    outcome,
    arrange: async (lab) => {
      const simulator = await crowd(lab);
      simulator.fail({ path: "continue=", fault: { delayMs: 40 } });
      const link = await lab.connectByLink(simulator.url);
      lab.when(
        () => pageCount(simulator) >= 4,
        () => {
          link.refuse();
          const back = setTimeout(link.mend, awayMs);
          lab.onClose(() => clearTimeout(back));
        },
      );
    },
  };
}

export const LIST_FAULTS: readonly FaultCase[] = [
  ...faults,
  expired,
  restart(100, ANSWERS),
  restart(60_000, incomplete(/ECONNREFUSED|broken off/)),
];
