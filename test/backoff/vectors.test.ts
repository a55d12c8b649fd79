import { describe, expect, it } from "vitest";
import { replayAll } from "../../scripts/vectors/replay.ts";

const TRACE = {
  initialMs: 1000,
  maxMs: 3000,
  ops: [
    { op: "get", id: "a", nowMs: 0, result: 0 },
    { op: "next", id: "a", eventMs: 0, nowMs: 0, result: 1000 },
    { op: "next", id: "b", eventMs: 0, nowMs: 0, result: 1000 },
    { op: "next", id: "a", eventMs: 0, nowMs: 1, result: 2000 },
    { op: "isInBackOffSince", id: "a", eventMs: 1, nowMs: 2000.999999, result: true },
    { op: "isInBackOffSinceUpdate", id: "a", eventMs: 2001, nowMs: 2001, result: false },
    { op: "reset", id: "b", nowMs: 2001, result: 0 },
    { op: "gc", nowMs: 6001, result: { a: 2000, b: 0 } },
    { op: "gc", nowMs: 6001.000001, result: { a: 0, b: 0 } },
    { op: "deleteEntry", id: "a", nowMs: 6002, result: 0 },
  ],
};

function lineWith(changes: object): string {
  return JSON.stringify({ ...TRACE, ...changes });
}

describe("replayAll()", () => {
  it("takes traces with several keys and without the optional fields, and skips empty lines", () => {
    expect(replayAll(`${lineWith({})}\n\n${lineWith({})}\n`)).toEqual({ traces: 2, operations: 20, differences: [] });
  });

  it("takes null for an optional field", () => {
    const line = lineWith({ resetAfterMs: null, maxJitterFactor: null, randomNumbers: null });
    expect(replayAll(line)).toEqual({ traces: 1, operations: 10, differences: [] });
  });

  it("takes one random number of the trace for each jitter, and throws if there are too few", () => {
    const ops = [
      { op: "next", id: "a", eventMs: 0, nowMs: 0, result: 1250 },
      { op: "next", id: "a", eventMs: 0, nowMs: 0, result: 2812.5 },
    ];
    const text = lineWith({ maxJitterFactor: 0.5, randomNumbers: [0.5, 0.5], ops });
    expect(replayAll(text).differences).toEqual([]);
    const short = lineWith({ maxJitterFactor: 0.5, randomNumbers: [0.5], ops });
    expect(() => replayAll(short)).toThrow("line 1: more jitter was asked for than the trace has randomNumbers");
  });

  it.each([
    { index: 1, result: 1000.000001, got: 1000, why: "a delay that is a nanosecond off" },
    { index: 4, result: false, got: true, why: "a wrong answer of isInBackOffSince" },
    { index: 7, result: { a: 2000, b: 1 }, got: { a: 2000, b: 0 }, why: "a delay of an entry that is not there" },
    { index: 7, result: { b: 0 }, got: { a: 2000, b: 0 }, why: "an entry that the trace does not list" },
  ])("reports $why, with its trace and op", ({ index, result, got }) => {
    const ops = TRACE.ops.map((op, at) => (at === index ? { ...op, result } : op));
    const { differences } = replayAll(`${lineWith({})}\n${lineWith({ ops })}`);
    expect(differences).toEqual([{ trace: 2, opIndex: index, op: expect.objectContaining({ result }), got }]);
  });

  it.each([
    { line: "{", message: /^line 2: not JSON: / },
    { line: "[]", message: "line 2: not a JSON object" },
    { line: lineWith({ maxMs: "5m" }), message: 'line 2: "maxMs" must be a number, not "5m"' },
    { line: lineWith({ ops: {} }), message: 'line 2: "ops" must be a list' },
    {
      line: lineWith({ ops: [{ op: "peek", nowMs: 0, result: 0 }] }),
      message: 'line 2: op 0: unknown op "peek"; known: next, ',
    },
    {
      line: lineWith({ ops: [{ op: "next", id: "a", nowMs: 0, result: 0 }] }),
      message: 'op 0: "eventMs" must be a number',
    },
    {
      line: lineWith({ ops: [{ op: "get", id: "a", nowMs: 0 }] }),
      message: "op 0: the result of get must be a number",
    },
  ])("throws with the line that cannot be read, and why: $message", ({ line, message }) => {
    expect(() => replayAll(`${lineWith({})}\n${line}`)).toThrow(message);
  });
});
