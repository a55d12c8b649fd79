import { describe, expect, it } from "vitest";
import { backoffKeyParts, keyChanges } from "../../src/kubelet/traits.ts";
import { parseKubeletVersion } from "../../src/kubelet/versions.ts";
import { rowsOf } from "../support/text-table.ts";

const KEYS = `
  version  key ends with    changed by           why
  v1.37.1  image,resources  image,resources,pod  the key that GetBackoffKey makes
  v1.34.0  image,resources  image,resources,pod  the first version with GetBackoffKey
  v1.33.0  spec-hash        image,resources,pod  a resize of the pod resets the back-off
  v1.32.9  spec-hash        image,pod            the hash does not cover resources
  unknown  image,resources  image,resources,pod  an unknown version counts as the newest
`;

describe("the key of a back-off entry", () => {
  it.each(rowsOf<"version" | "key ends with" | "changed by" | "why">(KEYS))("of $version: $why", (row) => {
    const version = parseKubeletVersion(row.version);
    expect(backoffKeyParts(version).join()).toBe(`pod,namespace,uid,container,${row["key ends with"]}`);
    expect(keyChanges(version).join()).toBe(row["changed by"]);
  });
});
