import { describe, expect, it } from "vitest";
import { backoffKeyParts, keyChanges } from "../../src/kubelet/traits.ts";
import { parseKubeletVersion } from "../../src/kubelet/version.ts";

describe("the key of a back-off entry", () => {
  it.each([
    { version: "v1.37.1", last: ["image", "resources"], changes: ["image", "resources", "pod"], why: "GetBackoffKey" },
    {
      version: "v1.34.0",
      last: ["image", "resources"],
      changes: ["image", "resources", "pod"],
      why: "its first version",
    },
    {
      version: "v1.33.0",
      last: ["spec-hash"],
      changes: ["image", "resources", "pod"],
      why: "a resize empties the entry",
    },
    { version: "v1.32.9", last: ["spec-hash"], changes: ["image", "pod"], why: "resources are not in the hash" },
    { version: "unknown", last: ["image", "resources"], changes: ["image", "resources", "pod"], why: "the newest" },
  ])("of $version ends with $last: $why", ({ version, last, changes }) => {
    const parsed = parseKubeletVersion(version);
    expect(backoffKeyParts(parsed)).toEqual(["pod", "namespace", "uid", "container", ...last]);
    expect(keyChanges(parsed)).toEqual(changes);
  });
});
