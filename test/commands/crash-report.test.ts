import { describe, expect, it } from "vitest";
import { crashReport } from "../../src/commands/terminal/report-error.ts";

const SECRET = "s3cret";
const LEFT_OUT = "(its message may quote what was read)";

describe("crashReport()", () => {
  it.each([
    {
      message: "Cannot read properties of undefined (reading 'name')",
      why: "the message quotes only a property of the code",
    },
    { message: "pod.containers is not iterable", why: "the message quotes only an expression of the code" },
    { message: "Maximum call stack size exceeded", why: "the message quotes nothing" },
  ])("prints $message: $why", ({ message }) => {
    expect(crashReport(new TypeError(message)).split("\n")[0]).toBe(`TypeError: ${message}`);
  });

  it.each([
    { error: new SyntaxError(`Unexpected token, "${SECRET}" is not valid JSON`), head: `SyntaxError: ${LEFT_OUT}` },
    { error: new TypeError(`Cannot use 'in' operator to search for 'a' in ${SECRET}`), head: `TypeError: ${LEFT_OUT}` },
    { error: new Error(`a\n    at ${SECRET} (/a.ts:1:1)`), head: `Error: ${LEFT_OUT}` },
    { error: Object.assign(new Error(SECRET), { code: "ERR_A" }), head: `Error [ERR_A]: ${LEFT_OUT}` },
    { error: Object.assign(new Error(SECRET), { code: SECRET, headers: SECRET }), head: `Error: ${LEFT_OUT}` },
    { error: new Error("a", { cause: new Error(SECRET) }), head: `Error: ${LEFT_OUT}` },
  ])("leaves out the message, and prints the stack's frames: $head", ({ error, head }) => {
    const [first, ...frames] = crashReport(error).split("\n");
    expect(first).toBe(head);
    expect(frames[0]).toMatch(/^ {4}at .*crash-report\.test\.ts:\d+:\d+\)?$/);
    expect(frames.join()).not.toContain(SECRET);
  });

  it("prints no stack if the message has changed since the throw, because the stack may then contain the old one", () => {
    const error = new Error(`a\n    at ${SECRET} (/a.ts:1:1)`);
    expect(error.stack).toContain(SECRET);
    for (const message of ["b", SECRET]) {
      error.message = message;
      expect(crashReport(error)).toBe(`Error: ${LEFT_OUT}`);
    }
  });

  it("leaves out a name that is no class name", () => {
    const error = Object.assign(new Error("a"), { name: `${SECRET} ` });
    expect(crashReport(error).split("\n")[0]).toBe(`Error: ${LEFT_OUT}`);
  });

  it("leaves out a thrown value that is no error", () => {
    expect(crashReport(SECRET)).toBe("What was thrown is no error, but of type string.");
  });
});
