import type { Protocol } from "../network/http-server.ts";
import {
  ARGV_OF,
  type Arrange,
  alwaysWrong,
  type CheckAfter,
  type FaultCase,
  LONG_MS,
  MAIN_COMMANDS,
  PROTOCOLS,
} from "./case.ts";
import { FaultLab } from "./lab.ts";
import type { Asked } from "./outcome.ts";
import type { FaultRun, Runner } from "./program.ts";

export interface FaultResult {
  readonly faultCase: FaultCase;
  readonly asked: Asked;
  readonly protocol: Protocol;
  readonly problems: readonly string[];
}

/** Hand-set: more runs at the same time could make each other late. */
const AT_ONCE = 12;
const HEAVY_AT_ONCE = 4;

export async function tryFaults(
  cases: readonly FaultCase[],
  run: Runner,
  mostAtOnce = AT_ONCE,
): Promise<readonly FaultResult[]> {
  const proper = properRuns(run);
  const left = cases.flatMap((faultCase) =>
    faultCase.asked.flatMap((asked) =>
      (faultCase.protocols ?? PROTOCOLS).map((protocol) => ({ faultCase, asked, protocol })),
    ),
  );
  const results = left.map((): FaultResult | null => null);
  const tries = left.map((trial, index) => async () => {
    const lab = new FaultLab(trial.asked, trial.protocol);
    const problems = await problemsOf(trial.faultCase, lab, { run, proper }).finally(() => lab.close());
    results[index] = { ...trial, problems };
  });
  for (const asked of MAIN_COMMANDS) await proper(undefined, asked);
  const isHeavy = (_: unknown, index: number): boolean => left[index]?.faultCase.isHeavy ?? false;
  await inParallel(
    mostAtOnce,
    tries.filter((one, index) => !isHeavy(one, index)),
  );
  await inParallel(Math.min(mostAtOnce, HEAVY_AT_ONCE), tries.filter(isHeavy));
  return results.filter((result) => result !== null);
}

async function inParallel(most: number, tries: (() => Promise<void>)[]): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let next = tries.shift(); next !== undefined; next = tries.shift()) await next();
  };
  await Promise.all(Array.from({ length: most }, worker));
}

type ProperRun = (arrange: Arrange | undefined, asked: Asked) => Promise<FaultRun>;

interface Runs {
  readonly run: Runner;
  readonly proper: ProperRun;
}

async function problemsOf(faultCase: FaultCase, lab: FaultLab, { run, proper }: Runs): Promise<readonly string[]> {
  const { asked } = lab;
  const wanted = await proper(faultCase.proper, asked);
  const checkLab = await faultCase.arrange(lab);
  const ran = await runIn(lab, asked, faultCase.timeoutMs, run);
  return [
    ...alwaysWrong(ran, faultCase),
    ...faultCase.outcome.check(ran, wanted, asked),
    ...(typeof checkLab === "function" ? await (checkLab as CheckAfter)() : []),
  ];
}

function runIn(lab: FaultLab, asked: Asked, timeoutMs: number, run: Runner): Promise<FaultRun> {
  const limit = `--request-timeout=${timeoutMs}ms`;
  return run([...ARGV_OF[asked], "--kubeconfig", lab.kubeconfig, limit, ...lab.argv]);
}

/** Runs without a fault. Cases with the same `proper` function and the same command share a run. */
function properRuns(runner: Runner): ProperRun {
  const known = new Map<Arrange, Partial<Record<Asked, Promise<FaultRun>>>>();
  const run = async (arrange: Arrange, asked: Asked): Promise<FaultRun> => {
    const lab = new FaultLab(asked);
    try {
      await arrange(lab);
      return await runIn(lab, asked, LONG_MS, runner);
    } finally {
      await lab.close();
    }
  };
  return (arrange = startServer, asked) => {
    // Without the fault, nothing happens that `wait-on` and `catch` wait for.
    const question = asked === "wait-on" || asked === "catch" ? "wait" : asked;
    const runs = known.get(arrange) ?? {};
    known.set(arrange, runs);
    runs[question] ??= run(arrange, question);
    return runs[question];
  };
}

function startServer(lab: FaultLab): Promise<unknown> {
  return lab.simulator();
}
