/** A recorded run of client-go's `flowcontrol.Backoff` under a fake clock. Times are milliseconds since its start. */
export interface Trace {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly resetAfterMs?: number;
  readonly maxJitterFactor?: number;
  /** The jitter source's numbers, in order. */
  readonly randomNumbers: readonly number[];
  readonly ops: readonly Op[];
}

/** A call, and the answer of client-go. */
export type Op =
  | ({ readonly op: "next" | "get" | "reset" | "deleteEntry"; readonly id: string; readonly result: number } & Times)
  | ({
      readonly op: "isInBackOffSince" | "isInBackOffSinceUpdate";
      readonly id: string;
      readonly result: boolean;
    } & Times)
  | ({ readonly op: "gc"; readonly id: string; readonly result: Readonly<Record<string, number>> } & Times);

interface Times {
  readonly eventMs: number;
  readonly nowMs: number;
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

/** Parses one line of a file of traces. The error does not name the line's number. */
export function parseTrace(line: string): Trace {
  const raw = parseObject(line);
  const ops = raw["ops"];
  if (!Array.isArray(ops)) throw new Error('"ops" must be a list');
  const random = raw["randomNumbers"] ?? [];
  if (!Array.isArray(random)) throw new Error('"randomNumbers" must be a list of numbers');
  return {
    initialMs: numberOf(raw, "initialMs"),
    maxMs: numberOf(raw, "maxMs"),
    ...optionalNumber(raw, "resetAfterMs"),
    ...optionalNumber(raw, "maxJitterFactor"),
    randomNumbers: random.map((value) => numberOf({ randomNumbers: value }, "randomNumbers")),
    ops: ops.map((op, index) => within(`op ${index}`, () => parseOp(op))),
  };
}

function parseOp(raw: unknown): Op {
  if (!isObject(raw)) throw new Error("is not an object");
  const op = raw["op"];
  if (typeof op !== "string" || !Object.hasOwn(RESULT_TYPES, op)) {
    throw new Error(`unknown op ${JSON.stringify(op)}; known: ${Object.keys(RESULT_TYPES).join(", ")}`);
  }
  const expected = RESULT_TYPES[op as keyof typeof RESULT_TYPES];
  const result = raw["result"];
  if (typeof result !== expected || result === null) throw new Error(`the result of ${op} must be a ${expected}`);
  if (isObject(result)) for (const id of Object.keys(result)) numberOf(result, id);
  const nowMs = numberOf(raw, "nowMs");
  const eventMs = NEEDS_EVENT.includes(op) ? numberOf(raw, "eventMs") : nowMs;
  const id = raw["id"] ?? "";
  if (typeof id !== "string") throw new Error('"id" must be a text');
  return { op, id, eventMs, nowMs, result } as Op;
}

type Raw = Readonly<Record<string, unknown>>;

function parseObject(line: string): Raw {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new Error("not a JSON object");
  return value;
}

function isObject(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numberOf(raw: Raw, name: string): number {
  const value = raw[name];
  if (typeof value !== "number") throw new Error(`"${name}" must be a number, not ${JSON.stringify(value)}`);
  return value;
}

function optionalNumber<Name extends string>(raw: Raw, name: Name): Partial<Record<Name, number>> {
  if (raw[name] === undefined || raw[name] === null) return {};
  return { [name]: numberOf(raw, name) } as Record<Name, number>;
}

function within<Result>(where: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new Error(`${where}: ${(error as Error).message}`);
  }
}
