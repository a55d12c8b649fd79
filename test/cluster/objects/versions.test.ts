import { loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { jsonCause, yamlCause } from "../../../src/cluster/objects/error-text.ts";
import { instantOf } from "../../../src/cluster/objects/timestamp.ts";
import { compareVersions, newestOfEach, oldestFirst } from "../../../src/cluster/objects/versions.ts";

describe("instantOf()", () => {
  const noonMs = Date.UTC(2026, 10, 21, 12, 0, 0);

  it.each([
    { text: "2026-11-21T12:00:00Z", ms: noonMs, why: "as the API prints it" },
    { text: "2026-11-21t12:00:00z", ms: noonMs, why: "the letters may be lower case" },
    { text: "2026-11-21T12:00:00.5Z", ms: noonMs + 500, why: "a fraction of a second" },
    { text: "2026-11-21T12:00:00.123456Z", ms: noonMs + 123, why: "microseconds are cut off" },
    { text: "2026-11-21T12:00:00.999999999Z", ms: noonMs + 999, why: "a fraction is never rounded up" },
    { text: "2026-11-21T13:00:00+01:00", ms: noonMs, why: "a time with an offset" },
    { text: "2026-11-21T06:30:00.25-05:30", ms: noonMs + 250, why: "a time with an offset and a fraction" },
    { text: "2000-01-01T00:00:00Z", ms: Date.UTC(2000, 0, 1), why: "the earliest time that it accepts" },
  ])("reads $text: $why", ({ text, ms }) => {
    expect(instantOf(text)).toBe(ms);
  });

  it.each([
    { value: "1970-01-01T00:00:00Z", why: "what a runtime writes for an unknown time" },
    { value: "0001-01-01T00:00:00Z", why: "Go's zero time" },
    { value: "1999-12-31T23:59:59Z", why: "a time before Kubernetes existed" },
    { value: "2026-02-30T12:00:00Z", why: "no such day" },
    { value: "2026-13-01T12:00:00Z", why: "no such month" },
    { value: "2026-11-21T25:00:00Z", why: "no such hour" },
    { value: "2026-11-21T12:00:00", why: "a local time without an offset" },
    { value: "2026-11-21", why: "a day without a time" },
    { value: "2026-11-21 12:00:00Z", why: "no T between day and time" },
    { value: "soon", why: "a text that is no timestamp" },
    { value: "", why: "an empty text" },
    { value: noonMs, why: "a number" },
    { value: null, why: "null" },
    { value: ["2026-11-21T12:00:00Z"], why: "an array" },
    { value: { toString: () => "2026-11-21T12:00:00Z" }, why: "an object" },
  ])("gives null: $why", ({ value }) => {
    expect(instantOf(value)).toBeNull();
  });
});

function version(resourceVersion: unknown, label = "") {
  return { raw: { metadata: { resourceVersion } }, label };
}

describe("compareVersions()", () => {
  it.each([
    { a: "10", b: "9", sign: 1, why: "versions are compared as numbers, not as text" },
    { a: "9", b: "10", sign: -1, why: "versions are compared as numbers, not as text" },
    { a: "7", b: "7", sign: 0, why: "the versions are the same" },
    { a: "18446744073709551617", b: "18446744073709551616", sign: 1, why: "versions may be longer than 64 bits" },
    { a: 12, b: "11", sign: 1, why: "YAML without quotes gives a number" },
    { a: undefined, b: "11", sign: 0, why: "one version is missing" },
    { a: "abc", b: "11", sign: 0, why: "one version is no number" },
    { a: "007", b: "11", sign: 0, why: "leading zeros are no resourceVersion" },
    { a: "-1", b: "11", sign: 0, why: "a sign is no resourceVersion" },
  ])("compares $a with $b as $sign: $why", ({ a, b, sign }) => {
    expect(Math.sign(compareVersions(version(a), version(b)))).toBe(sign);
  });
});

describe("oldestFirst()", () => {
  it("sorts by resourceVersion, and keeps the later one of two objects with the same version", () => {
    const versions = [version("100", "c"), version("9", "a"), version("20", "b"), version("100", "d")];
    expect(oldestFirst(versions).map(({ label }) => label)).toEqual(["a", "b", "d"]);
  });

  it("keeps the order of the input if one object has no resourceVersion", () => {
    const versions = [version("100", "a"), version(undefined, "b"), version("20", "c")];
    expect(oldestFirst(versions).map(({ label }) => label)).toEqual(["a", "b", "c"]);
  });
});

describe("newestOfEach()", () => {
  it("takes the newest object of each key, or the last one if a version is missing or both versions are the same", () => {
    const a = [version("5", "a"), version("4", "a")];
    const b = [version(undefined, "b"), version("1", "b")];
    const c = [version("3", "c"), version("3", "c")];
    const all = [...a, ...b, ...c];
    const newest = newestOfEach(all, ({ label }) => label);
    expect(newest.map((each) => all.indexOf(each))).toEqual([0, 3, 5]);
  });
});

function failureOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("a message about a broken file does not quote the file", () => {
  it.each([
    { text: "a: b\ntoken: *hidden\n", says: "line 2: unidentified alias" },
    { text: "token: !hidden a\n", says: "line 1: unknown scalar tag" },
    { text: "token: !hidden!a b\n", says: "line 1: undeclared tag handle" },
    { text: "token: !<hid den> b\n", says: "line 1: tag name cannot contain such characters" },
    { text: "token: hidden: b\n", says: "line 1: bad indentation of a mapping entry" },
  ])("in YAML: $says", ({ text, says }) => {
    const cause = yamlCause(failureOf(() => loadAll(text)));
    expect(cause).toBe(says);
  });

  it.each([
    { text: '{"token": hidden}', says: "Unexpected token" },
    { text: '{"token": #hidden}', says: "Unexpected token" },
    { text: '["hidden", ]', says: "Unexpected token ']'" },
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
    { message: "Unrecognized token '#'", says: "Unrecognized token" },
  ])("in JSON that Bun reads: $message", ({ message, says }) => {
    expect(jsonCause(new SyntaxError(`JSON Parse error: ${message}`))).toBe(says);
  });

  it("does not show the message of an error that a parser did not throw", () => {
    const causes = [yamlCause, jsonCause].map((cause) => cause(new Error("hidden")));
    expect(causes).toEqual(["it is not YAML", "it is not JSON"]);
  });
});
