/**
 * A recorded run of client-go's `flowcontrol.Backoff` under a fake clock. Times are in milliseconds since the start of
 * that clock.
 */
export interface Trace {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly resetAfterMs?: number;
  readonly maxJitterFactor?: number;
  readonly randomNumbers: readonly number[];
  readonly ops: readonly Op[];
}

export interface Op {
  readonly op: keyof typeof RESULT_TYPES;
  readonly id: string;
  readonly eventMs: number;
  readonly nowMs: number;
  readonly result: number | boolean | Readonly<Record<string, number>>;
}

const RESULT_TYPES = {
  next: "number",
  get: "number",
  reset: "number",
  deleteEntry: "number",
  isInBackOffSince: "boolean",
  isInBackOffSinceUpdate: "boolean",
  gc: "object",
} as const;

const NEEDS_EVENT: readonly string[] = ["next", "isInBackOffSince", "isInBackOffSinceUpdate"];

export function parseTrace(line: string): Trace {
  const raw = parseObject(line);
  const { ops } = raw;
  // Go writes a nil slice as null.
  const randomNumbers = raw["randomNumbers"] ?? [];
  if (!Array.isArray(ops)) throw new Error('"ops" must be a list');
  if (!Array.isArray(randomNumbers)) throw new Error('"randomNumbers" must be a list of numbers');
  const optional = ["resetAfterMs", "maxJitterFactor"].filter((name) => (raw[name] ?? null) !== null);
  return {
    initialMs: numberOf(raw, "initialMs"),
    maxMs: numberOf(raw, "maxMs"),
    ...Object.fromEntries(optional.map((name) => [name, numberOf(raw, name)])),
    randomNumbers: randomNumbers.map((value) => numberOf({ randomNumbers: value }, "randomNumbers")),
    ops: ops.map((op, index) => {
      try {
        return opOf(op);
      } catch (error) {
        throw new Error(`op ${index}: ${(error as Error).message}`);
      }
    }),
  };
}

function opOf(raw: Raw): Op {
  const { op, result } = raw;
  if (typeof op !== "string" || !Object.hasOwn(RESULT_TYPES, op))
    throw new Error(`unknown op ${JSON.stringify(op)}; known: ${Object.keys(RESULT_TYPES).join(", ")}`);
  const name = op as Op["op"];
  if (typeof result !== RESULT_TYPES[name] || result === null)
    throw new Error(`the result of ${op} must be a ${RESULT_TYPES[name]}`);
  for (const [known, delay] of Object.entries(result as object)) numberOf({ [known]: delay }, known);
  const nowMs = numberOf(raw, "nowMs");
  const eventMs = NEEDS_EVENT.includes(op) ? numberOf(raw, "eventMs") : nowMs;
  return { op: name, id: String(raw["id"] ?? ""), eventMs, nowMs, result: result as Op["result"] };
}

type Raw = Readonly<Record<string, unknown>>;

function parseObject(line: string): Raw {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not a JSON object");
  return value as Raw;
}

function numberOf(raw: Raw, name: string): number {
  const value = raw[name];
  if (typeof value !== "number") throw new Error(`"${name}" must be a number, not ${JSON.stringify(value)}`);
  return value;
}
