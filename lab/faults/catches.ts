import type { FaultKind } from "../api-server/faults.ts";
import type { Simulator } from "../api-server/simulator.ts";
import { type FaultCase, LONG_MS, REDIRECT } from "./case.ts";
import { isWatched, LAB_NOW_MS } from "./lab.ts";
import type { Outcome } from "./outcome.ts";
import { loopingPod } from "./pod.ts";

const LINES = ["starting", "connecting", "KeyError: 'DB_URL'"];
const ID = "containerd://6";

interface CaughtJson {
  readonly ended: string;
  readonly log: {
    readonly lines: readonly { readonly text: string }[];
    readonly isComplete: boolean;
    readonly missing: string | null;
  };
}

function records(words: string, lines: readonly string[], missing: string | null): Outcome {
  return {
    words,
    check: ({ exitCode, stdout, stderr }) => {
      const caught: CaughtJson | null = exitCode === 0 ? JSON.parse(stdout) : null;
      const texts = caught?.log.lines.map(({ text }) => text);
      const isRight = caught?.log.isComplete === (missing === null) && caught.log.missing === missing;
      return isRight && caught.ended === "exited" && JSON.stringify(texts) === JSON.stringify(lines)
        ? []
        : [`${exitCode} ${JSON.stringify(caught?.log)} ${stderr}`];
    },
  };
}

const WHOLE = records("the whole log, each line once", LINES, null);

function disturbed(variant: string, outcome: Outcome, disturb: (simulator: Simulator) => void): FaultCase {
  return {
    ...{ fault: "log in trouble", asked: ["catch"], timeoutMs: LONG_MS, variant, outcome },
    arrange: async (lab) => {
      lab.argv.push("--timeout=20s");
      const simulator = await lab.simulator();
      const asks = (): number => simulator.requests.filter(({ query }) => query.has("follow")).length;
      disturb(simulator);
      const write = (line: string): void => simulator.logs.write(ID, `${line}\n`, LAB_NOW_MS);
      lab.when(isWatched(simulator), () => {
        for (const line of LINES.slice(0, 2)) write(line);
        simulator.put(runningPod());
      });
      lab.when(
        () => asks() > 0,
        () => {
          setTimeout(() => simulator.logs.drop(), 50);
          setTimeout(() => {
            write(LINES[2] ?? "");
            simulator.logs.end(ID);
            simulator.put(loopingPod(LAB_NOW_MS, 6, 1));
          }, 100);
        },
      );
    },
  };
}

function runningPod(): object {
  const state = { running: { startedAt: new Date(LAB_NOW_MS).toISOString() } };
  return loopingPod(LAB_NOW_MS, 6, 1, { state, lastState: {} });
}

/** `after: 1`: the first request for the log only asks whether the user may read the log. */
function answered(variant: string, fault: FaultKind, outcome = WHOLE, times = 2): FaultCase {
  return disturbed(variant, outcome, (simulator) => simulator.fail({ path: "/log?", fault, times, after: 1 }));
}

const EACH = Number.POSITIVE_INFINITY;

export const CATCH_FAULTS: readonly FaultCase[] = [
  disturbed("connections break", WHOLE, () => {}),
  answered("503", { status: 503 }),
  answered("no answer", "hung-up"),
  answered("a beginning and then nothing", "stalled", WHOLE, 1),
  answered("a redirect", REDIRECT),
  answered("no right", { status: 403 }, records("no log, and why", [], "forbidden"), EACH),
  answered("no instance", { status: 400 }, records("no log, and why", [], "not-found"), EACH),
  answered(
    "the kubelet's notice that it is gone",
    { status: 200, body: `unable to retrieve container logs for ${ID}` },
    records("no log, and why", [], "not-found"),
    EACH,
  ),
];
