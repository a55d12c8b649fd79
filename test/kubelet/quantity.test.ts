import { describe, expect, it } from "vitest";
import { bytesIn } from "../../src/kubelet/quantity.ts";

describe("bytesIn()", () => {
  it.each([
    ["64Mi", 64 * 1024 * 1024],
    ["1.5G", 1_500_000_000],
    ["8.3M", 8_300_000],
    ["8.3e6", 8_300_000],
    ["8.3000001M", 8_300_001],
    ["1e3", 1_000],
    ["128", 128],
    [".5Ki", 512],
    ["100m", 1],
    ["lots", null],
    ["1Xi", null],
    ["", null],
    ["1e999", null],
  ])("returns for %j: %s", (quantity, bytes) => {
    expect(bytesIn(quantity)).toBe(bytes);
  });
});
