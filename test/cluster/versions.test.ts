import { describe, expect, it } from "vitest";
import { compareVersions, newestOfEach, oldestFirst } from "../../src/cluster/objects/versions.ts";

function version(resourceVersion: unknown, label = "") {
  return { raw: { metadata: { resourceVersion } }, label };
}

describe("compareVersions()", () => {
  it.each([
    { a: "10", b: "9", sign: 1, why: "numbers, not text" },
    { a: "9", b: "10", sign: -1, why: "numbers, not text" },
    { a: "7", b: "7", sign: 0, why: "the same" },
    { a: "18446744073709551617", b: "18446744073709551616", sign: 1, why: "longer than 64 bits" },
    { a: 12, b: "11", sign: 1, why: "YAML without quotes" },
    { a: undefined, b: "11", sign: 0, why: "one does not say" },
    { a: "abc", b: "11", sign: 0, why: "no number" },
    { a: "007", b: "11", sign: 0, why: "leading zeros are no resourceVersion" },
    { a: "-1", b: "11", sign: 0, why: "a sign is no resourceVersion" },
  ])("$a against $b: $why", ({ a, b, sign }) => {
    expect(Math.sign(compareVersions(version(a), version(b)))).toBe(sign);
  });
});

describe("oldestFirst()", () => {
  it("sorts by resourceVersion, and keeps the later one of two that are the same", () => {
    const versions = [version("100", "c"), version("9", "a"), version("20", "b"), version("100", "d")];
    expect(oldestFirst(versions).map(({ label }) => label)).toEqual(["a", "b", "d"]);
  });

  it("keeps the order of the input if one of them has none", () => {
    const versions = [version("100", "a"), version(undefined, "b"), version("20", "c")];
    expect(oldestFirst(versions).map(({ label }) => label)).toEqual(["a", "b", "c"]);
  });
});

describe("newestOfEach()", () => {
  it("takes the newest per key; the one that came last where they do not say", () => {
    const a = [version("5", "a"), version("4", "a")];
    const b = [version(undefined, "b"), version("1", "b")];
    const c = [version("3", "c"), version("3", "c")];
    const newest = newestOfEach([...a, ...b, ...c], ({ label }) => label);
    expect(newest).toHaveLength(3);
    expect(newest[0]).toBe(a[0]);
    expect(newest[1]).toBe(b[1]);
    expect(newest[2]).toBe(c[1]);
  });
});
