import { describe, expect, it } from "vitest";
import { endpointsIn } from "../../../src/cluster/objects/service.ts";

function endpoint(address: string, ready?: boolean, pod?: string): object {
  return { addresses: [address], conditions: { ready }, ...(pod && { targetRef: { kind: "Pod", name: pod } }) };
}

function slice(addressType: string, ...endpoints: object[]): object {
  return { addressType, endpoints };
}

describe("endpointsIn()", () => {
  it.each([
    { slices: [], ready: 0, total: 0, why: "there are no slices" },
    {
      slices: [slice("IPv4", endpoint("10.1.0.1", true, "db-0"), endpoint("10.1.0.2", false, "db-1"))],
      ...{ ready: 1, total: 2, why: "one of two pods is ready" },
    },
    {
      slices: [slice("IPv4", endpoint("10.1.0.1", true, "db-0")), slice("IPv6", endpoint("fd00::1", true, "db-0"))],
      ...{ ready: 1, total: 1, why: "a pod has an address of each IP family" },
    },
    {
      slices: [
        slice("IPv4", endpoint("192.0.2.1", true), endpoint("192.0.2.2", false)),
        slice("IPv6", endpoint("2001:db8::1", true), endpoint("2001:db8::2", false)),
      ],
      ...{ ready: 1, total: 2, why: "addresses outside of the cluster belong to no pod, but to both IP families" },
    },
    {
      slices: [slice("IPv4", endpoint("192.0.2.1", false)), slice("IPv4", endpoint("192.0.2.1"))],
      ...{ ready: 1, total: 1, why: "an address moves from one slice to another, and unknown counts as ready" },
    },
  ])("counts $ready of $total as ready: $why", ({ slices, ready, total }) => {
    expect(endpointsIn(slices)).toEqual({ ready, total });
  });
});
