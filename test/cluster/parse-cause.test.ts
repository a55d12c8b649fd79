import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { jsonCause, yamlCause } from "../../src/cluster/objects/causes.ts";

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("what is wrong with a file is said without quoting it", () => {
  it.each([
    { text: "a: b\ntoken: *hidden\n", says: "line 2: unidentified alias" },
    { text: "token: !hidden a\n", says: "line 1: unknown scalar tag" },
    { text: "token: !hidden!a b\n", says: "line 1: undeclared tag handle" },
    { text: "token: !<hid den> b\n", says: "line 1: tag name cannot contain such characters" },
    { text: 'token: "hidden\n', says: "line 2: deficient indentation" },
    { text: "token: hidden: b\n", says: "line 1: bad indentation of a mapping entry" },
  ])("in YAML: $says", ({ text, says }) => {
    const cause = yamlCause(failureOf(() => loadAll(text)));
    expect(cause).toBe(says);
  });

  it.each([
    { text: '{"token": hidden}', says: "Unexpected token 'h'" },
    { text: '["hidden" "a"]', says: "Expected ',' or ']' after array element in JSON at position 10" },
    { text: '{"token": "hidden', says: "Unterminated string in JSON at position 17" },
    { text: "", says: "Unexpected end of JSON input" },
  ])("in JSON: $says", ({ text, says }) => {
    expect(jsonCause(failureOf(() => JSON.parse(text)))).toBe(says);
  });

  it.each([
    { message: 'Unexpected identifier "hidden"', says: "Unexpected identifier" },
    { message: "Expected '}'", says: "Expected '}'" },
    { message: '"\\u12hid"den" is not a valid unicode escape', says: "it is not JSON" },
    { message: "Unexpected EOF", says: "Unexpected EOF" },
  ])("in JSON that Bun reads: $message", ({ message, says }) => {
    expect(jsonCause(new SyntaxError(`JSON Parse error: ${message}`))).toBe(says);
  });

  it("says little about what is no error of a parser", () => {
    expect([yamlCause(new Error("hidden")), jsonCause(new Error("hidden"))]).toEqual([
      "it is not YAML",
      "it is not JSON",
    ]);
  });
});
