import { describe, expect, it } from "vitest";
import { isAtLeast, parseKubeletVersion } from "../../src/kubelet/versions.ts";

describe("parseKubeletVersion()", () => {
  it.each([
    { text: "v1.37.1", version: { major: 1, minor: 37, patch: 1 } },
    { text: "1.34", version: { major: 1, minor: 34 } },
    { text: "v1.34.4-gke.1047000", version: { major: 1, minor: 34, patch: 4 } },
    { text: "v1.33.5-eks-113cf36", version: { major: 1, minor: 33, patch: 5 } },
    { text: "v1.31.5+k3s1", version: { major: 1, minor: 31, patch: 5 } },
    { text: "v1.36.0-alpha.1.12+abc", version: { major: 1, minor: 36 } },
    { text: "v1.36.0-rc.0", version: { major: 1, minor: 36 } },
    { text: "", version: null },
    { text: "latest", version: null },
    { text: "v1", version: null },
    { text: "v1.x", version: null },
  ])("returns $version for $text", ({ text, version }) => {
    expect(parseKubeletVersion(text)).toEqual(version);
  });
});

describe("isAtLeast()", () => {
  it.each([
    { version: { major: 1, minor: 35 }, minor: 35, expected: true },
    { version: { major: 1, minor: 34 }, minor: 35, expected: false },
    { version: { major: 2, minor: 0 }, minor: 35, expected: true },
  ])("is $expected for $version and 1.$minor", ({ version, minor, expected }) => {
    expect(isAtLeast(version, minor)).toBe(expected);
  });
});
