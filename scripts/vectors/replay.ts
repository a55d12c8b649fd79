import type { BackoffPolicy } from "../../src/backoff/backoff.ts";
import { Backoff } from "./keyed-backoff.ts";
import { type Op, parseTrace, type Trace } from "./trace.ts";

/** An operation whose answer differs from client-go's. Delays are in milliseconds. */
export interface Difference {
  readonly trace: number;
  readonly opIndex: number;
  readonly op: Op;
  readonly got: Op["result"];
}

interface Replay {
  readonly traces: number;
  readonly operations: number;
  readonly differences: readonly Difference[];
}

/** `text` has one trace per line, as JSON. Throws with the number of a line that cannot be read. */
export function replayAll(text: string): Replay {
  const differences: Difference[] = [];
  let traces = 0;
  let operations = 0;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    traces += 1;
    try {
      const trace = parseTrace(line);
      operations += trace.ops.length;
      differences.push(...replayTrace(trace, traces));
    } catch (error) {
      throw new Error(`line ${index + 1}: ${(error as Error).message}`);
    }
  }
  return { traces, operations, differences };
}

function replayTrace(trace: Trace, number: number): Difference[] {
  const { randomNumbers, ops, ...policy } = trace;
  const numbers = randomNumbers.values();
  let nowMs = 0;
  const backoff = new Backoff(policy satisfies BackoffPolicy, {
    nowMs: () => nowMs,
    random: () => {
      const drawn = numbers.next();
      if (drawn.done) throw new Error("more jitter was asked for than the trace has randomNumbers");
      return drawn.value;
    },
  });
  return ops.flatMap((op, opIndex) => {
    nowMs = op.nowMs;
    const got = perform(backoff, op);
    return agree(op.result, got) ? [] : [{ trace: number, opIndex, op, got }];
  });
}

function perform(backoff: Backoff, { op, id, eventMs, result }: Op): Op["result"] {
  if (op === "isInBackOffSince") return backoff.isInBackOffSince(id, eventMs);
  if (op === "isInBackOffSinceUpdate") return backoff.isInBackOffSinceUpdate(id, eventMs);
  if (op === "next") backoff.next(id, eventMs);
  if (op === "reset") backoff.reset(id);
  if (op === "deleteEntry") backoff.deleteEntry(id);
  if (op !== "gc") return backoff.get(id);
  backoff.gc();
  return Object.fromEntries([...Object.keys(result), ...backoff.ids()].map((known) => [known, backoff.get(known)]));
}

/** Delays agree if they are the same whole nanosecond. A missing entry agrees with a delay of 0. */
function agree(expected: Op["result"], got: Op["result"]): boolean {
  if (typeof expected === "number" && typeof got === "number")
    return Math.round(expected * 1e6) === Math.round(got * 1e6);
  if (typeof expected === "object" && typeof got === "object") {
    return Object.entries(got).every(([id, delayMs]) => agree(expected[id] ?? 0, delayMs));
  }
  return expected === got;
}
